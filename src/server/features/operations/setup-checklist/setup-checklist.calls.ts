import type { Deps } from '#server/deps.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { adminSetupChecklistCall } from '#shared/contracts/operations/setup-checklist.ts'
import { readSetupItems } from './read-setup-items.ts'

export const setupChecklistCalls = (deps: Deps): Implementation[] => [
  implement(adminSetupChecklistCall, async (wanted) => ({ items: await readSetupItems(deps, wanted) })),
]
