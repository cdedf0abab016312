import { breakLinks } from '#shared/domain/break-links.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { formatMoney } from '#shared/domain/format-money.ts'
import type { Email } from '../mailer.ts'
import type { EmailConfig, Fact } from '../render-email.ts'
import { defineEmailTexts, textEmail } from './email-texts.ts'

const section = 'Gifts'
const toGiver = 'You get this email because you bought a gift. It isn’t a newsletter.'
const toRecipient = 'You get this email because someone bought you a gift. We won’t add you to a newsletter.'
const toMember = 'You get emails about your access even if you’ve turned off our newsletters.'

type Texts = { subject: string; preview: string; title: string; lead: string; more?: string; button: string }

const giftEmail = (
  email: { to: string; config: EmailConfig },
  texts: Texts,
  {
    href,
    facts = [],
    message = '',
    reason,
  }: { href: string; facts?: readonly Fact[]; message?: string; reason: string },
): Email =>
  textEmail(email, { department: 'Billing', reason }, texts, [
    ...message.split(/\n+/).map((text) => text !== '' && ({ kind: 'text', text } as const)),
    facts.length > 0 && { kind: 'facts', facts },
    { kind: 'button', label: texts.button, href },
    texts.more && { kind: 'note', text: texts.more },
  ])

const lengthText = (months: number) => (months === 12 ? 'one year' : months === 1 ? 'one month' : `${months} months`)

type ToGiver = {
  to: string
  config: EmailConfig
  recipientName: string
  amountCents: number
  currency: string
  statusLink: string
}

const receiptTexts = defineEmailTexts(section, 'gift-receipt', 'Receipt of a gift', {
  subject: 'Your gift for {recipient}: receipt',
  preview: '{recipient} gets it on {date}.',
  title: 'Thank you for your gift',
  lead: 'You gave {recipient} {length} of {publication}. We’ll email it to {address} on {date}.',
  more: 'Keep this email. Its link shows whether the gift has been claimed, and lets you correct the address.',
  button: 'View your gift',
})

export const giftReceiptEmail = ({
  recipientEmail,
  deliverOn,
  months,
  ...gift
}: ToGiver & { recipientEmail: string; deliverOn: string; months: number }): Email =>
  giftEmail(
    gift,
    receiptTexts(gift.config, {
      recipient: gift.recipientName,
      address: recipientEmail,
      date: formatDay(deliverOn),
      length: lengthText(months),
    }),
    {
      href: gift.statusLink,
      facts: [
        ['Paid', formatMoney(gift.amountCents, gift.currency)],
        ['For', `${gift.recipientName}, ${recipientEmail}`],
        ['Arrives on', formatDay(deliverOn)],
      ],
      reason: toGiver,
    },
  )

type ToRecipient = {
  to: string
  config: EmailConfig
  recipientName: string
  giverName: string
  message: string
  months: number
  claimUntil: Date
  claimLink: string
}

const arrivedTexts = defineEmailTexts(section, 'gift-arrived', 'A gift', {
  subject: '{giver} gave you {length} of {publication}',
  preview: 'Claim it by {date}. You won’t be charged.',
  title: 'A gift from {giver}',
  lead: 'Hello {recipient}, {giver} gave you {length} of {publication}, {tagline}.',
  more: 'The link works once, until {date}, for an account with any email address. You won’t be charged, now or when it ends.',
  button: 'See your gift',
})

export const giftArrivedEmail = ({ to, config, message, claimLink, ...gift }: ToRecipient): Email =>
  giftEmail({ to, config }, arrivedTexts(config, fieldsOf(gift)), {
    href: claimLink,
    message: message && `“${breakLinks(message)}”`,
    reason: toRecipient,
  })

const reminderTexts = defineEmailTexts(section, 'gift-reminder', 'A gift waits', {
  subject: 'Your gift from {giver} is waiting',
  preview: 'Claim it by {date}.',
  title: 'Your gift is waiting',
  lead: 'Hello {recipient}, {giver} gave you {length} of {publication}. You can claim it until {date}.',
  more: 'You won’t be charged, now or when it ends.',
  button: 'See your gift',
})

