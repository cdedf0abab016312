import type { Deps } from '#server/deps.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { adminViewAsCall, endViewAsCall } from '#shared/contracts/identity/view-as.ts'
import { endViewAs, startViewAs } from './view-as.ts'

export const viewAsCalls = (deps: Deps): Implementation[] => [
  implement(adminViewAsCall, ({ userId }, who) => startViewAs(deps, { ...who, sessionId: who.sessionId }, userId)),
  implement(endViewAsCall, (_input, who) => endViewAs(deps, who)),
]
