import type { Deps } from '#server/deps.ts'
import type { Implementation } from '#server/http/functions.ts'

export const contentCalls = (_deps: Deps): Implementation[] => []
