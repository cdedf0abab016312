import { formatDay, formatMoney } from '#shared/domain/format.ts'
import { spellCount } from '#shared/domain/format-count.ts'
import { unlimitedSeats } from '#shared/domain/plans.ts'
import type { Email } from '../mailer.ts'
import type { EmailConfig, Facts } from '../render-email.ts'
import { aboutAdmin, type ButtonTexts, emailKind, type ToReader, textEmail } from './email-texts.ts'

const reason = 'You get emails about your plan even if you’ve turned off our newsletters.'

/** `price`: "$10 per month", or null if it isn't known. */
export type BillingEmail = { to: string; planName: string; price: string | null; config: EmailConfig }

/** The button opens a page of ours, by default the billing page. The email contains no link to Stripe. */
export const billingEmail = emailKind<ButtonTexts, { facts?: Facts; path?: string }>(
  'Billing',
  { department: 'Billing', reason },
  (texts, { facts, path = '/account/billing' }, { publicUrl }) => [
    facts && Object.keys(facts).length > 0 && { kind: 'facts', facts },
    texts.more,
    { kind: 'button', label: texts.button, href: publicUrl + path },
  ],
)

/** Name and price, unless the plan is unknown. */
export const planFacts = ({ planName, price }: Pick<BillingEmail, 'planName' | 'price'>): Facts =>
  price ? { Plan: planName, Price: price } : {}

const accessUntil = (day: Date) => ({ 'Full access until': formatDay(day) })

export const paymentFailedEmail = billingEmail('payment-failed', 'Payment failed', {
  subject: 'Your {publication} payment failed',
  preview: 'We’ll try again. You keep full access until {date}.',
  title: 'Your payment failed',
  lead: 'We couldn’t charge your card for {plan}. You keep full access until {date}.',
  more: 'We’ll retry the payment over the next two weeks. To fix it now, update your card or pay again with the same one.',
  button: 'Update card',
})((email: BillingEmail & { accessUntil: Date }) => ({
  values: { plan: email.planName, date: formatDay(email.accessUntil) },
  facts: { ...planFacts(email), ...accessUntil(email.accessUntil) },
}))

export const invoiceOverdueEmail = billingEmail('invoice-overdue', 'Invoice overdue', {
  subject: 'Your {publication} invoice is overdue',
  preview: 'You keep full access until {date}.',
  title: 'Your invoice is overdue',
  lead: 'We haven’t received your payment for {plan}. You keep full access until {date}.',
  more: 'Pay the invoice by card or bank under Account > Billing. If your payment is on its way, you have nothing to do.',
  button: 'Pay the invoice',
})((email: BillingEmail & { accessUntil: Date }) => ({
  values: { plan: email.planName, date: formatDay(email.accessUntil) },
  facts: { ...planFacts(email), ...accessUntil(email.accessUntil) },
}))

/** A plan renews on one day or ends on one. */
export type PlanDates = { renewsAt: Date | null; endsAt: Date | null; isTrial: boolean }

/** One sentence about the next date; empty when there is none. */
export function nextDate({ renewsAt, endsAt, isTrial }: PlanDates): string {
  if (endsAt) return `It ends on ${formatDay(endsAt)}, and you won’t be charged again.`
  if (!renewsAt) return ''
  return isTrial
    ? `Your trial runs until ${formatDay(renewsAt)}. After that, your card is charged unless you cancel.`
    : `It renews on ${formatDay(renewsAt)}.`
}

/** The next date in a row of its own. */
export function dateFacts({ renewsAt, endsAt, isTrial }: PlanDates): Facts {
  if (endsAt) return { 'Ends on': formatDay(endsAt) }
  return renewsAt ? { [isTrial ? 'Trial until' : 'Renews on']: formatDay(renewsAt) } : {}
}

/** `seats`: of the plan, including the owner; 1 for one person. */
export type PlanEmail = BillingEmail & PlanDates & { seats: number }

