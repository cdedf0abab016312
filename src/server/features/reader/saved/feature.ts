import type { Feature } from '#server/feature.ts'
import { savedCalls } from './saved.calls.ts'

export const savedFeature: Feature = {
  calls: savedCalls,
}
