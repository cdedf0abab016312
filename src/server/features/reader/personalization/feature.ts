import type { Deps, Feature } from '#server/feature.ts'
import { createFindPromptIssues } from '#server/features/library/content/prompt-issues.ts'
import { listPromptCategories } from '#server/features/library/content/read-library.ts'
import { findPreferences } from '#server/features/reader/preferences/preferences-store.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { type PromptCategory, promptSamplesCall, sampleCount } from '#shared/contracts/library/library.ts'
import { personalizeContentCall } from '#shared/contracts/reader/personalization.ts'
import { orderPrompts } from '#shared/domain/order-by-focus.ts'
import { verticalsOf } from '#shared/domain/verticals.ts'
import { personalize } from './personalize.ts'

/** The prompts that each category's page shows first to a reader with this franchise type. */
function samplePrompts(categories: readonly PromptCategory[], franchiseType: string | null) {
  const trade = verticalsOf(franchiseType)[0] ?? null
  return {
    trade,
    categories: categories.map((category) => ({
      ...category,
      prompts: orderPrompts(category.prompts, trade).slice(0, sampleCount),
    })),
  }
}

function personalizationCalls(deps: Deps): Implementation[] {
  const { db } = deps.database
  const findPromptIssues = createFindPromptIssues(db)
  return [
    implement(personalizeContentCall, ({ contentType }, who) =>
      personalize(db, deps.config.settings.publication, who.userId, contentType),
    ),
    implement(promptSamplesCall, async (_input, who) => {
      const preferences = await findPreferences(db, who.userId)
      return samplePrompts(await listPromptCategories(db, findPromptIssues), preferences?.franchiseType ?? null)
    }),
  ]
}

export const personalizationFeature: Feature = {
  calls: personalizationCalls,
}
