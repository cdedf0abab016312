import { Link } from 'react-router'
import { ScrollBox } from '#client/ui/scroll-box.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { type MovingMember, type PriceMove, reasonsToStay } from '#shared/contracts/billing/price-moves.ts'
import { formatDay, formatMoney } from '#shared/domain/format.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import type { SubscriptionPrice } from '#shared/domain/subscription-price.ts'

type Row = MovingMember & Partial<Pick<PriceMove['members'][number], 'state' | 'reason'>>

const tags = {
  planned: 'Email waits',
  announced: 'Emailed',
  moved: 'Moved',
  left: 'Not moved',
  kept: 'Keeps the price',
}

type MovingMembersProps = {
  members: readonly Row[]
  price: SubscriptionPrice
  /** All members, also those who aren't listed. */
  total: number
}

/** Who pays what from when. */
export function MovingMembers({ members, price, total }: MovingMembersProps) {
  const money = (cents: number) => formatMoney(cents, price.currency)
  return (
    <div>
      <ScrollBox label="Members and prices" className="max-h-112 overflow-auto border-y border-line">
        <table className="w-full text-left tabular-nums">
          <thead className="sticky top-0 bg-background text-sm text-muted">
            <tr>
              <th scope="col" className="py-2 pr-4 font-normal">
                Member
              </th>
              <th scope="col" className="py-2 pr-4 text-right font-normal">
                Now
              </th>
              <th scope="col" className="py-2 pr-4 text-right font-normal">
                New
              </th>
              <th scope="col" className="py-2 font-normal">
                From
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {members.map(({ userId, email, name, oldCents, newCents, at, state, reason }) => (
              <tr key={userId}>
                <td className="py-2 pr-4 [overflow-wrap:anywhere]">
                  <Link to={`/admin/members/${userId}`} className="text-link">
                    {name ?? email}
                  </Link>
                  {name && <span className="block text-sm text-muted">{email}</span>}
                  {reason && <span className="block text-sm text-muted">{reasonsToStay[reason]}</span>}
                </td>
                <td className="py-2 pr-4 text-right align-top">{money(oldCents)}</td>
                <td className="py-2 pr-4 text-right align-top">{money(newCents)}</td>
                <td className="py-2 align-top">
                  {state === 'left' || state === 'kept' ? '' : <time dateTime={at}>{formatDay(at)}</time>}
                  {state && (
                    <span className="block">
                      <Tag tone={state === 'moved' ? 'primary' : undefined}>{tags[state]}</Tag>
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {total > members.length && (
        <p className="mt-2 text-sm text-muted">And {formatNumber(total - members.length)} more.</p>
      )}
    </div>
  )
}
