import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { apiRequests } from '#server/db/schema/index.ts'
import type { Deps, Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import * as contracts from '#shared/contracts/operations/api-keys.ts'
import { createApiKey, listApiKeys, revokeApiKey } from './manage-api-keys.ts'
import { publicApiRoutes } from './public-api.routes.ts'

const apiKeysCalls = (deps: Deps): Implementation[] => [
  implement(contracts.adminApiKeysCall, () => listApiKeys(deps)),
  implement(contracts.adminCreateApiKeyCall, (wanted, who) => createApiKey(deps, who, wanted)),
  implement(contracts.adminRevokeApiKeyCall, ({ id }, who) => revokeApiKey(deps, who, id)),
]

/** Deletes kept answers of the API about the account. */
async function deleteApiAnswers(tx: Tx, userId: string): Promise<void> {
  await tx.delete(apiRequests).where(sql`${apiRequests.answer} ->> 'id' = ${userId}`)
}

export const apiKeysFeature: Feature = {
  calls: apiKeysCalls,
  routes: (deps) => [publicApiRoutes(deps)],
  onAccountDeleted: deleteApiAnswers,
}
