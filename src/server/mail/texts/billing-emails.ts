import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { formatMoney } from '#shared/domain/format-money.ts'
import type { PlanTerms } from '#shared/domain/plans.ts'
import { publication } from '#shared/publication.ts'
import type { Email } from '../mailer.ts'
import { type EmailBlock, type Fact, renderEmail } from '../render-email.ts'

const reason = 'You get emails about your plan even if you’ve turned off our newsletters.'

/** `publicUrl`: origin of the pages that the email links to. `price`: "$10 per month", or null for an unknown plan. */
export type BillingEmail = { to: string; planName: string; price: string | null; publicUrl: string }

export const priceOf = ({ priceText, interval }: PlanTerms): string => `${priceText} per ${interval}`

type BillingText = {
  subject: string
  preview: string
  title: string
  lead: string
  facts?: readonly Fact[]
  more?: string
  button: string
  path?: string
}

/** The button opens our own billing page, which requires a session. The email contains no link to Stripe. */
function billingEmail({ to, publicUrl }: Pick<BillingEmail, 'to' | 'publicUrl'>, text: BillingText): Email {
  const { subject, preview, title, lead, facts = [], more, button, path = '/account/billing' } = text
  const blocks: EmailBlock[] = [
    { kind: 'text', text: lead },
    ...(facts.length > 0 ? [{ kind: 'facts', facts } as const] : []),
    ...(more ? [{ kind: 'text', text: more } as const] : []),
    { kind: 'button', label: button, href: `${publicUrl}${path}` },
  ]
  return { to, subject, ...renderEmail({ department: 'Billing', title, preview, blocks, reason }) }
}

/** Name and price, unless the plan is unknown. */
export const planFacts = ({ planName, price }: Pick<BillingEmail, 'planName' | 'price'>): Fact[] =>
  price
    ? [
        ['Plan', planName],
        ['Price', price],
      ]
    : []

const accessUntil = (day: Date): Fact => ['Full access until', formatDay(day)]

export const paymentFailedEmail = (email: BillingEmail & { accessUntil: Date }): Email =>
  billingEmail(email, {
    subject: `Your ${publication.name} payment failed`,
    preview: `We’ll try again. You keep full access until ${formatDay(email.accessUntil)}.`,
    title: 'Your payment failed',
    lead: `We couldn’t charge your card for ${email.planName}. You keep full access until ${formatDay(email.accessUntil)}.`,
    facts: [...planFacts(email), accessUntil(email.accessUntil)],
    more: 'We’ll retry the payment over the next two weeks. To fix it now, update your card or pay again with the same one.',
    button: 'Update card',
  })

/** A plan renews on one day or ends on one. */
export type PlanDates = { renewsAt: Date | null; endsAt: Date | null; isTrial: boolean }

/** One sentence about the next date; empty when there is none. */
export function nextDate({ renewsAt, endsAt, isTrial }: PlanDates): string {
  if (endsAt) return `It ends on ${formatDay(endsAt)}, and you won’t be charged again.`
  if (!renewsAt) return ''
  return isTrial
    ? `Your free trial runs until ${formatDay(renewsAt)}. After that, your card is charged unless you cancel.`
    : `It renews on ${formatDay(renewsAt)}.`
}

/** The next date in a row of its own. */
export function dateFacts({ renewsAt, endsAt, isTrial }: PlanDates): Fact[] {
  if (endsAt) return [['Ends on', formatDay(endsAt)]]
  if (!renewsAt) return []
  return [[isTrial ? 'Free until' : 'Renews on', formatDay(renewsAt)]]
}

export type PlanEmail = BillingEmail & PlanDates & { hasSeats: boolean }

export const planSwitchedEmail = (email: PlanEmail & { formerPlanName: string; losesSeats: boolean }): Email => {
  const seats = email.hasSeats
    ? 'You can now invite two people under Account > Team.'
    : email.losesSeats && 'The people on your team no longer have access through your plan.'
  return billingEmail(email, {
    subject: `You switched to ${email.planName}`,
    preview: `${nextDate(email)} Any difference is on your invoice.`.trim(),
    title: `You’re on ${email.planName}`,
    lead: `You switched from ${email.formerPlanName} to ${email.planName}. ${nextDate(email)}`.trim(),
    facts: [...planFacts(email), ...dateFacts(email)],
    more: [seats, 'Any difference for the current period is on your invoice.'].filter(Boolean).join(' '),
    button: 'View billing',
  })
}

export const planCanceledEmail = (email: PlanEmail & { endsAt: Date }): Email =>
  billingEmail(email, {
    subject: `Your ${publication.name} plan is canceled`,
    preview: `You keep full access until ${formatDay(email.endsAt)}.`,
    title: 'Your plan is canceled',
    lead: `You canceled ${email.planName}. You keep full access until ${formatDay(email.endsAt)}, and you won’t be charged again.`,
    facts: [['Plan', email.planName], accessUntil(email.endsAt)],
    more: `${email.hasSeats ? 'The people on your team keep access until then, too. ' : ''}Changed your mind? You can resume your plan until that day.`,
    button: 'Resume plan',
  })

