import { eq } from 'drizzle-orm'
import { firstOrNull } from '#server/db/database.ts'
import { userPreferences } from '#server/db/schema/index.ts'
import type { Deps, Feature, PersonReaders } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { defineResource } from '#server/protocol/define-resource.ts'
import { adminQuestionsCall, adminQuestionUseCall, adminSaveQuestionCall } from '#shared/contracts/reader/questions.ts'
import { optionLabel, optionLabels } from '#shared/domain/preferences.ts'
import { countQuestionUse, deletePreferences } from './preferences-store.ts'
import { listQuestions, readQuestions, saveQuestion } from './question-store.ts'

const exportedData: PersonReaders = {
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

function questionsCalls(deps: Deps): Implementation[] {
  const { db } = deps.database
  return [
    implement(adminQuestionsCall, () => listQuestions(db)),
    implement(adminSaveQuestionCall, async (given, who) => {
      await saveQuestion(deps, who, given)
      return listQuestions(db)
    }),
    implement(adminQuestionUseCall, ({ question }) => countQuestionUse(db, deps.config.settings.publication, question)),
  ]
}

/** Users can read their own preferences. A call validates and writes them. */
const userPreferencesResource = defineResource({
  name: 'user_preferences',
  table: userPreferences,
  readable: ['user_id', 'focus_areas', 'ai_level', 'goals', 'franchise_type', 'created_at', 'updated_at'],
  owner: 'user_id',
})

export const preferencesFeature: Feature = {
  calls: questionsCalls,
  resources: [userPreferencesResource],
  onProfileReset: deletePreferences,
  exportedData,
}
