import { invoke } from '#client/lib/calls.ts'
import { Button } from '#client/ui/button.tsx'
import { type BillingOverview, payOpenInvoicesCall } from '#shared/contracts/billing/billing.ts'
import { formatDay, formatMoney } from '#shared/domain/format.ts'
import { usePlanChange, useUpdateCard } from './account-billing.api.ts'

const usePayOpenInvoices = () =>
  usePlanChange((_input, requestId) => invoke(payOpenInvoicesCall, { requestId }), {
    done: 'Payment received. Thank you!',
    failure: 'Your payment failed',
  })

/** A failed renewal: the amount due, what happens when, and how to fix it. */
export function PastDuePanel({ overview: { accessUntil, graceEnded, stripe } }: { overview: BillingOverview }) {
  const updateCard = useUpdateCard()
  const pay = usePayOpenInvoices()
  const amountDue = stripe?.amountDue ?? null
  const amount = amountDue && formatMoney(amountDue.amountCents, amountDue.currency)
  const openInvoice = stripe?.invoices.find(({ status }) => status === 'open')
  if (stripe?.paysByInvoice) {
    return (
      <section aria-label="Invoice overdue" className="rounded-lg border border-danger bg-surface p-5 sm:p-7">
        <h4 className="font-semibold text-danger">
          {amount ? `Your invoice for ${amount} is overdue` : 'Your bank’s payment is on its way'}
        </h4>
        {accessUntil && (
          <p className="mt-3">
            {graceEnded ? 'Your access to the portal ended on ' : 'You have access to the portal until '}
            <time dateTime={accessUntil}>{formatDay(accessUntil)}</time>
            {graceEnded ? '. It returns as soon as you pay.' : '.'}
          </p>
        )}
      </section>
    )
  }
  return (
    <section aria-label="Payment failed" className="rounded-lg border border-danger bg-surface p-5 sm:p-7">
      <h4 className="font-semibold text-danger">We couldn’t charge your card{amount && ` for ${amount}`}</h4>
      <ul className="mt-3 grid max-w-[60ch] list-disc gap-1.5 pl-5">
        {accessUntil && (
          <li>
            {graceEnded ? 'Your access to the portal ended on ' : 'You have access to the portal until '}
            <time dateTime={accessUntil}>{formatDay(accessUntil)}</time>
            {graceEnded ? '. It returns as soon as you pay.' : '.'}
          </li>
        )}
        {amountDue?.nextAttemptAt && (
          <li>
            We’ll try your card again on{' '}
            <time dateTime={amountDue.nextAttemptAt}>{formatDay(amountDue.nextAttemptAt)}</time>. If the last attempt
            fails, your plan ends.
          </li>
        )}
        <li>Once a payment goes through, with this card or another one, your plan continues as before.</li>
        {openInvoice?.url && (
          <li>
            If your bank needs you to confirm the payment,{' '}
            <a href={openInvoice.url} target="_blank" rel="noopener noreferrer" className="text-link">
              pay the invoice online
            </a>
            .
          </li>
        )}
      </ul>
      <div className="mt-5 flex flex-wrap gap-3">
        <Button pending={updateCard.isPending} onClick={() => updateCard.mutate()}>
          Use a different card
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
