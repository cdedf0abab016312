import { Section } from '#client/ui/page-parts.tsx'
import { Tag } from '#client/ui/tag.tsx'
import type { BillingInvoice } from '#shared/contracts/billing/billing.ts'
import { formatDay, formatMoney } from '#shared/domain/format.ts'

const statusTags = {
  paid: { text: 'Paid', tone: 'plain' },
  open: { text: 'Open', tone: 'danger' },
  void: { text: 'Void', tone: 'plain' },
  uncollectible: { text: 'Unpaid', tone: 'plain' },
} as const

type InvoiceSectionProps = { invoices: readonly BillingInvoice[]; planEnded: boolean }

export function InvoiceSection({ invoices, planEnded }: InvoiceSectionProps) {
  return (
    <Section title="Invoices">
      <ul aria-label="Invoices" className="@container divide-y divide-line border-t border-line">
        {invoices.map((invoice, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: two invoices can have the same second and amount
            key={`${invoice.createdAt} ${index}`}
            className="grid min-h-13 grid-cols-[minmax(0,1fr)_auto] items-center @max-[16rem]:grid-cols-1 gap-x-6 py-1 tabular-nums sm:grid-cols-[8rem_6rem_1fr_auto]"
          >
            <time dateTime={invoice.createdAt}>{formatDay(invoice.createdAt)}</time>
            <span className="@min-[16rem]:max-sm:text-right">{formatMoney(invoice.amountCents, invoice.currency)}</span>
            <span>
              <InvoiceTag invoice={invoice} planEnded={planEnded} />
            </span>
            {invoice.url && (
              <a
                href={invoice.url}
                target="_blank"
                rel="noopener noreferrer"
                aria-label={`${isPayable(invoice) ? 'Pay' : 'View'} invoice from ${formatDay(invoice.createdAt)}`}
                className="text-link inline-flex min-h-11 items-center"
              >
                {isPayable(invoice) ? 'Pay' : 'View'} invoice
              </a>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

const isPayable = ({ status, dueAt, isProcessing }: BillingInvoice) =>
  status === 'open' && dueAt !== null && !isProcessing

function InvoiceTag({ invoice, planEnded }: { invoice: BillingInvoice; planEnded: boolean }) {
  const { amountCents, refundedCents, currency, status, dueAt, isProcessing } = invoice
  if (refundedCents > 0) {
    const isPartial = refundedCents < amountCents
    return <Tag tone="accent">{isPartial ? `${formatMoney(refundedCents, currency)} refunded` : 'Refunded'}</Tag>
  }
  // Stripe calls it paid: the amount went to the customer's balance.
  if (amountCents < 0 && status === 'paid') return <Tag tone="accent">Credit</Tag>
  if (status === 'open' && isProcessing) return <Tag tone="accent">Payment processing</Tag>
  if (status === 'open' && dueAt && !planEnded) return <Tag tone="accent">Due {formatDay(dueAt)}</Tag>
  // Nothing more is collected for a plan that ended unpaid.
  const { text, tone } = statusTags[planEnded && status === 'open' ? 'uncollectible' : status]
  return <Tag tone={tone}>{text}</Tag>
}
