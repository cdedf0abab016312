import type { Deps } from '#server/deps.ts'
import type { Implementation } from '#server/http/functions.ts'

export const billingCalls = (_deps: Deps): Implementation[] => []
