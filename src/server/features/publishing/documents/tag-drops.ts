import { isDeepStrictEqual } from 'node:util'
import { contentDocument } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import type { Editor } from '#server/features/identity/auth/security/editor.ts'
import { issueDraftSchema } from '#shared/contracts/publishing/documents.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { deriveIssue } from '#shared/domain/derive-issue.ts'
import { inOptionOrder, optionLabels } from '#shared/domain/preferences.ts'
import { writePublished } from './publish-document.ts'
import { requireOffered } from './require-offered-options.ts'
import { auditObjectOf, isDocument, lockDocument } from './stored-document.ts'
import { replaceDraft } from './write-document.ts'

type TagChange = { ids: readonly string[]; add: readonly string[]; remove: readonly string[] }

/**
 * Changes the tags of several drops in one transaction, each as a version of its own. Where the latest version is the
 * published one, readers get the new tags at once.
 * @throws AppError not_found, validation_failed
 */
export async function tagDrops(
  { config, database, clock }: Pick<Deps, 'config' | 'database' | 'clock'>,
  editor: Editor,
  { ids, add, remove }: TagChange,
): Promise<{ changed: string[] }> {
  const { publication } = config.settings
  requireOffered(publication, 'focusAreas', add)
  return database.db.transaction(async (tx) => {
    const now = clock()
    const changed: string[] = []
    for (const id of [...new Set(ids)].sort()) {
      const name = { kind: 'issue', id } as const
      const row = await lockDocument(tx, name)
      const draft = issueDraftSchema.parse(row.document)
      const shown = deriveIssue(publication, draft).tags
      const tags = inOptionOrder(publication, 'focusAreas', [...shown, ...add]).filter((area) => !remove.includes(area))
      if (isDeepStrictEqual(tags, shown)) continue
      const after = await replaceDraft(tx, row, { ...draft, tags }, editor, now, true)
      if (row.publishedVersion === row.version) {
        await writePublished(tx, publication, 'issue', id, after.document, now)
        await tx.update(contentDocument).set({ publishedVersion: after.version }).where(isDocument(name))
      }
      const changes = changesBetween(
        { tags: optionLabels(publication, 'focusAreas', shown) },
        { tags: optionLabels(publication, 'focusAreas', tags) },
      )
      await recordAdminEvent(tx, editor, { event: 'content_edited', object: auditObjectOf(after), changes, now })
      changed.push(id)
    }
    return { changed }
  })
}
