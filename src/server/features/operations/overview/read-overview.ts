import type { z } from 'zod'
import { readPausedCount, readTotals } from '#server/features/operations/admin/read-totals.ts'
import { readProblems } from '#server/features/operations/status/read-facts.ts'
import type { adminOverviewCall } from '#shared/contracts/operations/admin-overview.ts'
import type { StaffRole } from '#shared/domain/staff-roles.ts'
import { readGrowth, readListHealth, readMoney } from './read-figures.ts'
import { readReaders } from './read-readers.ts'
import { readStuckMailings, readStuckMembers } from './read-stuck.ts'
import { type OverviewDeps, readUpcoming } from './read-upcoming.ts'

type Overview = z.input<typeof adminOverviewCall.output>

/** Who sees which part. Nothing of the other parts is read. */
const rolesOf: Record<keyof Overview, readonly StaffRole[]> = {
  totals: ['owner', 'support', 'viewer'],
  upcoming: ['owner', 'editor'],
  stuckMembers: ['owner', 'support'],
  stuckMailings: ['owner', 'editor'],
  readers: ['owner', 'editor'],
  growth: ['owner', 'support', 'viewer'],
  listHealth: ['owner', 'editor', 'viewer'],
  problems: ['owner', 'editor', 'support'],
  money: ['owner', 'viewer'],
}

export async function readOverview(deps: OverviewDeps, role: StaffRole | null): Promise<Overview> {
  const { db } = deps.database
  const now = deps.clock()
  const forRole = <Part>(name: keyof Overview, read: () => Promise<Part>): Promise<Part | null> =>
    role && rolesOf[name].includes(role) ? read() : Promise.resolve(null)
  const [totals, upcoming, stuckMembers, stuckMailings, readers, growth, listHealth, problems, money] =
    await Promise.all([
      forRole('totals', async () => {
        const [{ total_users, new_this_week, active_subscriptions }, paused] = await Promise.all([
          readTotals(db, now),
          readPausedCount(db, now),
        ])
        return {
          users: total_users,
          newThisWeek: new_this_week,
          activeSubscriptions: active_subscriptions,
          paused,
        }
      }),
      forRole('upcoming', () => readUpcoming(deps, now)),
      forRole('stuckMembers', () => readStuckMembers(db, now)),
      forRole('stuckMailings', () => readStuckMailings(db, now)),
      forRole('readers', () => readReaders(db)),
      forRole('growth', () => readGrowth(db, now)),
      forRole('listHealth', () => readListHealth(db, now)),
      forRole('problems', () => readProblems(deps)),
      forRole('money', () => readMoney(db, deps.config.settings.publication, now)),
    ])
  return { totals, upcoming, stuckMembers, stuckMailings, readers, growth, listHealth, problems, money }
}
