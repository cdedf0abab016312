import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { Section } from '#client/ui/page-parts.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { adminRetentionOffersCall, type RetentionReport } from '#shared/contracts/billing/admin-money.ts'
import { cancelReasons } from '#shared/contracts/billing/billing.ts'
import { formatNumber } from '#shared/domain/format-count.ts'

const kinds: Record<RetentionReport['offers'][number]['kind'], string> = {
  pause: 'A pause',
  yearly: 'The yearly price',
  cheaper_plan: 'A cheaper plan',
  discount: 'A month at half price',
}

/** Shows what members who wanted to cancel were offered, and who stayed. Empty without offers. */
export function RetentionOffers() {
  const { data } = useQuery(alwaysStaleQuery(['admin-retention-offers'], adminRetentionOffersCall, {}))
  if (!data || data.offers.length === 0) return null
  return (
    <>
      <Section
        title="Offers to stay"
        lede="What members were offered when they gave a reason for canceling, in the last 12 months. Each gets at most one offer a year."
      >
        <div className="overflow-x-auto">
          <table className="w-full max-w-3xl text-left tabular-nums">
            <thead className="border-b-2 border-ink text-sm text-muted">
              <tr>
                <th className="py-2 pr-4 font-semibold">Reason</th>
                <th className="py-2 pr-4 font-semibold">Offer</th>
                <th className="py-2 pr-4 text-right font-semibold">Offered</th>
                <th className="py-2 text-right font-semibold">Taken</th>
              </tr>
            </thead>
            <tbody>
              {data.offers.map(({ reason, kind, offered, taken }) => (
                <tr key={`${reason} ${kind}`} className="border-b border-line">
                  <td className="py-2.5 pr-4">{cancelReasons[reason]}</td>
                  <td className="py-2.5 pr-4">{kinds[kind]}</td>
                  <td className="py-2.5 pr-4 text-right">{formatNumber(offered)}</td>
                  <td className="py-2.5 text-right">{formatNumber(taken)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Section>
      {data.stayed.length > 0 && (
        <Section title="Who stayed">
          <ul className="border-t-2 border-ink">
            {data.stayed.map((stay) => (
              <StayRow key={`${stay.takenAt} ${stay.member?.id}`} stay={stay} />
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

function StayRow({ stay: { member, reason, kind, comment, takenAt } }: { stay: RetentionReport['stayed'][number] }) {
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
        <p className="text-sm text-muted">{kinds[kind]}</p>
      </div>
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p>{cancelReasons[reason]}</p>
        {comment && <p className="text-muted">“{comment}”</p>}
      </div>
      <p className="text-sm text-muted tabular-nums md:text-right">
        <Timestamp at={takenAt} />
      </p>
    </li>
  )
}
