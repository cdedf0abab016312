import type { Deps } from '#server/deps.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import {
  adminEmailFeedbackCall,
  adminLiftSuppressionCall,
  adminSuppressCall,
  adminSuppressionsCall,
} from '#shared/contracts/publishing/deliverability.ts'
import { listFeedback } from './list-feedback.ts'
import { lift, listSuppressions, suppress } from './suppression-list.ts'

export const deliverabilityCalls = (deps: Deps): Implementation[] => [
  implement(adminSuppressionsCall, (query) => listSuppressions(deps.database.db, deps.clock(), query)),
  implement(adminEmailFeedbackCall, (query) => listFeedback(deps.database.db, query)),
  implement(adminSuppressCall, (wanted, who) => suppress(deps, who, wanted)),
  implement(adminLiftSuppressionCall, (wanted, who) => lift(deps, who, wanted)),
]
