import type { Deps } from '#server/feature.ts'
import { itemsOpenTo, requireGuide } from '#server/features/billing/purchases/owned-items.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { weeklyDropCall, weeklyDropsCall } from '#shared/contracts/library/issues.ts'
import * as contracts from '#shared/contracts/library/library.ts'
import { glossaryCall, safetyCall, startHereCall } from '#shared/contracts/publishing/content-pages.ts'
import { readItemNotes } from './item-notes.ts'
import { createFindPromptIssues } from './prompt-issues.ts'
import { createFindIssue, listIssues } from './read-issues.ts'
import { listGuides, listPromptCategories, listTools } from './read-library.ts'
import { readGlossary, readSafety, readStartHere } from './read-pages.ts'
import { startDownload, startTestSheetDownload } from './start-download.ts'
import { openTextFile } from './text-file.ts'

/** Content for readers. */
export function contentCalls(deps: Deps): Implementation[] {
  const { db } = deps.database
  const findIssue = createFindIssue(db)
  const findPromptIssues = createFindPromptIssues(db)
  return [
    implement(weeklyDropsCall, async () => ({ issues: await listIssues(db) })),
    implement(weeklyDropCall, async ({ slug }) => {
      const [issue, notes] = await Promise.all([findIssue(slug), readItemNotes(db)])
      return { issue: { ...issue, rules: notes.rulesFor(slug) } }
    }),
    implement(contracts.promptPacksCall, async (_input, who) => ({
      categories: await listPromptCategories(db, findPromptIssues, (await itemsOpenTo(deps, who))?.packs),
    })),
    implement(contracts.guidesCall, async (_input, who) => ({
      guides: await listGuides(deps, who, (await itemsOpenTo(deps, who))?.guides),
    })),
    implement(contracts.downloadGuideCall, async ({ id }, who) =>
      startDownload(deps, who.userId, id, await requireGuide(deps, who, id)),
    ),
    implement(contracts.openTextFileCall, async ({ path }, who) => openTextFile(deps, who.userId, path)),
    implement(contracts.toolsCall, async () => ({ tools: await listTools(db) })),
    implement(contracts.downloadTestSheetCall, async ({ id }, who) => startTestSheetDownload(deps, who.userId, id)),
    implement(glossaryCall, async () => readGlossary(db)),
    implement(safetyCall, async () => ({ safety: await readSafety(db) })),
    implement(startHereCall, async () => ({ startHere: await readStartHere(db) })),
  ]
}
