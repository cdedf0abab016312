import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { alwaysStaleQuery, invoke } from '#client/lib/calls.ts'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { FormError, TextField } from '#client/ui/form.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { adminItemPriceCall, buyItemCall, soldItemsCall } from '#shared/contracts/billing/items.ts'
import { amountAsInput, formatWholeMoney, parseAmount } from '#shared/domain/format.ts'
import { type SoldRef, soldItemPath } from '#shared/domain/sold-items.ts'
import { ownPurchasesQuery } from './purchases.tsx'

export const soldItemsQuery = queryOptions({
  queryKey: ['sold-items'],
  queryFn: async ({ signal }) => (await invoke(soldItemsCall, {}, signal)).items,
})

export const useBuyItem = () =>
  useMutation({
    mutationFn: async (given: SoldRef & { amountCents: number; agreed?: string | undefined }) => {
      window.location.assign((await invoke(buyItemCall, given)).url)
    },
  })

/** What readers without a plan can still buy on its own. Nothing if nothing is sold. */
export function SoldItems() {
  const sold = useQuery(soldItemsQuery)
  const own = useQuery(ownPurchasesQuery)
  const data = (sold.data ?? []).filter(
    ({ kind, id }) =>
      !own.data?.items.some(({ item, state }) => state === 'paid' && item?.kind === kind && item.id === id),
  )
  if (!own.data || data.length === 0) return null
  return (
    <Section title="Buy one item">
      <ul aria-label="Single items" className="divide-y divide-line border-y border-line">
        {data.map((item) => (
          <li key={soldItemPath(item)} className="flex flex-wrap items-center justify-between gap-x-6 py-2">
            <Link to={soldItemPath(item)} className="text-link inline-flex min-h-11 items-center font-semibold">
              {item.title}
            </Link>
            <span className="text-muted tabular-nums">{formatWholeMoney(item.priceCents, item.currency)} once</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** The price of a pack or guide on its own, for the owner. */
export function ItemPrice({ item }: { item: SoldRef }) {
  const { data } = useQuery(alwaysStaleQuery(['admin-item-price', item.kind, item.id], adminItemPriceCall, item))
  const save = useChange(adminItemPriceCall, { done: 'Price saved', failure: 'We couldn’t save the price' })
  const [problem, setProblem] = useState<string | null>(null)
  if (!data) return null
  const { priceCents, currency, version } = data
  const handleSubmit = submitHandler(save, (text) => {
    const given = text('price').trim()
    const cents = given === '' ? null : parseAmount(given, currency)
    setProblem(given !== '' && cents === null ? 'Enter an amount, such as 10 or 7.50' : null)
    if (given === '' || cents !== null) save.mutate({ ...item, save: { priceCents: cents, version } })
  })
  return (
    <form key={version} onSubmit={handleSubmit} className="mt-10 grid max-w-md gap-5" aria-label="Sold on its own">
      <TextField
        label={`Price on its own, in ${currency.toUpperCase()}`}
        name="price"
        inputMode="decimal"
        autoComplete="off"
        defaultValue={priceCents === null ? '' : amountAsInput(priceCents, currency)}
        hint="Optional. Readers without a plan can then buy this once, for good."
      />
      {priceCents !== null && (
        <p className="text-muted">
          Its page:{' '}
          <Link to={soldItemPath(item)} className="text-link [overflow-wrap:anywhere]">
            {soldItemPath(item)}
          </Link>
        </p>
      )}
      <FormError>{problem ?? formErrorMessage(save.error)}</FormError>
      <Button type="submit" className="justify-self-start" pending={save.isPending}>
        Save price
      </Button>
    </form>
  )
}
