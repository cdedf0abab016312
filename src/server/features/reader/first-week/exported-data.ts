import { firstWeek } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'
import { ownRow } from '#server/own-rows.ts'

export const exportedData: ExportParts = {
  firstWeek: ownRow(firstWeek.userId, {
    startedAt: firstWeek.startedAt,
    startPageAt: firstWeek.startPageAt,
    dismissedAt: firstWeek.dismissedAt,
  }),
}