/** The email of a gift whose time was extended says so by its date. */
export const giftReminderEmail = ({ to, config, message: _message, claimLink, ...gift }: ToRecipient): Email =>
  giftEmail({ to, config }, reminderTexts(config, fieldsOf(gift)), { href: claimLink, reason: toRecipient })

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

const claimedTexts = defineEmailTexts(section, 'gift-claimed', 'A gift was claimed', {
  subject: '{recipient} claimed your gift',
  preview: 'Your gift has arrived.',
  title: '{recipient} claimed your gift',
  lead: '{recipient} claimed the gift you bought.',
  button: 'View your gift',
})

export const giftClaimedEmail = ({ to, config, recipientName, statusLink }: ToGiver): Email =>
  giftEmail({ to, config }, claimedTexts(config, { recipient: recipientName }), { href: statusLink, reason: toGiver })

const bouncedTexts = defineEmailTexts(section, 'gift-bounced', 'A gift’s email came back', {
  subject: 'Your gift for {recipient} didn’t arrive',
  preview: 'The address doesn’t accept email. Correct it to send the gift again.',
  title: 'Your gift didn’t arrive',
  lead: 'We couldn’t deliver your gift for {recipient}: the mail server of {address} returned our email.',
  more: 'Correct the address, and we’ll send the gift again.',
  button: 'Correct the address',
})

export const giftBouncedEmail = ({
  to,
  config,
  recipientName,
  recipientEmail,
  statusLink,
}: ToGiver & { recipientEmail: string }) =>
  giftEmail({ to, config }, bouncedTexts(config, { recipient: recipientName, address: recipientEmail }), {
    href: statusLink,
    reason: toGiver,
  })

const extendedTexts = defineEmailTexts(section, 'gift-extended', 'A gift can be claimed longer', {
  subject: 'Your gift for {recipient} is still unclaimed',
  preview: 'It can be claimed until {date}.',
  title: 'Your gift is still unclaimed',
  lead: '{recipient} hasn’t claimed your gift yet. We reminded them and extended the time until {date}. After that, you get your money back.',
  button: 'View your gift',
})

export const giftExtendedEmail = ({
  to,
  config,
  recipientName,
  statusLink,
  claimUntil,
}: ToGiver & { claimUntil: Date }) =>
  giftEmail({ to, config }, extendedTexts(config, { recipient: recipientName, date: formatDay(claimUntil) }), {
    href: statusLink,
    reason: toGiver,
  })

const whyRefunded = {
  unclaimed: (recipient: string) => `${recipient} didn’t claim it in time.`,
  already_paying: (recipient: string) => `${recipient} already pays for a plan.`,
  staff: () => 'We canceled the gift.',
  other: () => 'The payment was returned.',
} as const
export type RefundReason = keyof typeof whyRefunded

const refundedTexts = defineEmailTexts(section, 'gift-refunded', 'A gift was refunded', {
  subject: 'Your gift for {recipient} was refunded',
  preview: '{amount} goes back to your card.',
  title: 'Your gift was refunded',
  lead: 'We refunded your gift for {recipient}. {why}',
  more: 'Banks take five to ten days to show it.',
  button: 'View your gift',
})

export const giftRefundedEmail = ({
  to,
  config,
  recipientName,
  amountCents,
  currency,
  statusLink,
  reason,
}: ToGiver & { reason: RefundReason }): Email => {
  const amount = formatMoney(amountCents, currency)
  return giftEmail(
    { to, config },
    refundedTexts(config, { recipient: recipientName, amount, why: whyRefunded[reason](recipientName) }),
    {
      href: statusLink,
      facts: [['Refunded', amount]],
      reason: toGiver,
    },
  )
}

type ToMember = { to: string; config: EmailConfig }

const startedTexts = defineEmailTexts(section, 'gift-started', 'Access by a gift', {
  subject: 'Your gift: {publication} is open until {date}',
  preview: 'Full access, and no charge when it ends.',
  title: 'Your gift is yours',
  lead: 'Your gift from {giver} gives you full access to {publication} until {date}.',
  more: 'You don’t need a plan, and you won’t be charged when it ends.',
  button: 'Open your portal',
})

