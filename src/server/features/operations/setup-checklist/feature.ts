import type { Deps, Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { adminSetupChecklistCall } from '#shared/contracts/operations/setup-checklist.ts'
import { readSetupItems } from './read-setup-items.ts'

const setupChecklistCalls = (deps: Deps): Implementation[] => [
  implement(adminSetupChecklistCall, async (wanted) => ({ items: await readSetupItems(deps, wanted) })),
]

export const setupChecklistFeature: Feature = {
  calls: setupChecklistCalls,
}