export const planResumedEmail = (email: PlanEmail): Email =>
  billingEmail(email, {
    subject: `Your ${publication.name} plan continues`,
    preview: `You resumed ${email.planName}. ${nextDate(email)}`.trim(),
    title: 'Your plan continues',
    lead: `You resumed ${email.planName}. ${nextDate(email)}`.trim(),
    facts: [...planFacts(email), ...dateFacts(email)],
    more: 'You can cancel anytime under Account > Billing.',
    button: 'View billing',
  })

export const planEndingSoonEmail = (email: BillingEmail & { endsAt: Date }): Email =>
  billingEmail(email, {
    subject: `Your ${publication.name} plan ends on ${formatDay(email.endsAt)}`,
    preview: 'Changed your mind? You can resume it until that day.',
    title: 'Your plan ends soon',
    lead: `You canceled ${email.planName}. You keep full access until ${formatDay(email.endsAt)}, and you won’t be charged again.`,
    facts: [['Plan', email.planName], accessUntil(email.endsAt)],
    more: 'Changed your mind? You can resume your plan until that day.',
    button: 'Resume plan',
  })

export const planEndedEmail = (email: BillingEmail): Email =>
  billingEmail(email, {
    subject: `Your ${publication.name} plan has ended`,
    preview: 'You won’t be charged again. We keep your account and preferences.',
    title: 'Your plan has ended',
    lead: `Your ${email.planName} plan has ended, and you won’t be charged again.`,
    more: 'We keep your account and preferences. Thanks for reading. You’re always welcome back.',
    button: 'View plans',
    path: '/#pricing',
  })

export const planReactivatedEmail = (email: BillingEmail): Email =>
  billingEmail(email, {
    subject: `Your ${publication.name} plan is active again`,
    preview: `Your payment for ${email.planName} went through.`,
    title: 'Your plan is active again',
    lead: `Your payment for ${email.planName} went through, and you have full access again.`,
    button: 'View billing',
  })

/** `cardExpiresAt`: midnight UTC after the last month in which the card is valid. */
export const cardExpiringEmail = (email: BillingEmail & { cardExpiresAt: Date }): Email =>
  billingEmail(email, {
    subject: `Your card for ${publication.name} expires soon`,
    preview: `Update it by the end of ${lastMonth(email.cardExpiresAt)} to keep your access.`,
    title: 'Your card expires soon',
    lead: `The card on file for ${email.planName} expires at the end of ${lastMonth(email.cardExpiresAt)}.`,
    facts: [...planFacts(email), ['Card valid until', lastMonth(email.cardExpiresAt)]],
    more: 'Update it before your next payment to keep your access.',
    button: 'Update card',
  })

export const trialEndingEmail = (email: BillingEmail & { endsAt: Date }): Email =>
  billingEmail(email, {
    subject: `Your ${publication.name} trial ends on ${formatDay(email.endsAt)}`,
    preview: 'After that, your card is charged unless you cancel.',
    title: 'Your trial ends soon',
    lead: `Your free trial of ${email.planName} ends on ${formatDay(email.endsAt)}. After that, your plan starts and your card is charged.`,
    facts: [...planFacts(email), ['Free until', formatDay(email.endsAt)]],
    more: 'If it’s not for you, cancel before that day and you won’t be charged.',
    button: 'View billing',
  })

/** The value page shows the year that most of the paid period lies in. */
export const renewingSoonEmail = (email: BillingEmail & { renewsAt: Date }): Email => {
  const year = new Date(email.renewsAt.getTime() - halfYearMs).getUTCFullYear()
  return billingEmail(email, {
    subject: `Your ${publication.name} plan renews on ${formatDay(email.renewsAt)}`,
    preview: `See what you tried in ${year}, compared with what you paid.`,
    title: 'Your plan renews soon',
    lead: `${email.planName} renews on ${formatDay(email.renewsAt)}, and your card is charged for another year.`,
    facts: [...planFacts(email), ['Renews on', formatDay(email.renewsAt)]],
    more: `See what you tried in ${year} and what it added up to, compared with what you paid. To change or cancel your plan before that day, go to Account > Billing.`,
    button: `See your ${year}`,
    path: `/portal/value?year=${year}`,
  })
}

type DuplicateEmail = {
  to: string
  publicUrl: string
  planName: string
  /** Null when no other plan is active anymore. */
  keptPlanName: string | null
  /** Smallest units of the currency. */
  refundedCents: number
  currency: string
}

