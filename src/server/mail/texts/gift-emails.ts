import { formatDay, formatMoney } from '#shared/domain/format.ts'
import { breakLinks } from '../break-links.ts'
import type { Facts } from '../render-email.ts'
import { type ButtonTexts, emailKind, type ToReader } from './email-texts.ts'

type More = { link: string } | { path: string }

const giftEmails = (reason: string) =>
  emailKind<ButtonTexts, More & { facts?: Facts; message?: string }>(
    'Gifts',
    { department: 'Billing', reason },
    (texts, { facts, message = '', ...to }, { publicUrl }) => [
      ...message.split(/\n+/),
      facts && { kind: 'facts', facts },
      { kind: 'button', label: texts.button, href: 'link' in to ? to.link : publicUrl + to.path },
      texts.more && { kind: 'note', text: texts.more },
    ],
  )

const giverEmail = giftEmails('You get this email because you bought a gift. It isn’t a newsletter.')
const recipientEmail = giftEmails(
  'You get this email because someone bought you a gift. We won’t add you to a newsletter.',
)
const memberEmail = giftEmails('You get emails about your access even if you’ve turned off our newsletters.')

const lengthText = (months: number) => (months === 12 ? 'one year' : months === 1 ? 'one month' : `${months} months`)

type ToGiver = ToReader & {
  recipientName: string
  amountCents: number
  currency: string
  statusLink: string
}

export const giftReceiptEmail = giverEmail('gift-receipt', 'Receipt of a gift', {
  subject: 'Your gift for {recipient}: receipt',
  preview: '{recipient} gets it on {date}.',
  title: 'Thank you for your gift',
  lead: 'You gave {recipient} {length} of {publication}. We’ll email it to {address} on {date}.',
  more: 'Keep this email. Its link shows whether the gift has been claimed, and lets you correct the address.',
  button: 'View your gift',
})(
  ({
    recipientEmail,
    deliverOn,
    months,
    ...gift
  }: ToGiver & { recipientEmail: string; deliverOn: string; months: number }) => ({
    values: {
      recipient: gift.recipientName,
      address: recipientEmail,
      date: formatDay(deliverOn),
      length: lengthText(months),
    },
    facts: {
      Paid: formatMoney(gift.amountCents, gift.currency),
      For: `${gift.recipientName}, ${recipientEmail}`,
      'Arrives on': formatDay(deliverOn),
    },
    link: gift.statusLink,
  }),
)

type ToRecipient = ToReader & {
  recipientName: string
  giverName: string
  message: string
  months: number
  claimUntil: Date
  claimLink: string
}

export const giftArrivedEmail = recipientEmail('gift-arrived', 'A gift', {
  subject: '{giver} gave you {length} of {publication}',
  preview: 'Claim it by {date}. You won’t be charged.',
  title: 'A gift from {giver}',
  lead: 'Hello {recipient}, {giver} gave you {length} of {publication}, {tagline}.',
  more: 'The link works once, until {date}, for an account with any email address. You won’t be charged, now or when it ends.',
  button: 'See your gift',
})(({ message, claimLink, ...gift }: ToRecipient) => ({
  values: fieldsOf(gift),
  message: message && `“${breakLinks(message)}”`,
  link: claimLink,
}))

/** The email of a gift whose time was extended says so by its date. */
export const giftReminderEmail = recipientEmail('gift-reminder', 'A gift waits', {
  subject: 'Your gift from {giver} is waiting',
  preview: 'Claim it by {date}.',
  title: 'Your gift is waiting',
  lead: 'Hello {recipient}, {giver} gave you {length} of {publication}. You can claim it until {date}.',
  more: 'You won’t be charged, now or when it ends.',
  button: 'See your gift',
})(({ claimLink, ...gift }: ToRecipient) => ({ values: fieldsOf(gift), link: claimLink }))

const fieldsOf = ({
  recipientName,
  giverName,
  months,
  claimUntil,
}: Omit<ToRecipient, 'to' | 'config' | 'message' | 'claimLink'>) => ({
  recipient: breakLinks(recipientName),
  giver: breakLinks(giverName) || 'Someone',
  length: lengthText(months),
  date: formatDay(claimUntil),
})

export const giftClaimedEmail = giverEmail('gift-claimed', 'A gift was claimed', {
  subject: '{recipient} claimed your gift',
  preview: 'Your gift has arrived.',
  title: '{recipient} claimed your gift',
  lead: '{recipient} claimed the gift you bought.',
  button: 'View your gift',
})(({ recipientName, statusLink }: ToGiver) => ({ values: { recipient: recipientName }, link: statusLink }))

export const giftBouncedEmail = giverEmail('gift-bounced', 'A gift’s email came back', {
  subject: 'Your gift for {recipient} didn’t arrive',
  preview: 'The address doesn’t accept email. Correct it to send the gift again.',
  title: 'Your gift didn’t arrive',
  lead: 'We couldn’t deliver your gift for {recipient}: the mail server of {address} returned our email.',
  more: 'Correct the address, and we’ll send the gift again.',
  button: 'Correct the address',
})(({ recipientName, recipientEmail, statusLink }: ToGiver & { recipientEmail: string }) => ({
  values: { recipient: recipientName, address: recipientEmail },
  link: statusLink,
}))

