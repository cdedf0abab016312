import type { Deps } from '#server/deps.ts'
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
    implement(adminSavePlanCall, async (given, who) => {
      await savePlan(deps, who, given)
      return listStoredPlans(deps)
    }),
    implement(adminRetirePlanCall, async (change, who) => {
      await retirePlan(deps, who, change)
      return listStoredPlans(deps)
    }),
    implement(adminOrderPlansCall, async ({ keys }, who) => {
      await orderPlans(deps, who, keys)
      return listStoredPlans(deps)
    }),
    implement(adminSaveTaxSettingsCall, async ({ settings, version }, who) => {
      await saveTaxSettings(deps, { settings, basedOn: version }, who)
      return listStoredPlans(deps)
    }),
    implement(adminPriceMoveCall, (input) => readPriceMove(deps, input)),
    implement(adminStartPriceMoveCall, async (start, who) => {
      await startPriceMove(deps, who, start)
      return readPriceMove(deps, start)
    }),
    implement(adminCancelPriceMoveCall, async ({ id }, who) => {
      const { plan } = await cancelPriceMove(deps, who, id)
      return readPriceMove(deps, { plan, noticeDays: usualNoticeDays })
    }),
  ]
}
