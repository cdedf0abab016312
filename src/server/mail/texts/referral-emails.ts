import { formatMoney } from '#shared/domain/format.ts'
import { type ButtonTexts, emailKind, type ToReader } from './email-texts.ts'

type Credit = ToReader & { cents: number; currency: string }

const amountOf = ({ cents, currency }: Credit) => ({ values: { amount: formatMoney(cents, currency) } })

const referralEmail = emailKind<ButtonTexts, object>(
  'Referrals',
  { department: 'Billing', reason: 'You get emails about your plan even if you’ve turned off our newsletters.' },
  (texts, _more, { publicUrl }) => [{ kind: 'button', label: texts.button, href: `${publicUrl}/account/billing` }],
)

export const referralThanksEmail = referralEmail('referral-thanks', 'A free month for an invitation', {
  subject: 'You get a free month: {amount} of credit',
  preview: 'Someone you invited became a member.',
  title: 'Thank you for the invitation',
  lead: 'Someone you invited became a member of {publication}. Your free month is a credit of {amount}, which pays for your next renewals.',
  button: 'View your plan',
})(amountOf)

export const referralWelcomeEmail = referralEmail('referral-welcome', 'A free month for a new member', {
  subject: 'Your free month: {amount} of credit',
  preview: 'A member invited you.',
  title: 'You have a free month',
  lead: 'You joined {publication} through a member’s invitation. Your free month is a credit of {amount}, which pays for your next renewals.',
  button: 'View your plan',
})(amountOf)

export const referralWithdrawnEmail = referralEmail('referral-withdrawn', 'A free month was taken back', {
  subject: 'Your free month was taken back',
  preview: 'The payment it was for was refunded or disputed.',
  title: 'Your free month was taken back',
  lead: 'The new member’s first payment was refunded or disputed, so we took back what was left of the credit for it. A month you’ve already used stays free.',
  button: 'View your plan',
})(() => ({}))

export const referralRestoredEmail = referralEmail('referral-restored', 'A free month was given back', {
  subject: 'Your free month is back',
  preview: 'The dispute about the payment is settled.',
  title: 'Your free month is back',
  lead: 'The dispute about the new member’s first payment is settled, so the credit that we took back is yours again. It pays for your next renewals.',
  button: 'View your plan',
})(() => ({}))
