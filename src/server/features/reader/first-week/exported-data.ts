import { eq } from 'drizzle-orm'
import { firstOrNull } from '#server/db/first-or-null.ts'
import { firstWeek } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'

export const exportedData: ExportParts = {
  firstWeek: {
    tables: ['public.first_week'],
    read: (tx, userId) =>
      firstOrNull(
        tx
          .select({
            startedAt: firstWeek.startedAt,
            startPageAt: firstWeek.startPageAt,
            dismissedAt: firstWeek.dismissedAt,
          })
          .from(firstWeek)
          .where(eq(firstWeek.userId, userId)),
      ),
  },
}
