import type { Tx } from '#server/db/database.ts'
import { contentDocument } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { type Editor, updatedBy } from '#server/features/identity/auth/security/editor.ts'
import { syncContentItems } from '#server/features/library/content/sync-content-items.ts'
import type { DocumentKind, IssueDraft } from '#shared/contracts/publishing/documents.ts'
import { errorsIn, type Problem, publishableSchemas } from '#shared/contracts/publishing/publishable.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { deriveIssue } from '#shared/domain/derive-issue.ts'
import type { Questions } from '#shared/domain/preferences.ts'
import { AppError } from '#shared/errors.ts'
import { type CheckTimes, checkDocument } from './check-document.ts'
import { clearSchedule } from './document-schedule.ts'
import { recordRevision } from './revisions.ts'
import {
  auditObjectOf,
  type DocumentKey,
  type DocumentRow,
  isDocument,
  lockDocument,
  requireCurrentVersion,
  toStoredDocument,
  withSlug,
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
    const { version, document, publishedVersion } = before
    const text = { version, document, ...updatedBy(editor) }
    const times = { now, publishAt: now, ...(expectedDrops && { expectedDrops }) }
    const { problems, published } = await publish(tx, config, before, text, { ...times, actor: editor })
    if (!published) throw new AppError('not_publishable', { extra: { problems } })
    const changed = { updatedAt: now, ...updatedBy(editor) }
    if (publishedVersion !== version) await tx.update(contentDocument).set(changed).where(isDocument(name))
    return toStoredDocument(tx, published)
  })
}

type PublishedText = Pick<DocumentRow, 'version' | 'document' | 'updatedBy' | 'updatedById'>

/**
 * Publishes a text of a locked document in place of what readers see: the present draft, or an earlier one that was
 * scheduled. The draft stays as it is.
 * @returns the document as if the text were its draft; null with the errors if it can't be published
 */
export async function publish(
  tx: Tx,
  { settings }: Pick<Deps['config'], 'settings'>,
  row: DocumentRow,
  text: PublishedText,
  { actor, note, ...times }: CheckTimes & { actor: Actor; note?: string },
): Promise<{ problems: Problem[]; published: DocumentRow | null }> {
  const { now } = times
  const name: DocumentKey = { kind: row.kind as DocumentKind, id: row.id }
  const problems = errorsIn(await checkDocument(tx, name, text.document, times))
  if (problems.length > 0) return { problems, published: null }
  await writePublished(tx, settings.publication, name.kind, name.id, text.document, now)
  await clearSchedule(tx, name)
  if (row.publishedVersion === text.version) return { problems, published: { ...row, publishFailure: null } }
  const changed = { publishedVersion: text.version, editedInAdmin: true }
  await tx.update(contentDocument).set(changed).where(isDocument(name))
  const published = { ...row, ...text, ...changed, publishFailure: null, updatedAt: now }
  await recordRevision(tx, published, 'published', row)
  const changes = changesBetween({ version: row.publishedVersion }, { version: text.version })
  const object = auditObjectOf(published)
  await recordAdminEvent(tx, actor, { event: 'content_published', object, changes, now, ...(note && { note }) })
  return { problems, published }
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
