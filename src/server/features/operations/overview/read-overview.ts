import { and, desc, eq, isNotNull } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '#server/db/database.ts'
import { contentItems, tryTotals } from '#server/db/schema/index.ts'
import { readProblems } from '#server/features/operations/status/read-status.ts'
import { listSharedNotes } from '#server/features/reader/tries/tries-report.ts'
import type { adminOverviewCall } from '#shared/contracts/operations/admin-overview.ts'
import type { StaffRole } from '#shared/domain/staff-roles.ts'
import { readGrowth, readListHealth, readMoney } from './read-figures.ts'
import { readStuckMailings, readStuckMembers } from './read-stuck.ts'
import { readPausedCount, readTotals } from './read-totals.ts'
import { type OverviewDeps, readUpcoming } from './read-upcoming.ts'

const maxNotes = 3
const maxItems = 3

/** Items that readers tried lately, with their answers. Totals change by at least five answers at a time. */
async function readReaders(db: Db) {
  const [notes, items] = await Promise.all([
    listSharedNotes(db, { limit: maxNotes }),
    db
      .select({
        totals: tryTotals,
        title: contentItems.title,
        path: contentItems.path,
        removedAt: contentItems.removedAt,
      })
      .from(tryTotals)
      .innerJoin(contentItems, and(eq(contentItems.kind, tryTotals.kind), eq(contentItems.id, tryTotals.itemId)))
      .where(and(isNotNull(tryTotals.countedAt), isNotNull(tryTotals.breakdown)))
      .orderBy(desc(tryTotals.countedAt), tryTotals.kind, tryTotals.itemId)
      .limit(maxItems),
  ])
  return {
    notes: notes.items,
    items: items.flatMap(({ totals, title, path, removedAt }) =>
      totals.countedAt
        ? [
            {
              kind: totals.kind,
              id: totals.itemId,
              title,
              path: removedAt ? null : path,
              totals,
              countedAt: totals.countedAt.toISOString(),
            },
          ]
        : [],
    ),
  }
}

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
