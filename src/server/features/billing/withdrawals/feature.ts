import { and, eq, isNotNull, isNull, lt } from 'drizzle-orm'
import { personRows } from '#server/db/person-rows.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { users, withdrawal } from '#server/db/schema/index.ts'
import type { Feature } from '#server/feature.ts'
import type { GiftDeps } from '#server/features/billing/gifts/gift-links.ts'
import { implement } from '#server/http/product-calls.ts'
import { scheduledJobs } from '#server/jobs/jobs.ts'
import { adminWithdrawalsCall } from '#shared/contracts/billing/admin-money.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { listWithdrawals } from './list-withdrawals.ts'
import { trySettle } from './withdraw.ts'
import { withdrawalRoutes } from './withdrawal.routes.ts'

/** How long unconfirmed declarations are kept. */
const unconfirmedMs = 60 * dayMs

/** Retries withdrawals that wait for Stripe or a bank. Does nothing while on hold after a restore. */
export async function workOnWithdrawals(deps: GiftDeps): Promise<void> {
  const { db } = deps.database
  if (await isOnHold(db)) return
  const before = new Date(deps.clock().getTime() - unconfirmedMs)
  await db.delete(withdrawal).where(and(isNull(withdrawal.confirmedAt), lt(withdrawal.declaredAt, before)))
  const open = and(isNotNull(withdrawal.confirmedAt), isNull(withdrawal.settledAt))
  for (const row of await db.select().from(withdrawal).where(open).limit(100)) await trySettle(deps, row)
}

export const withdrawalsFeature: Feature = {
  routes: (deps) => [withdrawalRoutes(deps)],
  calls: (deps) => [implement(adminWithdrawalsCall, (query) => listWithdrawals(deps.database.db, query))],
  jobs: (deps) =>
    scheduledJobs({ withdrawals: { cron: '37 * * * *', retryLimit: 1, run: () => workOnWithdrawals(deps) } }),
  onAccountDeleted: async (tx, userId) => {
    const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
    if (user?.email) await tx.update(withdrawal).set({ name: '', email: '' }).where(eq(withdrawal.email, user.email))
  },
  exportedData: {
    withdrawals: async (tx, userId) => {
      const own = and(eq(users.id, userId), isNotNull(users.emailConfirmedAt))
      const [user] = await tx.select({ email: users.email }).from(users).where(own)
      const columns = ['name', 'declaredAt', 'confirmedAt', 'contractName', 'refundCents', 'currency'] as const
      return personRows(tx, withdrawal, { of: 'email', columns, order: ['declaredAt'] }, user?.email ?? '-')
    },
  },
}
