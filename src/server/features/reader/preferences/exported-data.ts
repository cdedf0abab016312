import { eq } from 'drizzle-orm'
import { firstOrNull } from '#server/db/first-or-null.ts'
import { userPreferences } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'

export const exportedData: ExportParts = {
  preferences: {
    tables: ['public.user_preferences'],
    read: (tx, userId) =>
      firstOrNull(
        tx
          .select({
            focusAreas: userPreferences.focusAreas,
            aiLevel: userPreferences.aiLevel,
            goals: userPreferences.goals,
            franchiseType: userPreferences.franchiseType,
            welcomeEmailAt: userPreferences.welcomedAt,
            createdAt: userPreferences.createdAt,
            updatedAt: userPreferences.updatedAt,
          })
          .from(userPreferences)
          .where(eq(userPreferences.userId, userId)),
      ),
  },
}
