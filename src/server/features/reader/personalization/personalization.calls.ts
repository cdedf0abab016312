import type { Deps } from '#server/deps.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { personalizeContentCall } from '#shared/contracts/reader/personalization.ts'
import { personalize } from './personalize.ts'

export const personalizationCalls = (deps: Deps): Implementation[] => [
  implement(personalizeContentCall, ({ contentType }, who) =>
    personalize(deps.database.db, deps.config.settings.publication, who.userId, contentType),
  ),
]
