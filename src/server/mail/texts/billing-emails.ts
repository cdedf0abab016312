import { spellCount } from '#shared/domain/format-count.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { formatMoney } from '#shared/domain/format-money.ts'
import type { Email } from '../mailer.ts'
import type { EmailConfig, Fact } from '../render-email.ts'
import { defineEmailTexts, textEmail } from './email-texts.ts'

const section = 'Billing'
const reason = 'You get emails about your plan even if you’ve turned off our newsletters.'

/** `price`: "$10 per month", or null if it isn't known. */
export type BillingEmail = { to: string; planName: string; price: string | null; config: EmailConfig }

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

/** The button opens a page of ours, by default the billing page. The email contains no link to Stripe. */
export const billingEmail = (email: Pick<BillingEmail, 'to' | 'config'>, text: BillingText): Email =>
  textEmail(email, { department: 'Billing', reason }, text, [
    text.facts && text.facts.length > 0 && { kind: 'facts', facts: text.facts },
    text.more && { kind: 'text', text: text.more },
    { kind: 'button', label: text.button, href: `${email.config.publicUrl}${text.path ?? '/account/billing'}` },
  ])

/** Name and price, unless the plan is unknown. */
export const planFacts = ({ planName, price }: Pick<BillingEmail, 'planName' | 'price'>): Fact[] =>
  price
    ? [
        ['Plan', planName],
        ['Price', price],
      ]
    : []

const accessUntil = (day: Date): Fact => ['Full access until', formatDay(day)]

const paymentFailedTexts = defineEmailTexts(section, 'payment-failed', 'Payment failed', {
  subject: 'Your {publication} payment failed',
  preview: 'We’ll try again. You keep full access until {date}.',
  title: 'Your payment failed',
  lead: 'We couldn’t charge your card for {plan}. You keep full access until {date}.',
  more: 'We’ll retry the payment over the next two weeks. To fix it now, update your card or pay again with the same one.',
  button: 'Update card',
})

