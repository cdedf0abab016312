import type { Deps } from '#server/deps.ts'
import { actorOf } from '#server/features/identity/auth/security/admin-event.ts'
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
  implement(adminSuppressCall, (wanted, who, request) => suppress(deps, actorOf(who, request), wanted)),
  implement(adminLiftSuppressionCall, (wanted, who, request) => lift(deps, actorOf(who, request), wanted)),
]
