import { and, eq } from 'drizzle-orm'
import { plan } from '#server/db/schema/index.ts'
import type { BillingDeps } from '#server/features/billing/subscriptions/billing-deps.ts'
import { applyPlans, readPlanRows } from '#server/features/billing/subscriptions/plan-store.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { updatedBy } from '#server/features/identity/auth/security/editor.ts'
import { AppError } from '#shared/errors.ts'
import { findPlanRow, withPlanLease } from './save-plan.ts'
import { syncPlansJob } from './sync-plans.ts'

/**
 * Takes a plan off sale, or puts it back. Its members keep it, and someone who is at its checkout can still pay.
 * @throws AppError not_found, edit_conflict, validation_failed for the last plan on sale
 */
export async function retirePlan(
  deps: BillingDeps,
  who: Actor,
  { key, version, retired }: { key: string; version: number; retired: boolean },
): Promise<void> {
  const { db } = deps.database
  await withPlanLease(deps, () =>
    db.transaction(async (tx) => {
      const row = await findPlanRow(tx, key)
      if (!row) throw new AppError('not_found')
      if ((row.retiredAt !== null) === retired) return
      if (row.version !== version) throw new AppError('edit_conflict')
      const others = (await readPlanRows(tx)).filter((other) => other.key !== key && other.retiredAt === null)
      if (retired && others.length === 0) {
        throw new AppError('validation_failed', {
          message: 'This is the only plan on sale. Create another one first, so that visitors can subscribe.',
        })
      }
      const now = deps.clock()
      await tx
        .update(plan)
        .set({ retiredAt: retired ? now : null, version: version + 1, updatedAt: now, ...updatedBy(who) })
        .where(and(eq(plan.key, key), eq(plan.version, version)))
      await recordAdminEvent(tx, who, {
        event: retired ? 'plan_retired' : 'plan_restored',
        object: { kind: 'plan', id: key, name: row.name },
        now,
      })
      await deps.enqueue(tx, syncPlansJob, { renamed: [] })
    }),
  )
  await applyPlans(db, deps.config)
}

/**
 * Stores the order of the plans.
 * @throws AppError edit_conflict if someone has created a plan meanwhile
 */
export async function orderPlans(deps: BillingDeps, who: Actor, keys: readonly string[]): Promise<void> {
  const { db } = deps.database
  await withPlanLease(deps, () =>
    db.transaction(async (tx) => {
      const rows = await readPlanRows(tx)
      const isSameSet = new Set(keys).size === rows.length && rows.every(({ key }) => keys.includes(key))
      if (!isSameSet) throw new AppError('edit_conflict')
      if (rows.every(({ key }, index) => key === keys[index])) return
      for (const [position, key] of keys.entries()) await tx.update(plan).set({ position }).where(eq(plan.key, key))
      const names = (order: readonly string[]) =>
        order.map((key) => rows.find((row) => row.key === key)?.name ?? key).join(', ')
      await recordAdminEvent(tx, who, {
        event: 'plans_ordered',
        changes: [{ field: 'order', before: names(rows.map(({ key }) => key)), after: names(keys) }],
        now: deps.clock(),
      })
    }),
  )
  await applyPlans(db, deps.config)
}
