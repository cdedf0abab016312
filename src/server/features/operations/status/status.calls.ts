import type { Deps } from '#server/deps.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { adminStatusCall } from '#shared/contracts/operations/admin-status.ts'
import { readStatus } from './read-status.ts'

export const statusCalls = (deps: Deps): Implementation[] => [implement(adminStatusCall, () => readStatus(deps))]