export const giftExtendedEmail = giverEmail('gift-extended', 'A gift can be claimed longer', {
  subject: 'Your gift for {recipient} is still unclaimed',
  preview: 'It can be claimed until {date}.',
  title: 'Your gift is still unclaimed',
  lead: '{recipient} hasn’t claimed your gift yet. We reminded them and extended the time until {date}. After that, you get your money back.',
  button: 'View your gift',
})(({ recipientName, statusLink, claimUntil }: ToGiver & { claimUntil: Date }) => ({
  values: { recipient: recipientName, date: formatDay(claimUntil) },
  link: statusLink,
}))

const whyRefunded = {
  unclaimed: (recipient: string) => `${recipient} didn’t claim it in time.`,
  already_paying: (recipient: string) => `${recipient} already pays for a plan.`,
  staff: () => 'We canceled the gift.',
  withdrawn: () => 'You withdrew from the purchase.',
  other: () => 'The payment was returned.',
} as const
export type RefundReason = keyof typeof whyRefunded

export const giftRefundedEmail = giverEmail('gift-refunded', 'A gift was refunded', {
  subject: 'Your gift for {recipient} was refunded',
  preview: '{amount} goes back to your card.',
  title: 'Your gift was refunded',
  lead: 'We refunded your gift for {recipient}. {why}',
  more: 'Banks take five to ten days to show it.',
  button: 'View your gift',
})(({ recipientName, amountCents, currency, statusLink, reason }: ToGiver & { reason: RefundReason }) => {
  const amount = formatMoney(amountCents, currency)
  return {
    values: { recipient: recipientName, amount, why: whyRefunded[reason](recipientName) },
    facts: { Refunded: amount },
    link: statusLink,
  }
})

export const giftStartedEmail = memberEmail('gift-started', 'Access by a gift', {
  subject: 'Your gift: {publication} is open until {date}',
  preview: 'Full access, and no charge when it ends.',
  title: 'Your gift is yours',
  lead: 'Your gift from {giver} gives you full access to {publication} until {date}.',
  more: 'You don’t need a plan, and you won’t be charged when it ends.',
  button: 'Open your portal',
})(({ giver, until }: ToReader & { giver: string; until: Date }) => ({
  values: { giver: breakLinks(giver) || 'someone', date: formatDay(until) },
  facts: { 'Full access until': formatDay(until) },
  path: '/portal',
}))

export const giftCreditedEmail = memberEmail('gift-credited', 'Credit by a gift', {
  subject: 'Your gift: {amount} of credit',
  preview: 'It pays for your next renewals.',
  title: 'Your gift pays for your plan',
  lead: 'You already pay for {publication}, so your gift from {giver} is a credit of {amount}. It pays for your next renewals.',
  button: 'View your plan',
})(({ giver, amountCents, currency }: ToReader & { giver: string; amountCents: number; currency: string }) => ({
  values: { giver: breakLinks(giver) || 'someone', amount: formatMoney(amountCents, currency) },
  path: '/account/billing',
}))

export const giftCreditWithdrawnEmail = memberEmail('gift-credit-withdrawn', 'Credit of a refunded gift', {
  subject: 'Your {publication} gift credit has ended',
  preview: 'The payment for it was taken back.',
  title: 'Your gift credit has ended',
  lead: 'The payment for your gift was refunded or disputed, so we took back {amount}, the part of its credit that was left. You keep what it has already paid for, and your plan continues.',
  button: 'View your plan',
})(({ amountCents, currency }: ToReader & { amountCents: number; currency: string }) => ({
  values: { amount: formatMoney(amountCents, currency) },
  path: '/account/billing',
}))

export const giftWithdrawnEmail = memberEmail('gift-withdrawn', 'A claimed gift was refunded', {
  subject: 'Your {publication} gift has ended',
  preview: 'The payment for it was taken back.',
  title: 'Your gift has ended',
  lead: 'The payment for your gift was refunded or disputed, so what it gave you has ended. If you have a plan, it continues.',
  more: 'We keep your account and preferences.',
  button: 'View plans',
})(() => ({ path: '/#pricing' }))

export const giftRestoredEmail = memberEmail('gift-restored', 'A claimed gift was given back', {
  subject: 'Your {publication} gift is back until {date}',
  preview: 'The dispute about its payment is settled.',
  title: 'Your gift is back',
  lead: 'The dispute about the payment for your gift is settled, so you have back the time that it took. Your access runs until {date}.',
  more: 'You don’t need to do anything.',
  button: 'Open your portal',
})(({ until }: ToReader & { until: Date }) => ({
  values: { date: formatDay(until) },
  facts: { 'Full access until': formatDay(until) },
  path: '/portal',
}))

export const giftLinkUsedEmail = memberEmail('gift-link-used', 'Access by a gift link', {
  subject: '{publication} is open to you until {date}',
  preview: 'Full access, and no charge when it ends.',
  title: 'Welcome',
  lead: 'You have full access to {publication} until {date}, as our gift.',
  more: 'You don’t need a plan or a card, and you won’t be charged when it ends.',
  button: 'Open your portal',
})(({ until }: ToReader & { until: Date }) => ({
  values: { date: formatDay(until) },
  facts: { 'Full access until': formatDay(until) },
  path: '/portal',
}))
