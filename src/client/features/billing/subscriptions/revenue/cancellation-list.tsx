import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { pagedQuery } from '#client/lib/calls.ts'
import { InfiniteList } from '#client/ui/infinite-list.tsx'
import { SkeletonText } from '#client/ui/loading.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { adminCancellationsCall, type CancellationsPage } from '#shared/contracts/billing/admin-money.ts'
import { cancelReasons } from '#shared/contracts/billing/billing.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import { planName } from './format-revenue.ts'

const reasonText = (reason: keyof typeof cancelReasons | null) => (reason ? cancelReasons[reason] : 'No reason given')

/** Why customers cancel, and each cancellation with the customer's own words. */
export function CancellationList() {
  const list = useInfiniteQuery(pagedQuery(['admin-cancellations'], adminCancellationsCall, {}))
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const [first] = list.data?.pages ?? []
  return (
    <>
      {first && first.reasons.length > 0 && <Reasons reasons={first.reasons} />}
      <Section
        title="Who canceled"
        lede="Failed payments aren’t in this list. A cancellation that is undone leaves it."
      >
        <InfiniteList
          query={list}
          what="the cancellations"
          skeleton={<SkeletonText lines={6} height="h-14" />}
          empty={items.length === 0 ? 'No one has canceled yet.' : null}
        >
          <ul className="border-t-2 border-ink">
            {items.map((item) => (
              <CancellationRow key={item.subscriptionId} item={item} />
            ))}
          </ul>
        </InfiniteList>
      </Section>
    </>
  )
}

function Reasons({ reasons }: Pick<CancellationsPage, 'reasons'>) {
  const most = Math.max(...reasons.map(({ count }) => count))
  return (
    <Section title="Reasons in the last 12 months">
      <dl className="max-w-3xl">
        {reasons.map(({ reason, count }) => (
          <div
            key={reason ?? ''}
            className="grid grid-cols-[minmax(0,1fr)_3rem] items-center gap-x-4 border-b border-line py-2.5"
          >
            <dt>
              {reasonText(reason)}
              <span aria-hidden className="mt-1 block h-1.5 rounded-sm bg-sunken">
                <span className="block h-full rounded-sm bg-accent" style={{ width: `${(count / most) * 100}%` }} />
              </span>
            </dt>
            <dd className="text-right tabular-nums">{formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

function CancellationRow({ item }: { item: CancellationsPage['items'][number] }) {
  const { member, plan, reason, comment, canceledAt } = item
  return (
    <li className="grid gap-x-8 border-b border-line py-3 md:grid-cols-[minmax(0,4fr)_minmax(0,7fr)_10rem]">
      <div className="min-w-0 [overflow-wrap:anywhere]">
        {member ? (
          <Link to={`/admin/members/${member.id}`} className="text-link inline-flex min-h-11 items-center sm:min-h-0">
            {member.email}
          </Link>
        ) : (
          <span className="text-muted">Account deleted</span>
        )}
        <p className="text-sm text-muted">{planName(plan)}</p>
      </div>
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p>{reasonText(reason)}</p>
        {comment && <p className="text-muted">“{comment}”</p>}
      </div>
      <p className="text-sm text-muted tabular-nums md:text-right">
        <Timestamp at={canceledAt} />
      </p>
    </li>
  )
}
