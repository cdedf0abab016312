import type { Deps } from '#server/deps.ts'
import { actorOf } from '#server/features/identity/auth/security/admin-event.ts'
import { requireStepUp } from '#server/features/identity/auth/security/step-up.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import {
  adminOrderPlansCall,
  adminPlansCall,
  adminRetirePlanCall,
  adminSavePlanCall,
} from '#shared/contracts/billing/admin-plans.ts'
import { listStoredPlans } from './list-plans.ts'
import { orderPlans, retirePlan } from './retire-plan.ts'
import { savePlan } from './save-plan.ts'

/** The plans that are sold, as owners edit them. */
export function plansCalls(deps: Deps): Implementation[] {
  return [
    implement(adminPlansCall, () => listStoredPlans(deps)),
    implement(adminSavePlanCall, async (given, who, request) => {
      await requireStepUp(deps, who)
      await savePlan(deps, actorOf(who, request), given)
      return listStoredPlans(deps)
    }),
    implement(adminRetirePlanCall, async (change, who, request) => {
      await requireStepUp(deps, who)
      await retirePlan(deps, actorOf(who, request), change)
      return listStoredPlans(deps)
    }),
    implement(adminOrderPlansCall, async ({ keys }, who, request) => {
      await orderPlans(deps, actorOf(who, request), keys)
      return listStoredPlans(deps)
    }),
  ]
}