export const planSwitchedEmail = billingEmail('plan-switched', 'Plan switched', {
  subject: 'You switched to {plan}',
  preview: '{nextDate} Any difference is on your invoice.',
  title: 'You’re on {plan}',
  lead: 'You switched from {formerPlan} to {plan}. {nextDate}',
  more: '{seats} Any difference for the current period is on your invoice.',
  button: 'View billing',
})((email: PlanEmail & { formerPlanName: string; losesSeats: boolean }) => {
  const seats =
    email.seats === unlimitedSeats
      ? 'You can now invite your whole team under Account > Team.'
      : email.seats > 1
        ? `You can now invite ${spellCount(email.seats - 1)} ${email.seats === 2 ? 'person' : 'people'} under Account > Team.`
        : email.losesSeats
          ? 'The people on your team no longer have access through your plan.'
          : ''
  const values = { plan: email.planName, formerPlan: email.formerPlanName, nextDate: nextDate(email), seats }
  return { values, facts: { ...planFacts(email), ...dateFacts(email) } }
})

export const seatsAddedEmail = billingEmail('seats-added', 'Seats added to a team', {
  subject: 'Your team has {seats} seats now',
  preview: 'The rest of this period is on your invoice.',
  title: 'Your team has {seats} seats',
  lead: 'You pay for {seats} seats of {plan}. {nextDate} The seats for the rest of this period are on your invoice.',
  button: 'Invite your team',
})((email: PlanEmail) => ({
  values: {
    plan: email.planName,
    seats: String(email.seats),
    nextDate: nextDate(email),
  },
  facts: { ...planFacts(email), ...dateFacts(email) },
  path: '/account/team',
}))

export const planCanceledEmail = billingEmail('plan-canceled', 'Plan canceled', {
  subject: 'Your {publication} plan is canceled',
  preview: 'You keep full access until {date}.',
  title: 'Your plan is canceled',
  lead: 'You canceled {plan}. You keep full access until {date}, and you won’t be charged again.',
  more: '{seats} Changed your mind? You can resume your plan until that day.',
  button: 'Resume plan',
})((email: PlanEmail & { endsAt: Date }) => ({
  values: {
    plan: email.planName,
    date: formatDay(email.endsAt),
    seats: email.seats > 1 ? 'The people on your team keep access until then, too.' : '',
  },
  facts: { Plan: email.planName, ...accessUntil(email.endsAt) },
}))

export const planResumedEmail = billingEmail('plan-resumed', 'Plan resumed', {
  subject: 'Your {publication} plan continues',
  preview: 'You resumed {plan}. {nextDate}',
  title: 'Your plan continues',
  lead: 'You resumed {plan}. {nextDate}',
  more: 'You can cancel anytime under Account > Billing.',
  button: 'View billing',
})((email: PlanEmail) => ({
  values: { plan: email.planName, nextDate: nextDate(email) },
  facts: { ...planFacts(email), ...dateFacts(email) },
}))

export type PauseDates = { pauseStartsAt: Date; pauseEndsAt: Date | null }

/** "until Mar 1, 2027"; empty for a pause without an end. */
const untilDay = (day: Date | null) => (day ? ` until ${formatDay(day)}` : '')

export const planPausedEmail = billingEmail('plan-paused', 'Plan paused', {
  subject: 'Your {publication} plan is paused{until}',
  preview: 'You keep full access until {date}.',
  title: 'Your plan is paused',
  lead: 'You paused {plan}{until}. You keep full access until {date}, the end of the time you paid for. After that, you aren’t charged until the pause ends.',
  more: '{seats} You can resume your plan anytime under Account > Billing.',
  button: 'View billing',
})(({ pauseStartsAt, pauseEndsAt, ...email }: PlanEmail & PauseDates) => ({
  values: {
    plan: email.planName,
    date: formatDay(pauseStartsAt),
    until: untilDay(pauseEndsAt),
    seats: email.seats > 1 ? 'The people on your team have access as long as you do.' : '',
  },
  facts: { ...planFacts(email), ...accessUntil(pauseStartsAt), 'Paused until': pauseEndsAt && formatDay(pauseEndsAt) },
}))

export const pauseEndingEmail = billingEmail('pause-ending-soon', 'Pause ends soon', {
  subject: 'Your {publication} plan continues on {date}',
  preview: 'Your card is charged again from that day.',
  title: 'Your plan continues soon',
  lead: 'The pause of {plan} ends on {date}. You have full access again from that day, and your card is charged for the next period.',
  more: 'Not coming back? Cancel under Account > Billing before that day, and you won’t be charged.',
  button: 'View billing',
})(({ pauseEndsAt, ...email }: BillingEmail & { pauseEndsAt: Date }) => ({
  values: { plan: email.planName, date: formatDay(pauseEndsAt) },
  facts: { ...planFacts(email), 'Continues on': formatDay(pauseEndsAt) },
}))

