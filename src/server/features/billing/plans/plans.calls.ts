import type { Deps } from '#server/deps.ts'
import { actorOf } from '#server/features/identity/auth/security/admin-event.ts'
import { requireStepUp } from '#server/features/identity/auth/security/step-up.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import {
  adminOrderPlansCall,
  adminPlansCall,
  adminRetirePlanCall,
  adminSavePlanCall,
  adminSaveTaxSettingsCall,
} from '#shared/contracts/billing/admin-plans.ts'
import {
  adminCancelPriceMoveCall,
  adminPriceMoveCall,
  adminStartPriceMoveCall,
  usualNoticeDays,
} from '#shared/contracts/billing/price-moves.ts'
import { listStoredPlans } from './list-plans.ts'
import { cancelPriceMove, startPriceMove } from './price-moves/price-moves.ts'
import { readPriceMove } from './price-moves/read-price-move.ts'
import { orderPlans, retirePlan } from './retire-plan.ts'
import { savePlan } from './save-plan.ts'
import { saveTaxSettings } from './save-tax-settings.ts'

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
    implement(adminSaveTaxSettingsCall, async ({ settings, version }, who, request) => {
      await requireStepUp(deps, who)
      await saveTaxSettings(deps, { settings, basedOn: version }, actorOf(who, request))
      return listStoredPlans(deps)
    }),
    implement(adminPriceMoveCall, (input) => readPriceMove(deps, input)),
    implement(adminStartPriceMoveCall, async (start, who, request) => {
      await requireStepUp(deps, who)
      await startPriceMove(deps, actorOf(who, request), start)
      return readPriceMove(deps, start)
    }),
    implement(adminCancelPriceMoveCall, async ({ id }, who, request) => {
      await requireStepUp(deps, who)
      const { plan } = await cancelPriceMove(deps, actorOf(who, request), id)
      return readPriceMove(deps, { plan, noticeDays: usualNoticeDays })
    }),
  ]
}
