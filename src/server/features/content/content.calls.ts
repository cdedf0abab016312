import type { Deps } from '#server/deps.ts'
import { type Implementation, implement } from '#server/http/functions.ts'
import { weeklyDropCall, weeklyDropsCall } from '#shared/contracts/issues.ts'
import { downloadGuideCall, guidesCall, promptPacksCall, toolsCall } from '#shared/contracts/library.ts'
import { createFindIssue, listIssues } from './read-issues.ts'
import { listGuides, listPromptCategories, listTools } from './read-library.ts'
import { startDownload } from './start-download.ts'

/** Paid content. All calls have the audience `subscriber`. */
export function contentCalls(deps: Deps): Implementation[] {
  const { db } = deps.database
  const findIssue = createFindIssue(db)
  return [
    implement(weeklyDropsCall, async () => ({ issues: await listIssues(db) })),
    implement(weeklyDropCall, async ({ slug }) => ({ issue: await findIssue(slug) })),
    implement(promptPacksCall, async () => ({ categories: await listPromptCategories(db) })),
    implement(guidesCall, async () => ({ guides: await listGuides(db) })),
    implement(downloadGuideCall, async ({ id }, who) => startDownload(deps, who.userId, id)),
    implement(toolsCall, async () => ({ tools: await listTools(db) })),
  ]
}
