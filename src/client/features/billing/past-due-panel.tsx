import { Button } from '#client/ui/button.tsx'
import type { BillingOverview } from '#shared/contracts/billing.ts'
import { formatDay } from '#shared/domain/format.ts'
import { formatMoney } from '#shared/domain/format-money.ts'
import { usePayDue, useUpdateCard } from './account-billing.api.ts'

/** A renewal that failed: what is open, what happens when, and the two steps that repair it. */
export function PastDuePanel({ overview: { accessUntil, accessOver, atStripe } }: { overview: BillingOverview }) {
  const updateCard = useUpdateCard()
  const pay = usePayDue()
  const due = atStripe?.due ?? null
  const amount = due && formatMoney(due.amountCents, due.currency)
  const openInvoice = atStripe?.invoices.find(({ status }) => status === 'open')
  return (
    <section aria-label="Payment failed" className="rounded-lg border border-danger bg-surface p-5 sm:p-7">
      <h4 className="font-semibold text-danger">We could not charge your card{amount && ` for ${amount}`}</h4>
      <ul className="mt-3 grid max-w-[60ch] list-disc gap-1.5 pl-5">
        {accessUntil && (
          <li>
            {accessOver ? 'The portal closed on ' : 'The portal stays open until '}
            <time dateTime={accessUntil}>{formatDay(accessUntil)}</time>
            {accessOver ? ' and opens again with the payment.' : '.'}
          </li>
        )}
        {due?.nextTryAt && (
          <li>
            The card is tried again on <time dateTime={due.nextTryAt}>{formatDay(due.nextTryAt)}</time>. After the last
            try the plan ends.
          </li>
        )}
        <li>With another card, or the same one once it works again, everything goes on as before.</li>
        {openInvoice?.url && (
          <li>
            If your bank wants you to confirm the payment,{' '}
            <a href={openInvoice.url} target="_blank" rel="noopener noreferrer" className="text-link">
              pay on its invoice
            </a>
            .
          </li>
        )}
      </ul>
      <div className="mt-5 flex flex-wrap gap-3">
        <Button pending={updateCard.isPending} onClick={() => updateCard.mutate()}>
          Use another card
        </Button>
        {amount && (
          <Button variant="secondary" pending={pay.isPending} onClick={() => pay.mutate()}>
            Pay {amount} now
          </Button>
        )}
      </div>
    </section>
  )
}
