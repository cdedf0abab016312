import { formatMoney } from '#shared/domain/format-money.ts'
import type { Email } from '../mailer.ts'
import type { EmailConfig } from '../render-email.ts'
import { defineEmailTexts, textEmail } from './email-texts.ts'

const section = 'Referrals'
const reason = 'You get emails about your plan even if you’ve turned off our newsletters.'

type ToMember = { to: string; config: EmailConfig }
type Credit = ToMember & { cents: number; currency: string }

const referralEmail = (email: ToMember, texts: Parameters<typeof textEmail>[2] & { button: string }): Email =>
  textEmail(email, { department: 'Billing', reason }, texts, [
    { kind: 'button', label: texts.button, href: `${email.config.publicUrl}/account/billing` },
  ])

const thanksTexts = defineEmailTexts(section, 'referral-thanks', 'A free month for an invitation', {
  subject: 'You get a free month: {amount} of credit',
  preview: 'Someone you invited became a member.',
  title: 'Thank you for the invitation',
  lead: 'Someone you invited became a member of {publication}. Your free month is a credit of {amount}, which pays for your next renewals.',
  button: 'View your plan',
})

export const referralThanksEmail = (given: Credit): Email =>
  referralEmail(given, thanksTexts(given.config, { amount: formatMoney(given.cents, given.currency) }))

const welcomeTexts = defineEmailTexts(section, 'referral-welcome', 'A free month for a new member', {
  subject: 'Your free month: {amount} of credit',
  preview: 'A member invited you.',
  title: 'You have a free month',
  lead: 'You joined {publication} through a member’s invitation. Your free month is a credit of {amount}, which pays for your next renewals.',
  button: 'View your plan',
})

export const referralWelcomeEmail = (given: Credit): Email =>
  referralEmail(given, welcomeTexts(given.config, { amount: formatMoney(given.cents, given.currency) }))

const withdrawnTexts = defineEmailTexts(section, 'referral-withdrawn', 'A free month was taken back', {
  subject: 'Your free month was taken back',
  preview: 'The payment it was for was refunded or disputed.',
  title: 'Your free month was taken back',
  lead: 'The new member’s first payment was refunded or disputed, so we took back what was left of the credit for it. A month you’ve already used stays free.',
  button: 'View your plan',
})

export const referralWithdrawnEmail = (given: ToMember): Email => referralEmail(given, withdrawnTexts(given.config))

const restoredTexts = defineEmailTexts(section, 'referral-restored', 'A free month was given back', {
  subject: 'Your free month is back',
  preview: 'The dispute about the payment is settled.',
  title: 'Your free month is back',
  lead: 'The dispute about the new member’s first payment is settled, so the credit that we took back is yours again. It pays for your next renewals.',
  button: 'View your plan',
})

export const referralRestoredEmail = (given: ToMember): Email => referralEmail(given, restoredTexts(given.config))
