import { formatDay } from '#shared/domain/format.ts'
import { formatMoney } from '#shared/domain/format-money.ts'
import { publication } from '#shared/publication.ts'
import type { Email } from '../mailer.ts'
import { type EmailBlock, renderEmail } from '../render-email.ts'

const reason = "You get this email because it's about your plan, whichever newsletters you've turned off."

/** What all mails about billing carry. `publicUrl`: origin of the pages that they point to. */
export type BillingEmail = { to: string; planName: string; publicUrl: string }

type Words = { subject: string; title: string; lead: string; more?: string; button: string; path?: string }

/** The button leads to our own page, which asks who is there: a mail is no place for a key to a billing portal. */
function billingEmail({ to, publicUrl }: Omit<BillingEmail, 'planName'>, words: Words): Email {
  const { subject, title, lead, more, button, path = '/account/billing' } = words
  const blocks: EmailBlock[] = [
    { kind: 'text', text: lead },
    ...(more ? [{ kind: 'text', text: more } as const] : []),
    { kind: 'button', label: button, href: `${publicUrl}${path}` },
  ]
  return { to, subject, ...renderEmail({ title, preview: lead, blocks, reason }) }
}

export const paymentFailedEmail = (mail: BillingEmail & { accessUntil: Date }): Email =>
  billingEmail(mail, {
    subject: `We could not charge your card for ${publication.name}`,
    title: 'Your payment did not go through',
    lead: `The renewal of ${mail.planName} could not be charged. Everything stays open to you until ${formatDay(mail.accessUntil)}.`,
    more: 'We try the card again over the next two weeks. To repair it now, put in another card, or pay again with the same one.',
    button: 'Update my card',
  })

/** How a plan goes on: it renews on one day, or ends on one. */
export type PlanDates = { renewsAt: Date | null; endsAt: Date | null; isTrial: boolean }

/** One sentence about the next date; empty when there is none. */
export function nextDate({ renewsAt, endsAt, isTrial }: PlanDates): string {
  if (endsAt) return `It ends on ${formatDay(endsAt)}, and you won't be charged again.`
  if (!renewsAt) return ''
  return isTrial
    ? `Your free trial runs until ${formatDay(renewsAt)}. After that, your card is charged unless you cancel.`
    : `It renews on ${formatDay(renewsAt)}.`
}

export type PlanEmail = BillingEmail & PlanDates & { hasSeats: boolean }

export const planSwitchedEmail = (mail: PlanEmail & { formerPlanName: string; losesSeats: boolean }): Email => {
  const seats = mail.hasSeats
    ? 'You can now invite two people under Account, Team.'
    : mail.losesSeats && 'The people on your team no longer have access through your plan.'
  return billingEmail(mail, {
    subject: `You switched to ${mail.planName}`,
    title: `You're on ${mail.planName}`,
    lead: `You switched from ${mail.formerPlanName} to ${mail.planName}. ${nextDate(mail)}`.trim(),
    more: [seats, 'Any difference for the current period is on your invoice.'].filter(Boolean).join(' '),
    button: 'View billing',
  })
}

export const planCanceledEmail = (mail: PlanEmail & { endsAt: Date }): Email =>
  billingEmail(mail, {
    subject: `Your ${publication.name} plan is canceled`,
    title: 'Your plan is canceled',
    lead: `${mail.planName} is canceled. You keep full access until ${formatDay(mail.endsAt)}, and you won't be charged again.`,
    more: `${mail.hasSeats ? 'The people on your team keep access until then, too. ' : ''}Changed your mind? You can resume the plan until that day.`,
    button: 'Resume plan',
  })

export const planResumedEmail = (mail: PlanEmail): Email =>
  billingEmail(mail, {
    subject: `Your ${publication.name} plan continues`,
    title: 'Your plan continues',
    lead: `You resumed ${mail.planName}, so it no longer ends. ${nextDate(mail)}`.trim(),
    more: 'You can cancel at any time under Account, Billing.',
    button: 'View billing',
  })

export const planEndingSoonEmail = (mail: BillingEmail & { endsAt: Date }): Email =>
  billingEmail(mail, {
    subject: `Your ${publication.name} plan ends on ${formatDay(mail.endsAt)}`,
    title: 'Your plan ends soon',
    lead: `You canceled ${mail.planName}. It stays open until ${formatDay(mail.endsAt)}, and nothing more is charged.`,
    more: 'If you would rather stay, one click resumes it, and nothing is lost.',
    button: 'See my plan',
  })

export const planEndedEmail = (mail: BillingEmail): Email =>
  billingEmail(mail, {
    subject: `Your ${publication.name} plan has ended`,
    title: 'Your plan has ended',
    lead: `${mail.planName} has ended, and nothing more is charged.`,
    more: 'Your account and your answers are kept. Thank you for reading; you are welcome back at any time.',
    button: 'See the plans',
    path: '/#pricing',
  })

export const planReactivatedEmail = (mail: BillingEmail): Email =>
  billingEmail(mail, {
    subject: `Your ${publication.name} plan is active again`,
    title: 'Everything is open again',
    lead: `${mail.planName} is active again, with your answers and your order as they were.`,
    button: 'See my plan',
  })

