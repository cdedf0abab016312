import { formatMoney } from '#shared/domain/format.ts'
import { formatInstant } from '#shared/domain/zoned-time.ts'
import { breakLinks } from '../break-links.ts'
import type { Facts } from '../render-email.ts'
import { type ButtonTexts, emailKind, type ToReader } from './email-texts.ts'

const withdrawalEmail = emailKind<ButtonTexts, { facts?: Facts; link?: string }>(
  'Withdrawal',
  {
    department: 'Billing',
    reason: 'You get this email because someone entered this address to withdraw from a purchase.',
  },
  (texts, { facts, link }, { publicUrl }) => [
    facts && { kind: 'facts', facts },
    texts.more,
    { kind: 'button', label: texts.button, href: link ?? `${publicUrl}/withdraw` },
  ],
)

export const withdrawalLinkEmail = withdrawalEmail('withdrawal-link', 'To confirm a withdrawal', {
  subject: 'Confirm your withdrawal from {publication}',
  preview: 'One more step: review your purchase.',
  title: 'Confirm your withdrawal',
  lead: 'We received your withdrawal. Review your purchase and confirm it on this page.',
  more: 'Your withdrawal counts from when you submitted the form. If it wasn’t you, ignore this email and nothing changes.',
  button: 'Review and confirm',
})(({ link }: ToReader & { link: string }) => ({ link }))

type Receipt = ToReader & {
  name: string
  contractName: string
  declaredAt: Date
  confirmedAt: Date
  refundCents: number
  /** The payment is disputed and the bank hasn't decided. */
  isDisputed: boolean
  currency: string
  timeZone: string
}

/** The acknowledgment that Article 11a requires: the declaration's content, date and time. */
export const withdrawalReceiptEmail = withdrawalEmail('withdrawal-receipt', 'Receipt of a withdrawal', {
  subject: 'Receipt of your withdrawal from {contract}',
  preview: 'We received it on {date}.',
  title: 'You withdrew from your purchase',
  lead: '{name} withdraws from the contract for {contract}. We received this declaration on {date}. {refund}',
  more: 'Refunds go to the card or account you paid with, within 14 days at the latest. Keep this email as your receipt.',
  button: 'Open the withdrawal page',
})(({ name, contractName, declaredAt, confirmedAt, refundCents, isDisputed, currency, timeZone }: Receipt) => ({
  values: {
    name: breakLinks(name),
    contract: contractName,
    date: formatInstant(declaredAt, timeZone),
    refund: isDisputed
      ? 'Your bank is reviewing the payment. We refund what it returns to us.'
      : refundCents > 0
        ? `We refund ${formatMoney(refundCents, currency)}.`
        : 'There is nothing to refund.',
  },
  facts: {
    Confirmed: formatInstant(confirmedAt, timeZone),
    Refund: formatMoney(refundCents, currency),
  },
}))
