import type { BillingDeps } from '#server/features/billing/subscriptions/billing-deps.ts'
import { applyPlans, readPlanRows } from '#server/features/billing/subscriptions/plan-store.ts'
import type { Actor } from '#server/features/identity/auth/security/admin-event.ts'
import { isInUse, saveOrder, setRetired } from '#server/features/identity/auth/security/retirable-list.ts'
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
      const isUnchanged = !row || !isInUse(row) === retired
      await setRetired(tx, 'plan', row, { who, version, retired, now: deps.clock() }, async () => {
        const others = (await readPlanRows(tx)).filter((other) => other.key !== key && isInUse(other))
        if (!retired || others.length > 0) return
        throw new AppError('validation_failed', {
          message: 'This is the only plan on sale. Create another one first, so that visitors can subscribe.',
        })
      })
      if (isUnchanged) return
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
      await saveOrder(tx, 'plan', await readPlanRows(tx), keys, { who, now: deps.clock() })
    }),
  )
  await applyPlans(db, deps.config)
}
