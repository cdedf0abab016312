import { StatCard } from '#client/ui/stat-card.tsx'
import type { AdminUsersPage } from '#shared/contracts/admin-users.ts'

/** Keeps the line height while the figure loads. */
const placeholder = '\u00a0'

const whole = new Intl.NumberFormat('en-US')

/** The three figures of the dashboard. */
export function UserTotals({ totals }: { totals: AdminUsersPage['totals'] | undefined }) {
  return (
    <div className="mt-6 grid gap-x-8 sm:mt-8 sm:grid-cols-3">
      <StatCard label="Total Users" value={totals?.total_users} />
      <StatCard label="New This Week" value={totals?.new_this_week} note="in the last 7 days" />
      <StatCard
        label="Active Subscriptions"
        value={totals?.active_subscriptions}
        note={totals ? `of ${whole.format(totals.total_users)} users` : placeholder}
      />
    </div>
  )
}
