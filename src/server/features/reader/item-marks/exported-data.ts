import { readerVisits } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'
import { ownRows } from '#server/own-rows.ts'

export const exportedData: ExportParts = {
  visits: ownRows(readerVisits.userId, { startedAt: readerVisits.startedAt, previousAt: readerVisits.previousAt }),
}
