import type { Tx } from '#server/db/database.ts'
import { contentDocument } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { type Editor, updatedBy } from '#server/features/identity/auth/security/editor.ts'
import { syncContentItems } from '#server/features/library/content/sync-content-items.ts'
import type { DocumentKind, IssueDraft } from '#shared/contracts/publishing/documents.ts'
import { errorsIn, publishableSchemas } from '#shared/contracts/publishing/publishable.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { deriveIssue } from '#shared/domain/derive-issue.ts'
import type { Questions } from '#shared/domain/preferences.ts'
import { AppError } from '#shared/errors.ts'
import { checkDocument } from './check-document.ts'
import { clearSchedule } from './document-schedule.ts'
import { withSlug } from './issue-slug.ts'
import { recordRevision } from './revisions.ts'
import {
  auditObjectOf,
  type DocumentKey,
  isDocument,
  lockDocument,
  requireCurrentVersion,
  toStoredDocument,
} from './stored-document.ts'
import { publishedWriters } from './write-published.ts'

/**
 * Publishes a saved version. Readers see it with their next request, on every node.
 * @throws AppError not_publishable with `problems`; edit_conflict if there is a newer version; not_found
 */
export async function publishDocument(
  { config, database, clock }: Pick<Deps, 'config' | 'database' | 'clock'>,
  editor: Editor,
  { expectedDrops, ...name }: DocumentKey & { version: number; expectedDrops?: ReadonlySet<string> },
): Promise<StoredDocument> {
  return database.db.transaction(async (tx) => {
    const before = await lockDocument(tx, name)
    await requireCurrentVersion(tx, before, name.version)
    const now = clock()
    const problems = errorsIn(
      await checkDocument(tx, name, before.document, { now, publishAt: now, ...(expectedDrops && { expectedDrops }) }),
    )
    if (problems.length > 0) throw new AppError('not_publishable', { extra: { problems } })
    await writePublished(tx, config.settings.publication, name.kind, name.id, before.document, now)
    await clearSchedule(tx, name)
    if (before.publishedVersion === before.version) return toStoredDocument(tx, { ...before, publishFailure: null })
    const [after = before] = await tx
      .update(contentDocument)
      .set({ publishedVersion: before.version, editedInAdmin: true, updatedAt: now, ...updatedBy(editor) })
      .where(isDocument(name))
      .returning()
    await recordRevision(tx, after, 'published', before)
    const changes = changesBetween({ version: before.publishedVersion }, { version: before.version })
    await recordAdminEvent(tx, editor, { event: 'content_published', object: auditObjectOf(after), changes, now })
    return toStoredDocument(tx, after)
  })
}

/** Copies a document to the tables that readers see. @throws ZodError unless `checkDocument` found no problems */
export async function writePublished<Kind extends DocumentKind>(
  tx: Tx,
  publication: Questions,
  kind: Kind,
  id: string,
  document: unknown,
  now: Date,
) {
  const complete =
    kind === 'issue' ? deriveIssue(publication, await withSlug(tx, id, document as IssueDraft)) : document
  const parsed = publishableSchemas[kind].parse(complete)
  await publishedWriters[kind](tx, id, parsed as Parameters<(typeof publishedWriters)[Kind]>[2], now)
  await syncContentItems(tx, now, { kind, id })
}
