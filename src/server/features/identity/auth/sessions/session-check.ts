import type { Deps } from '#server/feature.ts'
import type { SessionCheck } from '#server/http/principal.ts'
import { createVerifyBearer } from './access-token.ts'
import {
  assuranceLevelOf,
  requireLiveSession,
  type SessionFacts,
  type SessionRow,
  sessionFacts,
} from './session-row.ts'

type Found = SessionFacts & Pick<SessionRow, 'aal'> & { awaits_second_factor: boolean }

/** Session checks for statements that don't need the full principal. */
export const createSessionCheck = (deps: Deps): SessionCheck => ({
  readBearer: createVerifyBearer(deps),
  column: sessionFacts,
  requireLive(value, bearer) {
    const found = value === null ? null : (JSON.parse(value) as Found)
    return assuranceLevelOf(requireLiveSession(found, deps.clock()), bearer)
  },
})
