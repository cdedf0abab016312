import type { Deps } from '#server/deps.ts'
import { actorOf } from '#server/features/identity/auth/security/admin-event.ts'
import { requireStepUp } from '#server/features/identity/auth/security/step-up.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { adminViewAsCall, endViewAsCall } from '#shared/contracts/identity/view-as.ts'
import { endViewAs, startViewAs } from './view-as.ts'

export const viewAsCalls = (deps: Deps): Implementation[] => [
  implement(adminViewAsCall, async ({ userId }, who, request) => {
    await requireStepUp(deps, who)
    return startViewAs(deps, { ...actorOf(who, request), sessionId: who.sessionId }, userId)
  }),
  implement(endViewAsCall, (_input, who) => endViewAs(deps, who)),
]
