import { useQuery } from '@tanstack/react-query'
import { Printer, Share2 } from 'lucide-react'
import { lazy, type SubmitEvent, Suspense, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Banner } from '#client/ui/banner.tsx'
import { Button } from '#client/ui/button.tsx'
import { FigureTable } from '#client/ui/figure-table.tsx'
import { FormError, SelectField, TextField } from '#client/ui/form.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { Disclosure, PageHeading } from '#client/ui/page-parts.tsx'
import {
  maxMoneyCents,
  maxMoneyNote,
  type StoreReceipt,
  saveStoreMoneyCall,
  storeReceiptCall,
  takeFreeMonthCall,
} from '#shared/contracts/reader/receipts.ts'
import { decimalsOf, formatMoney } from '#shared/domain/format.ts'
import { addMonths, formatMonth } from '#shared/domain/publishing-calendar.ts'
import {
  describeMoney,
  describeTasks,
  describeTime,
  describeTotals,
  type MoneySource,
  moneySourceNames,
  receiptRules,
} from '#shared/domain/store-receipt.ts'

const ShareDialog = lazy(() => import('#client/features/reader/sharing/share-dialog.tsx'))

export function Component() {
  const [search] = useSearchParams()
  const asked = search.get('month') ?? ''
  const month = /^2\d{3}-(?:0[1-9]|1[0-2])$/.test(asked) ? asked : new Date().toISOString().slice(0, 7)
  const receipt = useQuery(alwaysStaleQuery(['store-receipt', month], storeReceiptCall, { month }))
  const others = [addMonths(month, -1), addMonths(month, 1)].filter(
    (other) => receipt.data && other >= receipt.data.firstMonth && other <= receipt.data.thisMonth,
  )
  return (
    <>
      <PageHeading
        title={`Receipt of ${formatMonth(month)}`}
        lede="What each store got out of it, against what your plan costs."
        aside={
          <nav aria-label="Months" className="flex gap-6 print:hidden">
            {others.map((other) => (
              <Link
                key={other}
                to={`?month=${other}`}
                className="text-link inline-flex min-h-11 items-center tabular-nums"
              >
                {formatMonth(other)}
              </Link>
            ))}
          </nav>
        }
      />
      {receipt.data ? (
        <Receipt receipt={receipt.data} />
      ) : (
        <QueryPlaceholder query={receipt} what="the receipt" lines={5} height="h-14" />
      )}
    </>
  )
}

function Receipt({ receipt }: { receipt: StoreReceipt }) {
  const { rows, currency, wageCents, month, freeMonth } = receipt
  const [isSharing, setSharing] = useState(false)
  return (
    <>
      {freeMonth && <FreeMonth {...freeMonth} />}
      <dl className="grid gap-x-6 border-b border-line sm:grid-cols-3 print:grid-cols-3">
        {describeTotals(receipt).map(([name, figure, source]) => (
          <div key={name} className="py-4">
            <dt className="text-sm font-semibold">{name}</dt>
            <dd className="mt-1">
              <span className="display block text-3xl tabular-nums print:text-2xl">{figure}</span>
              <span className="mt-1.5 block text-sm text-muted tabular-nums">{source}</span>
            </dd>
          </div>
        ))}
      </dl>
      {wageCents === null && (
        <Link to="/portal/value" className="text-link inline-flex min-h-11 items-center print:hidden">
          Enter an hourly wage
        </Link>
      )}
      <FigureTable
        caption="By store"
        head="Store"
        columns={['Time', 'Money found', 'Tasks']}
        className="mt-6"
        rows={rows.map((row) => ({
          id: row.storeId ?? '',
          name: row.name ?? 'The business',
          figures: [
            describeTime(row, currency),
            row.money.map((entry) => (
              <span key={entry.source} className="block min-w-44 whitespace-normal">
                {describeMoney(entry, currency)}
              </span>
            )),
            describeTasks(row),
          ],
        }))}
      />
      {rows.some(({ storeId }) => storeId) ? (
        <MoneyForm receipt={receipt} />
      ) : (
        <Link to="/account/business" className="text-link inline-flex min-h-11 items-center print:hidden">
          Add your stores
        </Link>
      )}
      <div className="mt-6 flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <p className="measure text-sm text-muted">{receiptRules}</p>
        <p className="flex flex-wrap gap-3 print:hidden">
          <Button variant="secondary" onClick={() => setSharing(true)}>
            <Share2 aria-hidden className="size-5" strokeWidth={1.75} />
            Share
          </Button>
          <Button variant="secondary" onClick={() => window.print()}>
            <Printer aria-hidden className="size-5" strokeWidth={1.75} />
            Print
          </Button>
        </p>
      </div>
      {isSharing && (
        <Suspense fallback={null}>
          <ShareDialog
            item={{ kind: 'receipt', id: month, title: `Receipt of ${formatMonth(month)}` }}
            onClose={() => setSharing(false)}
          />
        </Suspense>
      )}
    </>
  )
}

function MoneyForm({ receipt: { rows, currency, month } }: { receipt: StoreReceipt }) {
  const save = useChange(saveStoreMoneyCall, { done: 'The amount was saved' })
  const unit = 10 ** decimalsOf(currency)
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const text = (name: string) => String(new FormData(form).get(name))
    const cents = Math.round(Number(text('amount')) * unit)
    const [storeId, source, note] = [text('store'), text('source') as MoneySource, text('note')]
    save.mutate({ storeId, month, source, cents, note }, { onSuccess: () => form.reset() })
  }
  return (
    <Disclosure summary="Add money that was found" className="mt-4 print:hidden">
      <form onSubmit={handleSubmit} className="grid items-start gap-4 pt-2 sm:grid-cols-2 lg:max-w-3xl">
        <SelectField
          label="Store"
          name="store"
          options={rows.flatMap(({ storeId, name }) => (storeId && name ? [[storeId, name] as const] : []))}
        />
        <SelectField label="Where it came from" name="source" options={moneySourceNames} />
        <TextField
          label={`Amount in ${currency === 'usd' ? 'dollars' : currency.toUpperCase()}`}
          name="amount"
          type="number"
          inputMode="decimal"
          required
          min={0}
          max={maxMoneyCents / unit}
          step={1 / unit}
          hint="One amount for each store, month and kind. Another one replaces it, and 0 removes it."
        />
        <TextField
          label="Source"
          name="note"
          required
          maxLength={maxMoneyNote}
          hint="For example: royalty statement of May 4, line 12"
        />
        <FormError>{formErrorMessage(save.error)}</FormError>
        <Button type="submit" className="justify-self-start sm:col-span-2" pending={save.isPending}>
          Save amount
        </Button>
      </form>
    </Disclosure>
  )
}

/** From the renewal email. */
function FreeMonth({ cents, currency }: NonNullable<StoreReceipt['freeMonth']>) {
  const take = useChange(takeFreeMonthCall, { done: 'Your next invoice is a month less' })
  return (
    <Banner title="A month is on us" className="mt-6">
      <p>
        The last twelve months brought less than your plan costs. Take up to {formatMoney(cents, currency)} as credit
        for your next invoice, at most what you paid for a month.
      </p>
      <FormError>{formErrorMessage(take.error)}</FormError>
      <Button className="mt-3" pending={take.isPending} onClick={() => take.mutate({})}>
        Take the free month
      </Button>
    </Banner>
  )
}
