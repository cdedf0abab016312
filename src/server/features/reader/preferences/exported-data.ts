import { eq } from 'drizzle-orm'
import { firstOrNull } from '#server/db/first-or-null.ts'
import { userPreferences } from '#server/db/schema/index.ts'
import type { PersonReaders } from '#server/feature.ts'
import { optionLabel, optionLabels } from '#shared/domain/preferences.ts'
import { readQuestions } from './question-store.ts'

export const exportedData: PersonReaders = {
  preferences: async (tx, userId) => {
    const answers = await firstOrNull(
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
    )
    const publication = { questions: await readQuestions(tx) }
    return (
      answers && {
        ...answers,
        focusAreas: optionLabels(publication, 'focusAreas', answers.focusAreas),
        aiLevel: optionLabel(publication, 'aiLevel', answers.aiLevel),
        goals: optionLabels(publication, 'goals', answers.goals),
        franchiseType: answers.franchiseType && optionLabel(publication, 'franchiseType', answers.franchiseType),
      }
    )
  },
}
