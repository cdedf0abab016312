import type { Feature } from '#server/feature.ts'
import { trustPagesCalls } from './trust-pages.calls.ts'

export const trustPagesFeature: Feature = {
  calls: trustPagesCalls,
}
