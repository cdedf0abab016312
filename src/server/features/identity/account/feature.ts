import type { Feature } from '#server/feature.ts'
import { accountCalls } from './account.calls.ts'

export const accountFeature: Feature = {
  calls: accountCalls,
}