/** To the member whose second plan was canceled. */
export const duplicateCanceledEmail = ({ planName, keptPlanName, ...email }: DuplicateEmail): Email => {
  const { refundedCents, currency } = email
  const refund =
    refundedCents > 0
      ? `refunded the ${formatMoney(refundedCents, currency)} you paid for it`
      : 'you weren’t charged for it'
  return billingEmail(email, {
    subject: `We canceled a duplicate ${publication.name} plan`,
    preview: refundedCents > 0 ? `We refunded ${formatMoney(refundedCents, currency)}.` : 'You weren’t charged for it.',
    title: 'We canceled your duplicate plan',
    lead: `You had two ${publication.name} plans at the same time. We canceled the newer one, ${planName}, and ${refund}.`,
    facts: duplicateFacts({ planName, keptPlanName, refundedCents, currency }, 'Canceled plan'),
    more: [
      refundedCents > 0 ? 'Refunds usually reach your card within 5 to 10 days.' : '',
      keptPlanName ? `Your first plan, ${keptPlanName}, stays active and nothing about it changes.` : '',
    ]
      .filter(Boolean)
      .join(' '),
    button: 'View billing',
  })
}

const duplicateFacts = (
  { planName, keptPlanName, refundedCents, currency }: Omit<DuplicateEmail, 'to' | 'publicUrl'>,
  newer: string,
): Fact[] => [
  [newer, planName],
  ['Refund', refundedCents > 0 ? formatMoney(refundedCents, currency) : 'None'],
  ...(keptPlanName ? [['Active plan', keptPlanName] as const] : []),
]

type DuplicateReport = DuplicateEmail & {
  /** `left_active`: the subscription also bills products that are not ours, so it was not canceled. */
  outcome: 'canceled' | 'left_active'
  subscriptionId: string
  memberEmail: string
  userId: string
}

/** To each admin, about every duplicate plan. */
export function duplicateReportEmail({
  outcome,
  memberEmail,
  subscriptionId,
  userId,
  ...email
}: DuplicateReport): Email {
  const { publicUrl, planName, keptPlanName, refundedCents, currency } = email
  const wasCanceled = outcome === 'canceled'
  const title = wasCanceled ? 'We canceled a duplicate plan' : 'A member is paying for two plans'
  const refund = refundedCents > 0 ? `refunded ${formatMoney(refundedCents, currency)}` : 'there was nothing to refund'
  const lead = wasCanceled
    ? `${memberEmail} had two plans at the same time. We canceled the newer one, ${planName}, and ${refund}. We emailed the member about it.`
    : `${memberEmail} has two plans at the same time. The newer one, ${planName}, also bills other products, so we didn’t cancel it. Decide in Stripe what to cancel and refund.`
  const duplicate = { planName, keptPlanName, refundedCents, currency }
  const blocks: EmailBlock[] = [
    { kind: 'text', text: lead },
    {
      kind: 'facts',
      facts: [
        ['Member', memberEmail],
        ...duplicateFacts(duplicate, wasCanceled ? 'Canceled plan' : 'Newer plan'),
        ['Stripe subscription', subscriptionId],
      ],
    },
    { kind: 'button', label: 'View member', href: `${publicUrl}/admin/members/${userId}` },
  ]
  const adminReason = `You get this email because you’re an admin of ${publication.name}.`
  const preview = wasCanceled
    ? `${memberEmail} had two. We emailed them about it.`
    : `${memberEmail}: decide in Stripe.`
  return {
    to: email.to,
    subject: title,
    ...renderEmail({ department: 'Admin', title, preview, blocks, reason: adminReason }),
  }
}

/** To a member whose free trial was canceled because the card already had one. */
export const trialRefusedEmail = (email: Omit<BillingEmail, 'price'>): Email =>
  billingEmail(email, {
    subject: `Your ${publication.name} trial didn’t start`,
    preview: 'The card was already used for one. You weren’t charged.',
    title: 'This card was already used for a free trial',
    lead: `We canceled your trial of ${email.planName} because your card was already used for one. You weren’t charged.`,
    more: 'You can start a plan without a trial anytime.',
    button: 'View plans',
    path: '/#pricing',
  })

type ComplimentaryAccessEmail = { to: string; publicUrl: string }

export const complimentaryAccessGrantedEmail = ({
  until,
  ...email
}: ComplimentaryAccessEmail & { until: Date }): Email =>
  billingEmail(email, {
    subject: `You have complimentary access to ${publication.name}`,
    preview: `Everything is open until ${formatDay(until)}, on us.`,
    title: 'You have complimentary access',
    lead: `You have full access to ${publication.name} until ${formatDay(until)}, on us.`,
    facts: [accessUntil(until)],
    more: 'You don’t need a plan, and you won’t be charged when it ends.',
    button: 'Open your portal',
    path: '/portal',
  })

export const complimentaryAccessEndedEmail = (email: ComplimentaryAccessEmail): Email =>
  billingEmail(email, {
    subject: `Your ${publication.name} access has ended`,
    preview: 'It was complimentary. If you also have a plan, it isn’t affected.',
    title: 'Your complimentary access has ended',
    lead: 'Your complimentary access has ended. If you also have a plan, it isn’t affected.',
    more: 'We keep your account and preferences.',
    button: 'View plans',
    path: '/#pricing',
  })

const halfYearMs = 183 * 24 * 60 * 60 * 1000
const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const lastMonth = (expiresAt: Date) => monthFormat.format(new Date(expiresAt.getTime() - 1))
