import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Skeleton } from '#client/ui/skeleton.tsx'
import type { AdminOverview } from '#shared/contracts/operations/admin-overview.ts'
import { formatCount, formatNumber } from '#shared/domain/format-count.ts'

/** Keeps the line height while the figure loads. */
const placeholder = '\u00a0'

/** The three figures of the dashboard. */
export function UserTotals({ totals }: { totals: NonNullable<AdminOverview['totals']> | undefined }) {
  return (
    <div className="mt-6 grid gap-x-8 sm:mt-8 sm:grid-cols-3">
      <StatCard label="Total Users" value={totals?.users} />
      <StatCard label="New This Week" value={totals?.newThisWeek} note="in the last 7 days" />
      <StatCard
        label="Active Subscriptions"
        value={totals?.activeSubscriptions}
        note={
          totals
            ? `of ${formatCount(totals.users, 'user')}${totals.paused > 0 ? `, ${formatNumber(totals.paused)} paused` : ''}`
            : placeholder
        }
      />
    </div>
  )
}

type StatCardProps = { label: string; value: number | undefined; note?: ReactNode }

/** One figure in a row of figures; on a phone, one per line. Shows a skeleton until the value is known. */
function StatCard({ label, value, note }: StatCardProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 border-b border-line py-2 sm:block sm:border-t-2 sm:border-b-0 sm:border-t-ink sm:pt-3 sm:pb-0">
      <h2 className={clsx('text-sm font-semibold text-muted', !note && 'max-sm:row-span-2')}>{label}</h2>
      <p className="display flex h-12 items-center text-3xl tabular-nums max-sm:col-start-2 max-sm:row-span-2 max-sm:row-start-1 sm:mt-1 sm:text-4xl">
        {value === undefined ? <Skeleton className="h-9 w-24" /> : formatNumber(value)}
      </p>
      <p className="text-sm text-muted max-sm:empty:hidden sm:mt-1 sm:min-h-6">{note}</p>
    </div>
  )
}
