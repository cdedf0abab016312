import type { Deps } from '#server/deps.ts'
import { createFindPromptIssues } from '#server/features/library/content/prompt-issues.ts'
import { listPromptCategories } from '#server/features/library/content/read-library.ts'
import { findPreferences } from '#server/features/reader/preferences/preferences-store.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { promptSamplesCall } from '#shared/contracts/library/library.ts'
import { personalizeContentCall } from '#shared/contracts/reader/personalization.ts'
import { personalize } from './personalize.ts'
import { samplePrompts } from './sample-prompts.ts'

export function personalizationCalls(deps: Deps): Implementation[] {
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
