import { Section } from '#client/ui/section.tsx'
import { Tag } from '#client/ui/tag.tsx'
import type { BillingInvoice } from '#shared/contracts/billing.ts'
import { formatDay } from '#shared/domain/format.ts'
import { formatMoney } from '#shared/domain/format-money.ts'

const words = {
  paid: { text: 'Paid', tone: 'plain' },
  open: { text: 'Open', tone: 'danger' },
  void: { text: 'Withdrawn', tone: 'plain' },
  uncollectible: { text: 'Not paid', tone: 'plain' },
} as const

type InvoiceSectionProps = { invoices: readonly BillingInvoice[]; ended: boolean }

/** The payment service keeps the invoices; each line leads to its own page about it. */
export function InvoiceSection({ invoices, ended }: InvoiceSectionProps) {
  // Nobody asks for the money of a plan that ended unpaid.
  const wordsOf = (status: BillingInvoice['status']) => words[ended && status === 'open' ? 'uncollectible' : status]
  return (
    <Section title="Invoices">
      <ul aria-label="Invoices" className="@container divide-y divide-line border-t border-line">
        {invoices.map(({ at, amountCents, refundedCents, currency, status, url }, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: two invoices may be of the same second and amount
            key={`${at} ${index}`}
            className="grid min-h-13 grid-cols-[minmax(0,1fr)_auto] items-center @max-[16rem]:grid-cols-1 gap-x-6 py-1 tabular-nums sm:grid-cols-[8rem_6rem_1fr_auto]"
          >
            <time dateTime={at}>{formatDay(at)}</time>
            <span className="@min-[16rem]:max-sm:text-right">{formatMoney(amountCents, currency)}</span>
            <span>
              {refundedCents > 0 ? (
                <Tag tone="accent">
                  {refundedCents < amountCents ? `${formatMoney(refundedCents, currency)} refunded` : 'Refunded'}
                </Tag>
              ) : (
                <Tag tone={wordsOf(status).tone}>{wordsOf(status).text}</Tag>
              )}
            </span>
            {url && (
              <a
                href={url}
                target="_blank"
                rel="noopener noreferrer"
                aria-label={`View invoice of ${formatDay(at)}`}
                className="text-link inline-flex min-h-11 items-center"
              >
                View invoice
              </a>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
