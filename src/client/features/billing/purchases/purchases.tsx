import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Link } from 'react-router'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { useChange } from '#client/lib/changes.ts'
import { ConfirmButton } from '#client/ui/dialog.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Tag } from '#client/ui/tag.tsx'
import {
  adminPurchasesCall,
  adminRefundPurchaseCall,
  ownPurchasesCall,
  type Purchase,
} from '#shared/contracts/billing/purchases.ts'
import { formatDay, formatMoney } from '#shared/domain/format.ts'
import { soldItemPath } from '#shared/domain/sold-items.ts'

export const ownPurchasesQuery = alwaysStaleQuery(['own-purchases'], ownPurchasesCall, {})

/** What the member paid for once. Nothing for those who didn't. `bought`: the purchase that they come back from. */
export function OwnPurchases({ bought }: { bought: string | null }) {
  const queryClient = useQueryClient()
  const { data } = useQuery(ownPurchasesQuery)
  const isPaid = data?.items.some(({ id }) => id === bought) === true
  useEffect(() => {
    // The call that lists purchases also finds the payment, so everything else on the page can be older than it.
    if (!isPaid) return
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'own-purchases' })
  }, [isPaid, queryClient])
  if (!data || data.items.length === 0) return null
  return (
    <Section title="One-time purchases">
      <PurchaseList items={data.items} />
    </Section>
  )
}

/** What a member paid for once, for the owner. Nothing for members who didn't. */
export function MemberPurchases({ userId }: { userId: string }) {
  const { data } = useQuery(alwaysStaleQuery(['admin-purchases', userId], adminPurchasesCall, { userId }))
  const refund = useChange(adminRefundPurchaseCall, { done: 'Refunded', failure: 'We couldn’t refund this' })
  if (!data || data.items.length === 0) return null
  return (
    <div>
      <h3 className="font-semibold">One-time purchases</h3>
      <PurchaseList items={data.items}>
        {({ id, name, state, amountCents, refundedCents, currency }) =>
          state === 'paid' && (
            <ConfirmButton
              label="Refund"
              variant="secondary"
              pending={refund.isPending}
              title={`Refund ${name}?`}
              action="Refund"
              keep="Not now"
              onConfirm={() => refund.mutate({ id })}
            >
              We refund {formatMoney(amountCents - refundedCents, currency)}, and the access that it gave ends now.
            </ConfirmButton>
          )
        }
      </PurchaseList>
    </div>
  )
}

const stateTexts = { paid: null, refunding: 'Refund under way', refunded: 'Refunded', disputed: 'Disputed' }

type PurchaseListProps = { items: readonly Purchase[]; children?: (item: Purchase) => ReactNode }

const PurchaseList = ({ items, children }: PurchaseListProps) => (
  <ul aria-label="One-time purchases" className="divide-y divide-line border-y border-line">
    {items.map((item) => (
      <li key={item.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
        <div className="min-w-0">
          <p className="font-semibold [overflow-wrap:anywhere]">
            {item.name} {stateTexts[item.state] && <Tag>{stateTexts[item.state]}</Tag>}
          </p>
          <p className="text-sm text-muted tabular-nums">{describe(item)}</p>
        </div>
        {!children && item.item && item.state === 'paid' && (
          <Link
            to={soldItemPath(item.item)}
            className="text-link inline-flex min-h-11 min-w-11 items-center font-semibold"
          >
            Open
          </Link>
        )}
        {children?.(item)}
      </li>
    ))}
  </ul>
)

function describe({
  item,
  amountCents,
  refundedCents,
  currency,
  paidAt,
  accessUntil,
  isForGood,
  state,
}: Purchase): string {
  const paid = `${formatMoney(amountCents, currency)} on ${formatDay(paidAt)}`
  if (refundedCents > 0 && state !== 'disputed') return `${paid}, ${formatMoney(refundedCents, currency)} refunded`
  if (isForGood) return `${paid}, ${item ? 'yours' : 'access'} for good`
  return accessUntil ? `${paid}, access until ${formatDay(accessUntil)}` : paid
}