/** `cardExpiresAt`: the first instant after the last month of the card. */
export const cardExpiringEmail = (mail: BillingEmail & { cardExpiresAt: Date }): Email =>
  billingEmail(mail, {
    subject: `Your card for ${publication.name} expires soon`,
    title: 'Your card expires soon',
    lead: `The card that pays for ${mail.planName} is valid through ${monthOf(mail.cardExpiresAt)}.`,
    more: 'Put in the new one before the next payment, and nothing is interrupted.',
    button: 'Update my card',
  })

export const trialEndingEmail = (mail: BillingEmail & { endsAt: Date }): Email =>
  billingEmail(mail, {
    subject: `Your ${publication.name} trial ends on ${formatDay(mail.endsAt)}`,
    title: 'Your trial ends soon',
    lead: `Your trial of ${mail.planName} ends on ${formatDay(mail.endsAt)}. After that the plan begins by itself and your card is charged.`,
    more: 'If it is not for you, cancel before that day and nothing is charged.',
    button: 'See my plan',
  })

type DuplicateEmail = {
  to: string
  publicUrl: string
  planName: string
  /** Null when no plan runs any more by the time this is written. */
  keptPlanName: string | null
  /** Smallest units of the currency. */
  refundedCents: number
  currency: string
}

const refundWords = ({ refundedCents, currency }: Pick<DuplicateEmail, 'refundedCents' | 'currency'>): string =>
  refundedCents > 0
    ? `refunded everything you paid for it: ${formatMoney(refundedCents, currency)}`
    : 'nothing had been charged for it'

/** To the member whose second plan was canceled. */
export const duplicateCanceledEmail = ({ planName, keptPlanName, ...mail }: DuplicateEmail): Email =>
  billingEmail(mail, {
    subject: `We canceled a duplicate ${publication.name} plan`,
    title: 'We canceled your duplicate plan',
    lead: `You had two ${publication.name} plans at the same time. We canceled the newer one, ${planName}, and ${refundWords(mail)}.`,
    more: [
      mail.refundedCents > 0 ? 'Refunds usually reach your card within 5 to 10 days.' : '',
      keptPlanName ? `Your first plan, ${keptPlanName}, stays active and nothing about it changes.` : '',
    ]
      .filter(Boolean)
      .join(' '),
    button: 'See my plan',
  })

type DuplicateReport = DuplicateEmail & {
  /** `left_active`: it also bills products that are not ours, so nothing was canceled. */
  outcome: 'canceled' | 'left_active'
  subscriptionId: string
  memberEmail: string
  userId: string
}

/** To each admin, about every second plan. */
export function duplicateReportEmail({
  outcome,
  memberEmail,
  subscriptionId,
  userId,
  ...mail
}: DuplicateReport): Email {
  const { publicUrl, planName, keptPlanName } = mail
  const wasCanceled = outcome === 'canceled'
  const title = wasCanceled ? 'A duplicate plan was canceled' : 'A member pays for two plans'
  const lead = wasCanceled
    ? `${memberEmail} had two plans at the same time. The newer one, ${planName}, was canceled and ${mail.refundedCents > 0 ? `${formatMoney(mail.refundedCents, mail.currency)} was refunded` : 'nothing had been charged for it'}. The member got an email about it.`
    : `${memberEmail} has two plans at the same time. The newer one, ${planName}, also bills other products, so it was left running. Decide in Stripe what to cancel and refund.`
  const kept = keptPlanName ? [`Plan that stays: ${keptPlanName}`] : []
  const blocks: EmailBlock[] = [
    { kind: 'text', text: lead },
    { kind: 'list', items: [`Subscription at Stripe: ${subscriptionId}`, ...kept] },
    { kind: 'button', label: 'See the member', href: `${publicUrl}/admin/users/${userId}` },
  ]
  const why = 'You get this email because you are an admin.'
  return { to: mail.to, subject: title, ...renderEmail({ title, preview: lead, blocks, reason: why }) }
}

/** To a member whose free trial was canceled because of its card. */
export const trialRefusedEmail = (mail: Pick<BillingEmail, 'to' | 'planName' | 'publicUrl'>): Email =>
  billingEmail(mail, {
    subject: `Your ${publication.name} trial didn’t start`,
    title: 'This card has already had a free trial',
    lead: `We canceled your trial of ${mail.planName}, because the card you used has already had one. Nothing was charged.`,
    more: 'You can start a plan without a trial at any time.',
    button: 'See the plans',
    path: '/#pricing',
  })

type ComplimentaryAccessEmail = { to: string; publicUrl: string }

export const complimentaryAccessGrantedEmail = ({
  until,
  ...mail
}: ComplimentaryAccessEmail & { until: Date }): Email =>
  billingEmail(mail, {
    subject: `${publication.name} is open to you`,
    title: 'You have complimentary access',
    lead: `Everything at ${publication.name} is open to you until ${formatDay(until)}, with our compliments.`,
    more: 'You need no plan for it, and nothing is charged, then or now.',
    button: 'Enter the portal',
    path: '/portal',
  })

export const complimentaryAccessEndedEmail = (mail: ComplimentaryAccessEmail): Email =>
  billingEmail(mail, {
    subject: `Your complimentary access to ${publication.name} has ended`,
    title: 'Your complimentary access has ended',
    lead: 'Your complimentary access has ended. A plan of your own is not affected.',
    more: 'Your account and your answers are kept.',
    button: 'See the plans',
    path: '/#pricing',
  })

const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const monthOf = (firstAfter: Date) => monthFormat.format(new Date(firstAfter.getTime() - 1))
