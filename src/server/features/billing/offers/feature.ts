import type { Feature } from '#server/feature.ts'
import { offersCalls } from './offers.calls.ts'

export const offersFeature: Feature = {
  calls: offersCalls,
}