export const pauseEndedEmail = billingEmail('pause-ended', 'Pause ended', {
  subject: 'Your {publication} plan is active again',
  preview: '{plan} is no longer paused. {nextDate}',
  title: 'Your plan is active again',
  lead: '{plan} is no longer paused, and you have full access. {nextDate}',
  more: 'You can cancel anytime under Account > Billing.',
  button: 'Open your portal',
})((email: PlanEmail) => ({
  values: { plan: email.planName, nextDate: nextDate(email) },
  facts: { ...planFacts(email), ...dateFacts(email) },
  path: '/portal',
}))

export const planEndingSoonEmail = billingEmail('plan-ending-soon', 'Plan ends soon', {
  subject: 'Your {publication} plan ends on {date}',
  preview: 'Changed your mind? You can resume it until that day.',
  title: 'Your plan ends soon',
  lead: 'You canceled {plan}. You keep full access until {date}, and you won’t be charged again.',
  more: 'Changed your mind? You can resume your plan until that day.',
  button: 'Resume plan',
})((email: BillingEmail & { endsAt: Date }) => ({
  values: { plan: email.planName, date: formatDay(email.endsAt) },
  facts: { Plan: email.planName, ...accessUntil(email.endsAt) },
}))

export const planEndedEmail = billingEmail('plan-ended', 'Plan ended', {
  subject: 'Your {publication} plan has ended',
  preview: 'You won’t be charged again. We keep your account and preferences.',
  title: 'Your plan has ended',
  lead: 'Your {plan} plan has ended, and you won’t be charged again.',
  more: 'We keep your account and preferences. Thanks for reading. You’re always welcome back.',
  button: 'View plans',
})((email: BillingEmail) => ({ values: { plan: email.planName }, path: '/#pricing' }))

export const planReactivatedEmail = billingEmail('plan-reactivated', 'Plan active again', {
  subject: 'Your {publication} plan is active again',
  preview: 'Your payment for {plan} went through.',
  title: 'Your plan is active again',
  lead: 'Your payment for {plan} went through, and you have full access again.',
  button: 'View billing',
})((email: BillingEmail) => ({ values: { plan: email.planName } }))

/** `cardExpiresAt`: midnight UTC after the last month in which the card is valid. */
export const cardExpiringEmail = billingEmail('card-expiring', 'Card expires soon', {
  subject: 'Your card for {publication} expires soon',
  preview: 'Update it by the end of {month} to keep your access.',
  title: 'Your card expires soon',
  lead: 'The card on file for {plan} expires at the end of {month}.',
  more: 'Update it before your next payment to keep your access.',
  button: 'Update card',
})((email: BillingEmail & { cardExpiresAt: Date }) => ({
  values: { plan: email.planName, month: lastMonth(email.cardExpiresAt) },
  facts: { ...planFacts(email), 'Card valid until': lastMonth(email.cardExpiresAt) },
}))

export const trialEndingEmail = billingEmail('trial-ending', 'Trial ends soon', {
  subject: 'Your {publication} trial ends on {date}',
  preview: 'After that, your card is charged unless you cancel.',
  title: 'Your trial ends soon',
  lead: 'Your trial of {plan} ends on {date}. After that, your plan starts and your card is charged.',
  more: 'If it’s not for you, cancel before that day and you won’t be charged for the plan.',
  button: 'View billing',
})((email: BillingEmail & { endsAt: Date }) => ({
  values: { plan: email.planName, date: formatDay(email.endsAt) },
  facts: { ...planFacts(email), 'Trial until': formatDay(email.endsAt) },
}))

/** Texts of amounts: what twelve months brought, and the price of the next. */
type RenewalReceipt = { worth: string; price: string; isBelow: boolean; offer: boolean }

const receiptText = ({ worth, price, isBelow, offer }: RenewalReceipt): string => {
  if (!isBelow) return `Your receipt adds up to ${worth}, against ${price} for the next year.`
  const offered = offer ? ' A month is on us: take it on the receipt’s page before the plan renews.' : ''
  return `By what you entered, the last twelve months brought ${worth}, less than the ${price} for the next year.${offered}`
}