export const paymentFailedEmail = (email: BillingEmail & { accessUntil: Date }): Email =>
  billingEmail(email, {
    ...paymentFailedTexts(email.config, { plan: email.planName, date: formatDay(email.accessUntil) }),
    facts: [...planFacts(email), accessUntil(email.accessUntil)],
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

/** `seats`: of the plan, including the owner; 1 for one person. */
export type PlanEmail = BillingEmail & PlanDates & { seats: number }

const planSwitchedTexts = defineEmailTexts(section, 'plan-switched', 'Plan switched', {
  subject: 'You switched to {plan}',
  preview: '{nextDate} Any difference is on your invoice.',
  title: 'You’re on {plan}',
  lead: 'You switched from {formerPlan} to {plan}. {nextDate}',
  more: '{seats} Any difference for the current period is on your invoice.',
  button: 'View billing',
})

export const planSwitchedEmail = (email: PlanEmail & { formerPlanName: string; losesSeats: boolean }): Email => {
  const seats =
    email.seats > 1
      ? `You can now invite ${spellCount(email.seats - 1)} ${email.seats === 2 ? 'person' : 'people'} under Account > Team.`
      : email.losesSeats
        ? 'The people on your team no longer have access through your plan.'
        : ''
  const values = { plan: email.planName, formerPlan: email.formerPlanName, nextDate: nextDate(email), seats }
  return billingEmail(email, {
    ...planSwitchedTexts(email.config, values),
    facts: [...planFacts(email), ...dateFacts(email)],
  })
}

const seatsAddedTexts = defineEmailTexts(section, 'seats-added', 'Seats added to a team', {
  subject: 'Your team has {seats} seats now',
  preview: 'The rest of this period is on your invoice.',
  title: 'Your team has {seats} seats',
  lead: 'You pay for {seats} seats of {plan}. {nextDate} The seats for the rest of this period are on your invoice.',
  button: 'Invite your team',
})

export const seatsAddedEmail = (email: PlanEmail): Email =>
  billingEmail(email, {
    ...seatsAddedTexts(email.config, {
      plan: email.planName,
      seats: String(email.seats),
      nextDate: nextDate(email),
    }),
    facts: [...planFacts(email), ...dateFacts(email)],
    path: '/account/team',
  })

const planCanceledTexts = defineEmailTexts(section, 'plan-canceled', 'Plan canceled', {
  subject: 'Your {publication} plan is canceled',
  preview: 'You keep full access until {date}.',
  title: 'Your plan is canceled',
  lead: 'You canceled {plan}. You keep full access until {date}, and you won’t be charged again.',
  more: '{seats} Changed your mind? You can resume your plan until that day.',
  button: 'Resume plan',
})

export const planCanceledEmail = (email: PlanEmail & { endsAt: Date }): Email =>
  billingEmail(email, {
    ...planCanceledTexts(email.config, {
      plan: email.planName,
      date: formatDay(email.endsAt),
      seats: email.seats > 1 ? 'The people on your team keep access until then, too.' : '',
    }),
    facts: [['Plan', email.planName], accessUntil(email.endsAt)],
  })

const planResumedTexts = defineEmailTexts(section, 'plan-resumed', 'Plan resumed', {
  subject: 'Your {publication} plan continues',
  preview: 'You resumed {plan}. {nextDate}',
  title: 'Your plan continues',
  lead: 'You resumed {plan}. {nextDate}',
  more: 'You can cancel anytime under Account > Billing.',
  button: 'View billing',
})

export const planResumedEmail = (email: PlanEmail): Email =>
  billingEmail(email, {
    ...planResumedTexts(email.config, { plan: email.planName, nextDate: nextDate(email) }),
    facts: [...planFacts(email), ...dateFacts(email)],
  })

export type PauseDates = { pauseStartsAt: Date; pauseEndsAt: Date | null }

/** "until Mar 1, 2027"; empty for a pause without an end. */
const untilDay = (day: Date | null) => (day ? ` until ${formatDay(day)}` : '')

const planPausedTexts = defineEmailTexts(section, 'plan-paused', 'Plan paused', {
  subject: 'Your {publication} plan is paused{until}',
  preview: 'You keep full access until {date}.',
  title: 'Your plan is paused',
  lead: 'You paused {plan}{until}. You keep full access until {date}, the end of the time you paid for. After that, you aren’t charged until the pause ends.',
  more: '{seats} You can resume your plan anytime under Account > Billing.',
  button: 'View billing',
})

export const planPausedEmail = ({ pauseStartsAt, pauseEndsAt, ...email }: PlanEmail & PauseDates): Email =>
  billingEmail(email, {
    ...planPausedTexts(email.config, {
      plan: email.planName,
      date: formatDay(pauseStartsAt),
      until: untilDay(pauseEndsAt),
      seats: email.seats > 1 ? 'The people on your team have access as long as you do.' : '',
    }),
    facts: [
      ...planFacts(email),
      accessUntil(pauseStartsAt),
      ...(pauseEndsAt ? ([['Paused until', formatDay(pauseEndsAt)]] as const) : []),
    ],
  })

const pauseEndingTexts = defineEmailTexts(section, 'pause-ending-soon', 'Pause ends soon', {
  subject: 'Your {publication} plan continues on {date}',
  preview: 'Your card is charged again from that day.',
  title: 'Your plan continues soon',
  lead: 'The pause of {plan} ends on {date}. You have full access again from that day, and your card is charged for the next month.',
  more: 'Not coming back? Cancel under Account > Billing before that day, and you won’t be charged.',
  button: 'View billing',
})

export const pauseEndingEmail = ({ pauseEndsAt, ...email }: BillingEmail & { pauseEndsAt: Date }): Email =>
  billingEmail(email, {
    ...pauseEndingTexts(email.config, { plan: email.planName, date: formatDay(pauseEndsAt) }),
    facts: [...planFacts(email), ['Continues on', formatDay(pauseEndsAt)]],
  })

const pauseEndedTexts = defineEmailTexts(section, 'pause-ended', 'Pause ended', {
  subject: 'Your {publication} plan is active again',
  preview: '{plan} is no longer paused. {nextDate}',
  title: 'Your plan is active again',
  lead: '{plan} is no longer paused, and you have full access. {nextDate}',
  more: 'You can cancel anytime under Account > Billing.',
  button: 'Open your portal',
})

export const pauseEndedEmail = (email: PlanEmail): Email =>
  billingEmail(email, {
    ...pauseEndedTexts(email.config, { plan: email.planName, nextDate: nextDate(email) }),
    facts: [...planFacts(email), ...dateFacts(email)],
    path: '/portal',
  })

const planEndingSoonTexts = defineEmailTexts(section, 'plan-ending-soon', 'Plan ends soon', {
  subject: 'Your {publication} plan ends on {date}',
  preview: 'Changed your mind? You can resume it until that day.',
  title: 'Your plan ends soon',
  lead: 'You canceled {plan}. You keep full access until {date}, and you won’t be charged again.',
  more: 'Changed your mind? You can resume your plan until that day.',
  button: 'Resume plan',
})

export const planEndingSoonEmail = (email: BillingEmail & { endsAt: Date }): Email =>
  billingEmail(email, {
    ...planEndingSoonTexts(email.config, { plan: email.planName, date: formatDay(email.endsAt) }),
    facts: [['Plan', email.planName], accessUntil(email.endsAt)],
  })

const planEndedTexts = defineEmailTexts(section, 'plan-ended', 'Plan ended', {
  subject: 'Your {publication} plan has ended',
  preview: 'You won’t be charged again. We keep your account and preferences.',
  title: 'Your plan has ended',
  lead: 'Your {plan} plan has ended, and you won’t be charged again.',
  more: 'We keep your account and preferences. Thanks for reading. You’re always welcome back.',
  button: 'View plans',
})

export const planEndedEmail = (email: BillingEmail): Email =>
  billingEmail(email, { ...planEndedTexts(email.config, { plan: email.planName }), path: '/#pricing' })

const planReactivatedTexts = defineEmailTexts(section, 'plan-reactivated', 'Plan active again', {
  subject: 'Your {publication} plan is active again',
  preview: 'Your payment for {plan} went through.',
  title: 'Your plan is active again',
  lead: 'Your payment for {plan} went through, and you have full access again.',
  button: 'View billing',
})

export const planReactivatedEmail = (email: BillingEmail): Email =>
  billingEmail(email, planReactivatedTexts(email.config, { plan: email.planName }))

const cardExpiringTexts = defineEmailTexts(section, 'card-expiring', 'Card expires soon', {
  subject: 'Your card for {publication} expires soon',
  preview: 'Update it by the end of {month} to keep your access.',
  title: 'Your card expires soon',
  lead: 'The card on file for {plan} expires at the end of {month}.',
  more: 'Update it before your next payment to keep your access.',
  button: 'Update card',
})

/** `cardExpiresAt`: midnight UTC after the last month in which the card is valid. */
export const cardExpiringEmail = (email: BillingEmail & { cardExpiresAt: Date }): Email =>
  billingEmail(email, {
    ...cardExpiringTexts(email.config, { plan: email.planName, month: lastMonth(email.cardExpiresAt) }),
    facts: [...planFacts(email), ['Card valid until', lastMonth(email.cardExpiresAt)]],
  })

const trialEndingTexts = defineEmailTexts(section, 'trial-ending', 'Trial ends soon', {
  subject: 'Your {publication} trial ends on {date}',
  preview: 'After that, your card is charged unless you cancel.',
  title: 'Your trial ends soon',
  lead: 'Your free trial of {plan} ends on {date}. After that, your plan starts and your card is charged.',
  more: 'If it’s not for you, cancel before that day and you won’t be charged.',
  button: 'View billing',
})

export const trialEndingEmail = (email: BillingEmail & { endsAt: Date }): Email =>
  billingEmail(email, {
    ...trialEndingTexts(email.config, { plan: email.planName, date: formatDay(email.endsAt) }),
    facts: [...planFacts(email), ['Free until', formatDay(email.endsAt)]],
  })

const renewingSoonTexts = defineEmailTexts(section, 'renewing-soon', 'Plan renews soon', {
  subject: 'Your {publication} plan renews on {date}',
  preview: 'See what you tried in {year}, compared with what you paid.',
  title: 'Your plan renews soon',
  lead: '{plan} renews on {date}, and your card is charged for another year.',
  more: 'See what you tried in {year} and what it added up to, compared with what you paid. To change or cancel your plan before that day, go to Account > Billing.',
  button: 'See your {year}',
})

/** The value page shows the year that most of the paid period lies in. */
export const renewingSoonEmail = (email: BillingEmail & { renewsAt: Date }): Email => {
  const year = new Date(email.renewsAt.getTime() - halfYearMs).getUTCFullYear()
  return billingEmail(email, {
    ...renewingSoonTexts(email.config, { plan: email.planName, date: formatDay(email.renewsAt), year: String(year) }),
    facts: [...planFacts(email), ['Renews on', formatDay(email.renewsAt)]],
    path: `/portal/value?year=${year}`,
  })
}

type DuplicateEmail = {
  to: string
  config: EmailConfig
  planName: string
  /** Null when no other plan is active anymore. */
  keptPlanName: string | null
  /** Smallest units of the currency. */
  refundedCents: number
  currency: string
}

const duplicateCanceledTexts = defineEmailTexts(section, 'duplicate-canceled', 'Duplicate plan canceled', {
  subject: 'We canceled a duplicate {publication} plan',
  preview: '{refundInShort}',
  title: 'We canceled your duplicate plan',
  lead: 'You had two {publication} plans at the same time. We canceled the newer one, {plan}, and {refund}.',
  more: '{refundTime} {keptPlan}',
  button: 'View billing',
})

/** To the member whose second plan was canceled. */
export const duplicateCanceledEmail = ({ planName, keptPlanName, ...email }: DuplicateEmail): Email => {
  const { refundedCents, currency } = email
  const isRefunded = refundedCents > 0
  const amount = formatMoney(refundedCents, currency)
  return billingEmail(email, {
    ...duplicateCanceledTexts(email.config, {
      plan: planName,
      refund: isRefunded ? `refunded the ${amount} you paid for it` : 'you weren’t charged for it',
      refundInShort: isRefunded ? `We refunded ${amount}.` : 'You weren’t charged for it.',
      refundTime: isRefunded ? 'Refunds usually reach your card within 5 to 10 days.' : '',
      keptPlan: keptPlanName ? `Your first plan, ${keptPlanName}, stays active and nothing about it changes.` : '',
    }),
    facts: duplicateFacts({ planName, keptPlanName, refundedCents, currency }, 'Canceled plan'),
  })
}

const duplicateFacts = (
  { planName, keptPlanName, refundedCents, currency }: Omit<DuplicateEmail, 'to' | 'config'>,
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
  const { to, config, planName, keptPlanName, refundedCents, currency } = email
  const wasCanceled = outcome === 'canceled'
  const subject = wasCanceled ? 'We canceled a duplicate plan' : 'A member is paying for two plans'
  const refund = refundedCents > 0 ? `refunded ${formatMoney(refundedCents, currency)}` : 'there was nothing to refund'
  const lead = wasCanceled
    ? `${memberEmail} had two plans at the same time. We canceled the newer one, ${planName}, and ${refund}. We emailed the member about it.`
    : `${memberEmail} has two plans at the same time. The newer one, ${planName}, also bills other products, so we didn’t cancel it. Decide in Stripe what to cancel and refund.`
  const duplicate = { planName, keptPlanName, refundedCents, currency }
  const adminReason = `You get this email because you’re an admin of ${config.settings.publication.name}.`
  const preview = wasCanceled
    ? `${memberEmail} had two. We emailed them about it.`
    : `${memberEmail}: decide in Stripe.`
  return textEmail({ to, config }, { department: 'Admin', reason: adminReason }, { subject, preview, lead }, [
    {
      kind: 'facts',
      facts: [
        ['Member', memberEmail],
        ...duplicateFacts(duplicate, wasCanceled ? 'Canceled plan' : 'Newer plan'),
        ['Stripe subscription', subscriptionId],
      ],
    },
    { kind: 'button', label: 'View member', href: `${config.publicUrl}/admin/members/${userId}` },
  ])
}

const sameCardTexts = defineEmailTexts(section, 'same-card', 'Two plans on one card', {
  subject: 'Are you paying for {publication} twice?',
  preview: 'Your card also pays for a plan of another account.',
  title: 'Your card pays for two plans',
  lead: 'The card that pays for your plan also pays for one under another email address, {otherAddress}.',
  more: 'If both are yours, cancel the one you don’t need under Account > Billing and reply to this email, so that we can refund it. If the other one belongs to someone you share the card with, everything is fine.',
  button: 'View billing',
})

export const sameCardEmail = ({
  otherAddress,
  ...email
}: {
  to: string
  config: EmailConfig
  /** Masked. */
  otherAddress: string
}): Email => billingEmail(email, sameCardTexts(email.config, { otherAddress }))

const trialRefusedTexts = defineEmailTexts(section, 'trial-refused', 'Trial not started', {
  subject: 'Your {publication} trial didn’t start',
  preview: 'The card was already used for one. You weren’t charged.',
  title: 'This card was already used for a free trial',
  lead: 'We canceled your trial of {plan} because your card was already used for one. You weren’t charged.',
  more: 'You can start a plan without a trial anytime.',
  button: 'View plans',
})

/** To a member whose free trial was canceled because the card already had one. */
export const trialRefusedEmail = (email: Omit<BillingEmail, 'price'>): Email =>
  billingEmail(email, { ...trialRefusedTexts(email.config, { plan: email.planName }), path: '/#pricing' })

type ComplimentaryAccessEmail = { to: string; config: EmailConfig }

const accessGrantedTexts = defineEmailTexts(section, 'complimentary-access-granted', 'Complimentary access', {
  subject: 'You have complimentary access to {publication}',
  preview: 'Everything is open until {date}, on us.',
  title: 'You have complimentary access',
  lead: 'You have full access to {publication} until {date}, on us.',
  more: 'You don’t need a plan, and you won’t be charged when it ends.',
  button: 'Open your portal',
})

export const complimentaryAccessGrantedEmail = ({
  until,
  ...email
}: ComplimentaryAccessEmail & { until: Date }): Email =>
  billingEmail(email, {
    ...accessGrantedTexts(email.config, { date: formatDay(until) }),
    facts: [accessUntil(until)],
    path: '/portal',
  })

const accessEndedTexts = defineEmailTexts(section, 'complimentary-access-ended', 'Complimentary access ended', {
  subject: 'Your {publication} access has ended',
  preview: 'It was complimentary. If you also have a plan, it isn’t affected.',
  title: 'Your complimentary access has ended',
  lead: 'Your complimentary access has ended. If you also have a plan, it isn’t affected.',
  more: 'We keep your account and preferences.',
  button: 'View plans',
})

export const complimentaryAccessEndedEmail = (email: ComplimentaryAccessEmail): Email =>
  billingEmail(email, { ...accessEndedTexts(email.config), path: '/#pricing' })

const halfYearMs = 183 * 24 * 60 * 60 * 1000
const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const lastMonth = (expiresAt: Date) => monthFormat.format(new Date(expiresAt.getTime() - 1))
