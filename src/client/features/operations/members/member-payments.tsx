import { useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { MemberPurchases } from '#client/features/billing/purchases/purchases.tsx'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { FormActions, TextField } from '#client/ui/form.tsx'
import { LoadError, SkeletonText } from '#client/ui/loading.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Tag } from '#client/ui/tag.tsx'
import {
  adminCreditMemberCall,
  adminMemberBillingCall,
  adminRefundInvoiceCall,
  type MemberBilling,
  type MemberInvoice,
  maxCreditCents,
} from '#shared/contracts/billing/member-billing.ts'
import { amountAsInput, formatDay, formatMoney, parseAmount } from '#shared/domain/format.ts'

type Stripe = NonNullable<MemberBilling['stripe']>
type Open = { requestId: string } & ({ kind: 'refund'; invoice: MemberInvoice } | { kind: 'credit'; stripe: Stripe })

/** Invoices, refunds and credit. For owners. */
export function MemberPayments({ userId }: { userId: string }) {
  const billing = useQuery(alwaysStaleQuery(['admin-member-billing', userId], adminMemberBillingCall, { userId }))
  /** One request id per dialog, so that a second click moves no money. */
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => {
    setOpen(null)
    // The dialog's subject may have changed in another tab.
    void billing.refetch()
  }
  const { data } = billing
  return (
    <Section title="Payments" status={data && <Totals totals={data.totals} />}>
      {!data && (billing.isError ? <LoadError what="the payments" query={billing} /> : <SkeletonText lines={3} />)}
      {data && !data.customerUrl && <p className="text-muted">They haven’t paid anything yet.</p>}
      {data?.customerUrl && !data.stripe && (
        <p role="alert">
          Stripe isn’t answering, so invoices can’t be shown.{' '}
          <Button variant="secondary" size="sm" pending={billing.isFetching} onClick={() => void billing.refetch()}>
            Try again
          </Button>
        </p>
      )}
      {data?.stripe && (
        <div className="grid gap-5">
          {data.stripe.invoices.length > 0 && (
            <ul aria-label="Invoices" className="divide-y divide-line border-y border-line">
              {data.stripe.invoices.map((invoice) => (
                <InvoiceRow
                  key={invoice.id}
                  invoice={invoice}
                  onRefund={() => setOpen({ kind: 'refund', invoice, requestId: crypto.randomUUID() })}
                />
              ))}
            </ul>
          )}
          {data.stripe.discounts.map(({ code, terms, until }) => (
            <p key={`${code} ${until}`}>
              {terms}
              {code && <> with {code}</>}
              {until && `, until ${formatDay(until)}`}
            </p>
          ))}
          {data.stripe.hasMore && <p className="text-sm text-muted">Stripe has older invoices.</p>}
          <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
            <Button
              variant="secondary"
              onClick={() =>
                data.stripe && setOpen({ kind: 'credit', stripe: data.stripe, requestId: crypto.randomUUID() })
              }
            >
              Add credit
            </Button>
            <p className="text-muted tabular-nums">{creditText(data.stripe)}</p>
            <OutsideLink href={data.customerUrl ?? ''}>Open in Stripe</OutsideLink>
          </div>
        </div>
      )}
      <MemberPurchases userId={userId} />
      {open?.kind === 'refund' && (
        <RefundDialog userId={userId} invoice={open.invoice} requestId={open.requestId} onClose={close} />
      )}
      {open?.kind === 'credit' && (
        <CreditDialog userId={userId} stripe={open.stripe} requestId={open.requestId} onClose={close} />
      )}
    </Section>
  )
}

function creditText({ creditCents, currency }: Stripe): string {
  if (creditCents === 0) return 'No credit.'
  return creditCents > 0
    ? `${formatMoney(creditCents, currency)} credit for the next invoices.`
    : `Owes ${formatMoney(-creditCents, currency)} with the next invoice.`
}

const Totals = ({ totals }: { totals: MemberBilling['totals'] }) =>
  totals
    .map(
      ({ currency, paidCents, refundedCents }) =>
        `${formatMoney(paidCents, currency)} paid${refundedCents > 0 ? `, ${formatMoney(refundedCents, currency)} refunded` : ''}`,
    )
    .join('; ')

const OutsideLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <a
    href={href}
    target="_blank"
    rel="noreferrer"
    className="text-link inline-flex min-h-11 items-center gap-1.5 sm:min-h-9"
  >
    {children}
    <ExternalLink aria-hidden className="size-4" strokeWidth={1.75} />
    <span className="sr-only">(opens a new tab)</span>
  </a>
)

const statusLabels: Record<MemberInvoice['status'], string> = {
  draft: 'Draft',
  open: 'Not paid yet',
  paid: 'Paid',
  void: 'Voided',
  uncollectible: 'Written off',
}