/** The value page shows the year that most of the paid period lies in. */
export const renewingSoonEmail = billingEmail('renewing-soon', 'Plan renews soon', {
  subject: 'Your {publication} plan renews on {date}',
  preview: 'See what you tried in {year}, compared with what you paid.',
  title: 'Your plan renews soon',
  lead: '{plan} renews on {date}, and your card is charged for another year.',
  more: '{receipt}See what you tried in {year} and what it added up to, compared with what you paid. To change or cancel your plan before that day, go to Account > Billing.',
  button: 'See your {year}',
})((email: BillingEmail & { renewsAt: Date; receipt: RenewalReceipt | null }) => {
  const { receipt } = email
  const year = new Date(email.renewsAt.getTime() - halfYearMs).getUTCFullYear()
  return {
    values: {
      ...{ plan: email.planName, date: formatDay(email.renewsAt), year: String(year) },
      receipt: receipt ? `${receiptText(receipt)} ` : '',
    },
    facts: {
      ...planFacts(email),
      'Renews on': formatDay(email.renewsAt),
      ...(receipt && { 'Your receipt of twelve months': receipt.worth }),
    },
    path: receipt ? '/portal/receipt' : `/portal/value?year=${year}`,
  }
})

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

/** To the member whose second plan was canceled. */
export const duplicateCanceledEmail = billingEmail('duplicate-canceled', 'Duplicate plan canceled', {
  subject: 'We canceled a duplicate {publication} plan',
  preview: '{refundInShort}',
  title: 'We canceled your duplicate plan',
  lead: 'You had two {publication} plans at the same time. We canceled the newer one, {plan}, and {refund}.',
  more: '{refundTime} {keptPlan}',
  button: 'View billing',
})(({ planName, keptPlanName, refundedCents, currency }: DuplicateEmail) => {
  const isRefunded = refundedCents > 0
  const amount = formatMoney(refundedCents, currency)
  return {
    values: {
      plan: planName,
      refund: isRefunded ? `refunded the ${amount} you paid for it` : 'you weren’t charged for it',
      refundInShort: isRefunded ? `We refunded ${amount}.` : 'You weren’t charged for it.',
      refundTime: isRefunded ? 'Refunds usually reach your card within 5 to 10 days.' : '',
      keptPlan: keptPlanName ? `Your first plan, ${keptPlanName}, stays active and nothing about it changes.` : '',
    },
    facts: duplicateFacts({ planName, keptPlanName, refundedCents, currency }, 'Canceled plan'),
  }
})

const duplicateFacts = (
  { planName, keptPlanName, refundedCents, currency }: Omit<DuplicateEmail, 'to' | 'config'>,
  newer: string,
): Facts => ({
  [newer]: planName,
  Refund: refundedCents > 0 ? formatMoney(refundedCents, currency) : 'None',
  'Active plan': keptPlanName,
})

type DuplicateReport = DuplicateEmail & {
  /** `left_active`: the subscription also bills products that are not ours, so it was not canceled. */
  outcome: 'canceled' | 'left_active'
  subscriptionId: string
  memberEmail: string
  userId: string
}

/** To each admin, about every duplicate plan. */
export function duplicateReportEmail({ to, config, ...duplicate }: DuplicateReport): Email {
  const { outcome, memberEmail, subscriptionId, userId, planName, refundedCents, currency } = duplicate
  const wasCanceled = outcome === 'canceled'
  const subject = wasCanceled ? 'We canceled a duplicate plan' : 'A member is paying for two plans'
  const refund = refundedCents > 0 ? `refunded ${formatMoney(refundedCents, currency)}` : 'there was nothing to refund'
  const lead = wasCanceled
    ? `${memberEmail} had two plans at the same time. We canceled the newer one, ${planName}, and ${refund}. We emailed the member about it.`
    : `${memberEmail} has two plans at the same time. The newer one, ${planName}, also bills other products, so we didn’t cancel it. Decide in Stripe what to cancel and refund.`
  const preview = wasCanceled
    ? `${memberEmail} had two. We emailed them about it.`
    : `${memberEmail}: decide in Stripe.`
  const facts = {
    Member: memberEmail,
    ...duplicateFacts(duplicate, wasCanceled ? 'Canceled plan' : 'Newer plan'),
    'Stripe subscription': subscriptionId,
  }
  return textEmail({ to, config }, aboutAdmin(config), { subject, preview, lead }, [
    { kind: 'facts', facts },
    { kind: 'button', label: 'View member', href: `${config.publicUrl}/admin/members/${userId}` },
  ])
}

