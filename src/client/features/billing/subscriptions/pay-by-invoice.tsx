import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { alwaysStaleQuery, CallError } from '#client/lib/calls.ts'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button, ButtonLink, Spinner } from '#client/ui/button.tsx'
import { FormError } from '#client/ui/form.tsx'
import { invoiceDetailsCall, startInvoicedPlanCall } from '#shared/contracts/billing/invoice-details.ts'
import { formatCount } from '#shared/domain/format-count.ts'
import type { PlanTerms } from '#shared/domain/plans.ts'
import { formatPrice, listPrice } from '#shared/domain/subscription-price.ts'
import { InvoiceDetailFields } from './invoice-details-section.tsx'

type PayByInvoiceProps = {
  plan: PlanTerms
  priceId: string
  seats: number | undefined
  agreed: string | undefined
  onStart: () => void
}

/** Asks a company for what its invoice prints, and starts the plan. */
export default function PayByInvoice({ plan, priceId, seats, agreed, onStart }: PayByInvoiceProps) {
  const { data, isPending } = useQuery(alwaysStaleQuery(['invoice-details'], invoiceDetailsCall, {}))
  const navigate = useNavigate()
  const start = useChange(startInvoicedPlanCall, {
    done: 'Invoice sent',
    onSuccess: () => navigate('/account/billing', { replace: true }),
  })
  if (isPending) return <Spinner />
  const isTaxIdWrong = start.error instanceof CallError && start.error.code === 'tax_id_invalid'
  const details = data?.details ?? null
  return (
    <>
      <h1 className="display text-3xl">Pay by invoice</h1>
      <p className="mt-4 max-w-[62ch] text-lg text-muted">
        {plan.name} costs {formatPrice(listPrice(plan, seats ?? plan.seats))}. We email the invoice, and you have{' '}
        {formatCount(plan.invoiceDays ?? 0, 'day')} to pay it by card or bank. Your access begins today. The plan renews
        with a new invoice until you cancel.
      </p>
      <form
        onSubmit={submitHandler(start, (text) => {
          onStart()
          const value = text('taxId')
          start.mutate({
            ...{ priceId, seats, agreed, companyName: text('companyName'), poNumber: text('poNumber') },
            taxId: value ? { type: text('taxIdType'), value } : null,
            replaces: details?.taxIds[0]?.id ?? null,
          })
        })}
        className="mt-8 grid max-w-md gap-5"
      >
        <InvoiceDetailFields
          details={details}
          taxIdError={isTaxIdWrong ? formErrorMessage(start.error) : undefined}
          isCompany
        />
        <FormError>{!isTaxIdWrong && formErrorMessage(start.error)}</FormError>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" pending={start.isPending}>
            Send the invoice
          </Button>
          <ButtonLink to="/#pricing" variant="secondary">
            See all plans
          </ButtonLink>
        </div>
      </form>
    </>
  )
}
