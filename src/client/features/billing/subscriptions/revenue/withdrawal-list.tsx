import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { pagedQuery } from '#client/lib/calls.ts'
import { InfiniteList } from '#client/ui/infinite-list.tsx'
import { SkeletonText } from '#client/ui/loading.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { adminWithdrawalsCall, type WithdrawalsPage } from '#shared/contracts/billing/admin-money.ts'
import { formatMoney } from '#shared/domain/format.ts'

type Item = WithdrawalsPage['items'][number]

/** Who withdrew from a purchase, and what they got back. */
export function WithdrawalList() {
  const list = useInfiniteQuery(pagedQuery(['admin-withdrawals'], adminWithdrawalsCall, {}))
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Section title="Withdrawals" lede="Refunds within 14 days of a purchase, by the form on your site.">
      <InfiniteList
        query={list}
        what="the withdrawals"
        skeleton={<SkeletonText lines={3} height="h-14" />}
        empty={items.length === 0 ? 'No one has withdrawn from a purchase yet.' : null}
      >
        <ul aria-label="Withdrawals" className="border-t-2 border-ink">
          {items.map((item) => (
            <WithdrawalRow key={item.id} item={item} />
          ))}
        </ul>
      </InfiniteList>
    </Section>
  )
}

function refundText({ state, refundCents, refundedCents, currency }: Item): string {
  const [promised, refunded] = [formatMoney(refundCents, currency), formatMoney(refundedCents, currency)]
  if (state === 'refunded') return `${promised} refunded`
  if (state === 'waiting')
    return `${promised} not refunded yet. We try again every hour; a disputed payment waits for the bank.`
  if (state === 'disputed')
    return `${promised} not refunded: the payment is disputed. It’s refunded if you win the dispute.`
  return `${refunded} of ${promised} refunded. The bank took back the rest in a dispute.`
}

function WithdrawalRow({ item }: { item: Item }) {
  const { memberId, email, name, purchase, creditCents, currency, withdrawnAt } = item
  return (
    <li className="grid gap-x-8 border-b border-line py-3 md:grid-cols-[minmax(0,4fr)_minmax(0,7fr)_10rem]">
      <div className="min-w-0 [overflow-wrap:anywhere]">
        {memberId ? (
          <Link to={`/admin/members/${memberId}`} className="text-link inline-flex min-h-11 items-center sm:min-h-0">
            {email}
          </Link>
        ) : (
          <span className={email ? '' : 'text-muted'}>{email || 'Account deleted'}</span>
        )}
        {name && <p className="text-sm text-muted">{name}</p>}
      </div>
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p>{purchase}</p>
        <p className="text-muted">{refundText(item)}</p>
        {creditCents > 0 && (
          <p className="text-muted">
            {formatMoney(creditCents, currency)} of credit is left at Stripe, and isn’t refunded.
          </p>
        )}
      </div>
      <p className="text-sm text-muted tabular-nums md:text-right">
        <Timestamp at={withdrawnAt} />
      </p>
    </li>
  )
}
