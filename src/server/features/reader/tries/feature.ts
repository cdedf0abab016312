import type { Feature } from '#server/feature.ts'
import { forgetTries } from './count-answers.ts'
import { triesCalls } from './tries.calls.ts'

export const triesFeature: Feature = {
  calls: triesCalls,
  onAccountDeleted: forgetTries,
}
