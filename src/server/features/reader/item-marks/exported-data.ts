import { eq } from 'drizzle-orm'
import { readerVisits } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'

export const exportedData: ExportParts = {
  visits: {
    tables: ['public.reader_visits'],
    read: (tx, userId) =>
      tx
        .select({ startedAt: readerVisits.startedAt, previousAt: readerVisits.previousAt })
        .from(readerVisits)
        .where(eq(readerVisits.userId, userId)),
  },
}
