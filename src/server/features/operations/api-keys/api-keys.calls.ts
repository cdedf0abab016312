import type { Deps } from '#server/deps.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import {
  adminApiKeysCall,
  adminCreateApiKeyCall,
  adminRevokeApiKeyCall,
} from '#shared/contracts/operations/api-keys.ts'
import { createApiKey, listApiKeys, revokeApiKey } from './manage-api-keys.ts'

export const apiKeysCalls = (deps: Deps): Implementation[] => [
  implement(adminApiKeysCall, () => listApiKeys(deps)),
  implement(adminCreateApiKeyCall, (wanted, who) => createApiKey(deps, who, wanted)),
  implement(adminRevokeApiKeyCall, ({ id }, who) => revokeApiKey(deps, who, id)),
]