function InvoiceRow({ invoice, onRefund }: { invoice: MemberInvoice; onRefund: () => void }) {
  const { number, createdAt, status, dueAt, totalCents, refundedCents, refundableCents, currency, url, dashboardUrl } =
    invoice
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-2 tabular-nums">
      <p className="min-w-0">
        <span className="font-semibold">{formatMoney(totalCents, currency)}</span>{' '}
        <Tag tone={status === 'paid' ? 'primary' : status === 'open' ? 'accent' : 'plain'}>{statusLabels[status]}</Tag>
        <span className="block text-sm text-muted">
          {formatDay(createdAt)}
          {number && `, ${number}`}
          {dueAt && `, paid by invoice${status === 'open' ? `, due ${formatDay(dueAt)}` : ''}`}
          {refundedCents > 0 && `, ${formatMoney(refundedCents, currency)} refunded`}
        </span>
      </p>
      <div className="flex flex-wrap items-center gap-x-4">
        <OutsideLink href={url ?? dashboardUrl}>{url ? 'Invoice' : 'At Stripe'}</OutsideLink>
        {refundableCents > 0 && (
          <Button variant="secondary" size="sm" onClick={onRefund} aria-label={`Refund ${number ?? 'invoice'}`}>
            Refund
          </Button>
        )}
      </div>
    </li>
  )
}

type RefundDialogProps = { userId: string; invoice: MemberInvoice; requestId: string; onClose: () => void }

function RefundDialog({ userId, invoice, requestId, onClose }: RefundDialogProps) {
  const refund = useChange(adminRefundInvoiceCall, { done: 'Refunded' })
  const { refundableCents, refundedCents, currency, number } = invoice
  const [amount, setAmount] = useState(amountAsInput(refundableCents, currency))
  const cents = parseAmount(amount, currency)
  const isValid = cents !== null && cents > 0 && cents <= refundableCents
  const handleSubmit = submitHandler(refund, (text) => {
    if (!isValid) return
    const reason = text('reason')
    const request = { requestId, invoiceId: invoice.id, amountCents: cents, refundedCents, reason }
    refund.mutate({ userId, ...request }, { onSuccess: onClose })
  })
  return (
    <Dialog title={`Refund ${number ?? 'this invoice'}?`} onClose={onClose}>
      <form onSubmit={handleSubmit} className="mt-4 grid gap-5">
        <TextField
          label={`Amount in ${currency.toUpperCase()}`}
          inputMode="decimal"
          autoComplete="off"
          value={amount}
          onChange={(event) => setAmount(event.target.value)}
          hint={`Up to ${formatMoney(refundableCents, currency)}. It goes back to the card that paid.`}
          error={amount !== '' && !isValid ? `Enter an amount up to ${formatMoney(refundableCents, currency)}` : ''}
          required
        />
        <TextField
          label="Reason"
          name="reason"
          maxLength={300}
          autoComplete="off"
          hint="Optional. For the staff log."
        />
        <p className="text-muted">Their plan and access stay as they are.</p>
        <FormActions
          action={isValid ? `Refund ${formatMoney(cents, currency)}` : 'Refund'}
          variant="danger"
          change={refund}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}

type CreditDialogProps = { userId: string; stripe: Stripe; requestId: string; onClose: () => void }

function CreditDialog({ userId, stripe, requestId, onClose }: CreditDialogProps) {
  const credit = useChange(adminCreditMemberCall, { done: 'Credit added' })
  const [amount, setAmount] = useState('')
  const { currency, lastTransactionId } = stripe
  const cents = parseAmount(amount, currency)
  const isValid = cents !== null && cents > 0 && cents <= maxCreditCents
  const handleSubmit = submitHandler(credit, (text) => {
    const reason = text('reason')
    if (!isValid || reason === '') return
    credit.mutate({ userId, requestId, amountCents: cents, lastTransactionId, reason }, { onSuccess: onClose })
  })
  return (
    <Dialog title="Add credit?" onClose={onClose}>
      <form onSubmit={handleSubmit} className="mt-4 grid gap-5">
        <TextField
          label={`Amount in ${currency.toUpperCase()}`}
          inputMode="decimal"
          autoComplete="off"
          value={amount}
          onChange={(event) => setAmount(event.target.value)}
          hint="Taken off the next invoices until it’s used up."
          error={amount !== '' && !isValid ? `Enter an amount up to ${formatMoney(maxCreditCents, currency)}` : ''}
          required
        />
        <TextField label="Reason" name="reason" maxLength={300} required autoComplete="off" />
        <FormActions
          action={isValid ? `Add ${formatMoney(cents, currency)}` : 'Add credit'}
          change={credit}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
