import type { Feature } from '#server/feature.ts'
import { sitePagesCalls } from './site-pages.calls.ts'

export const sitePagesFeature: Feature = {
  calls: sitePagesCalls,
}