/** `otherAddress` is masked. */
export const sameCardEmail = billingEmail('same-card', 'Two plans on one card', {
  subject: 'Are you paying for {publication} twice?',
  preview: 'Your card also pays for a plan of another account.',
  title: 'Your card pays for two plans',
  lead: 'The card that pays for your plan also pays for one under another email address, {otherAddress}.',
  more: 'If both are yours, cancel the one you don’t need under Account > Billing and reply to this email, so that we can refund it. If the other one belongs to someone you share the card with, everything is fine.',
  button: 'View billing',
})(({ otherAddress }: ToReader & { otherAddress: string }) => ({ values: { otherAddress } }))

/** To a member whose trial was canceled because the card already had one. */
export const trialRefusedEmail = billingEmail('trial-refused', 'Trial not started', {
  subject: 'Your {publication} trial didn’t start',
  preview: 'The card was already used for one. You don’t pay for it.',
  title: 'This card was already used for a trial',
  lead: 'We canceled your trial of {plan} because your card was already used for one. You don’t pay for it: if it had a price, we’ve refunded it.',
  more: 'You can start a plan without a trial anytime.',
  button: 'View plans',
})((email: Omit<BillingEmail, 'price'>) => ({ values: { plan: email.planName }, path: '/#pricing' }))

export const complimentaryAccessGrantedEmail = billingEmail('complimentary-access-granted', 'Complimentary access', {
  subject: 'You have complimentary access to {publication}',
  preview: 'Everything is open until {date}, on us.',
  title: 'You have complimentary access',
  lead: 'You have full access to {publication} until {date}, on us.',
  more: 'You don’t need a plan, and you won’t be charged when it ends.',
  button: 'Open your portal',
})(({ until }: ToReader & { until: Date }) => ({
  values: { date: formatDay(until) },
  facts: { ...accessUntil(until) },
  path: '/portal',
}))

export const complimentaryAccessEndedEmail = billingEmail('complimentary-access-ended', 'Complimentary access ended', {
  subject: 'Your {publication} access has ended',
  preview: 'It was complimentary. If you also have a plan, it isn’t affected.',
  title: 'Your complimentary access has ended',
  lead: 'Your complimentary access has ended. If you also have a plan, it isn’t affected.',
  more: 'We keep your account and preferences.',
  button: 'View plans',
})(() => ({ path: '/#pricing' }))

const halfYearMs = 183 * 24 * 60 * 60 * 1000
const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const lastMonth = (expiresAt: Date) => monthFormat.format(new Date(expiresAt.getTime() - 1))

export const discountEndingEmail = billingEmail('discount-ending', 'Discount ends soon', {
  subject: 'Your discount ends on {date}',
  preview: 'From then on you pay {price}.',
  title: 'Your discount ends soon',
  lead: 'The discount on {plan} ends on {date}. From the next payment after that day, you pay {price}, until you cancel.',
  more: 'To cancel, open Account > Billing and choose Cancel plan. You keep access for the time you paid for.',
  button: 'View billing',
})((email: BillingEmail & { endsAt: Date }) => ({
  values: { plan: email.planName, date: formatDay(email.endsAt), price: email.price ?? 'the regular price' },
  facts: { ...planFacts(email), 'Discount until': formatDay(email.endsAt) },
}))

export const yearlyReminderEmail = billingEmail('yearly-reminder', 'Yearly reminder of a plan', {
  subject: 'Your {publication} plan: a yearly reminder',
  preview: 'What it costs and how to cancel.',
  title: 'Your plan renews automatically',
  lead: 'You’ve had {plan} since {date}. It costs {price} and renews automatically until you cancel. {nextDate}',
  more: 'To cancel, open Account > Billing and choose Cancel plan. You keep access for the time you paid for.',
  button: 'View billing',
})((email: PlanEmail & { startedAt: Date }) => ({
  values: {
    plan: email.planName,
    date: formatDay(email.startedAt),
    price: email.price ?? 'the price on your invoices',
    nextDate: nextDate(email),
  },
  facts: { ...planFacts(email), ...dateFacts(email) },
}))
