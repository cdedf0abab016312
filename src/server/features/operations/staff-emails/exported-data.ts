import { asc, eq } from 'drizzle-orm'
import { staffEmailChoice } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'

export const exportedData: ExportParts = {
  staffEmails: {
    tables: ['public.staff_email_choice'],
    read: (tx, userId) =>
      tx
        .select({ kind: staffEmailChoice.kind, chosenAt: staffEmailChoice.chosenAt })
        .from(staffEmailChoice)
        .where(eq(staffEmailChoice.userId, userId))
        .orderBy(asc(staffEmailChoice.kind)),
  },
}
