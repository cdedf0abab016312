import { eq } from 'drizzle-orm'
import { firstOrNull } from '#server/db/first-or-null.ts'
import { emailPreferences } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'

export const exportedData: ExportParts = {
  emailPreferences: {
    tables: ['public.email_preferences'],
    read: (tx, userId) =>
      firstOrNull(
        tx
          .select({
            drops: emailPreferences.drops,
            news: emailPreferences.news,
            followUps: emailPreferences.followUps,
            assignments: emailPreferences.assignments,
            timeZone: emailPreferences.timeZone,
            dropTime: emailPreferences.dropTime,
            usualHour: emailPreferences.usualHour,
            allowsTracking: emailPreferences.allowsTracking,
            freeSince: emailPreferences.freeSince,
            updatedAt: emailPreferences.updatedAt,
            unsubscribedAt: emailPreferences.unsubscribedAt,
          })
          .from(emailPreferences)
          .where(eq(emailPreferences.userId, userId)),
      ),
  },
}