export const giftStartedEmail = ({ to, config, giver, until }: ToMember & { giver: string; until: Date }): Email =>
  giftEmail({ to, config }, startedTexts(config, { giver: breakLinks(giver) || 'someone', date: formatDay(until) }), {
    href: `${config.publicUrl}/portal`,
    facts: [['Full access until', formatDay(until)]],
    reason: toMember,
  })

const creditedTexts = defineEmailTexts(section, 'gift-credited', 'Credit by a gift', {
  subject: 'Your gift: {amount} of credit',
  preview: 'It pays for your next renewals.',
  title: 'Your gift pays for your plan',
  lead: 'You already pay for {publication}, so your gift from {giver} is a credit of {amount}. It pays for your next renewals.',
  button: 'View your plan',
})

export const giftCreditedEmail = ({
  to,
  config,
  giver,
  amountCents,
  currency,
}: ToMember & { giver: string; amountCents: number; currency: string }): Email =>
  giftEmail(
    { to, config },
    creditedTexts(config, { giver: breakLinks(giver) || 'someone', amount: formatMoney(amountCents, currency) }),
    {
      href: `${config.publicUrl}/account/billing`,
      reason: toMember,
    },
  )

const creditWithdrawnTexts = defineEmailTexts(section, 'gift-credit-withdrawn', 'Credit of a refunded gift', {
  subject: 'Your {publication} gift credit has ended',
  preview: 'The payment for it was taken back.',
  title: 'Your gift credit has ended',
  lead: 'The payment for your gift was refunded or disputed, so we took back {amount}, the part of its credit that was left. You keep what it has already paid for, and your plan continues.',
  button: 'View your plan',
})

export const giftCreditWithdrawnEmail = ({
  to,
  config,
  amountCents,
  currency,
}: ToMember & { amountCents: number; currency: string }): Email =>
  giftEmail({ to, config }, creditWithdrawnTexts(config, { amount: formatMoney(amountCents, currency) }), {
    href: `${config.publicUrl}/account/billing`,
    reason: toMember,
  })

const withdrawnTexts = defineEmailTexts(section, 'gift-withdrawn', 'A claimed gift was refunded', {
  subject: 'Your {publication} gift has ended',
  preview: 'The payment for it was taken back.',
  title: 'Your gift has ended',
  lead: 'The payment for your gift was refunded or disputed, so what it gave you has ended. If you have a plan, it continues.',
  more: 'We keep your account and preferences.',
  button: 'View plans',
})

export const giftWithdrawnEmail = ({ to, config }: ToMember): Email =>
  giftEmail({ to, config }, withdrawnTexts(config), { href: `${config.publicUrl}/#pricing`, reason: toMember })

const restoredTexts = defineEmailTexts(section, 'gift-restored', 'A claimed gift was given back', {
  subject: 'Your {publication} gift is back until {date}',
  preview: 'The dispute about its payment is settled.',
  title: 'Your gift is back',
  lead: 'The dispute about the payment for your gift is settled, so you have back the time that it took. Your access runs until {date}.',
  more: 'You don’t need to do anything.',
  button: 'Open your portal',
})

export const giftRestoredEmail = ({ to, config, until }: ToMember & { until: Date }): Email =>
  giftEmail({ to, config }, restoredTexts(config, { date: formatDay(until) }), {
    href: `${config.publicUrl}/portal`,
    facts: [['Full access until', formatDay(until)]],
    reason: toMember,
  })

const linkUsedTexts = defineEmailTexts(section, 'gift-link-used', 'Access by a gift link', {
  subject: '{publication} is open to you until {date}',
  preview: 'Full access, and no charge when it ends.',
  title: 'Welcome',
  lead: 'You have full access to {publication} until {date}, as our gift.',
  more: 'You don’t need a plan or a card, and you won’t be charged when it ends.',
  button: 'Open your portal',
})

export const giftLinkUsedEmail = ({ to, config, until }: ToMember & { until: Date }): Email =>
  giftEmail({ to, config }, linkUsedTexts(config, { date: formatDay(until) }), {
    href: `${config.publicUrl}/portal`,
    facts: [['Full access until', formatDay(until)]],
    reason: toMember,
  })
