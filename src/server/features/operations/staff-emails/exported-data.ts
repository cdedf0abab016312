import { asc } from 'drizzle-orm'
import { staffEmailChoice } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'
import { ownRows } from '#server/own-rows.ts'

export const exportedData: ExportParts = {
  staffEmails: ownRows(
    staffEmailChoice.userId,
    { kind: staffEmailChoice.kind, chosenAt: staffEmailChoice.chosenAt },
    asc(staffEmailChoice.kind),
  ),
}
