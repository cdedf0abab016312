import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { contentDocument } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { recordAdminEvent, recordEdit } from '#server/features/identity/auth/security/admin-event.ts'
import { type Editor, updatedBy } from '#server/features/identity/auth/security/editor.ts'
import { syncContentItems } from '#server/features/library/content/sync-content-items.ts'
import {
  type DocumentKind,
  type Draft,
  draftSchemas,
  emptyDraft,
  emptySection,
  type IssueDraft,
  toSlug,
} from '#shared/contracts/publishing/documents.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { isTextOpenByDefault } from '#shared/domain/open-sections.ts'
import { AppError } from '#shared/errors.ts'
import type { Publication } from '#shared/publication-defaults.ts'
import { changeDraft } from './change-draft.ts'
import { isIdOfDeleted } from './deleted-documents.ts'
import { clearSchedule, requireAcknowledged } from './document-schedule.ts'
import { defaultDropDate } from './read-calendar.ts'
import { requireOfferedOptions } from './require-offered-options.ts'
import { readRevision, recordRevision } from './revisions.ts'
import {
  auditObjectOf,
  type DocumentKey,
  type DocumentRow,
  hasBeenPublished,
  isDocument,
  lockDocument,
  publishedTables,
  requireCurrentVersion,
  toStoredDocument,
} from './stored-document.ts'

type NewDocument = {
  kind: DocumentKind
  title: string
  date?: string | undefined
  /** Replaced in the empty draft, as `changeDraft` does. */
  fields?: Readonly<Record<string, unknown>> | undefined
}
type WriteDeps = Pick<Deps, 'database' | 'clock'>

/**
 * The id is made from the title; a number is added if it is taken. A drop without a date gets the next free day. Without
 * a title, the editor's last drop that is still empty is returned instead of another one.
 * @throws AppError validation_failed for `fields`
 */
export async function createDocument(
  { config, database, clock }: WriteDeps & Pick<Deps, 'config'>,
  editor: Editor,
  { kind, title, date, fields = {} }: NewDocument,
): Promise<StoredDocument> {
  const now = clock()
  const { publication } = config.settings
  return database.db.transaction(async (tx) => {
    const unwritten = kind === 'issue' && title === '' ? await findUnwrittenDrop(tx, editor, date) : undefined
    if (unwritten) {
      // The settings may have changed since it was created.
      const { date: kept } = unwritten.document as IssueDraft
      const document = newDraft(publication, kind, '', kept)
      await tx
        .update(contentDocument)
        .set({ document })
        .where(isDocument({ kind, id: unwritten.id }))
      return toStoredDocument(tx, { ...unwritten, document })
    }
    const day = kind === 'issue' ? (date ?? (await defaultDropDate(tx, now))) : ''
    const empty = newDraft(publication, kind, title, day)
    const document = changeDraft(kind, empty, fields)
    requireOfferedOptions(publication, empty, document)
    for (let attempt = 1; ; attempt += 1) {
      const id = newDocumentId(kind, title, attempt)
      const row: DocumentRow = {
        kind,
        id,
        document,
        version: 1,
        publishedVersion: null,
        editedInAdmin: true,
        publishFailure: null,
        createdAt: now,
        updatedAt: now,
        ...updatedBy(editor),
      }
      if ((await hasBeenPublished(tx, { kind, id })) || (await isIdOfDeleted(tx, { kind, id }))) continue
      const [created] = await tx.insert(contentDocument).values(row).onConflictDoNothing().returning()
      if (!created) continue
      if (Object.keys(fields).length > 0) await recordRevision(tx, created, 'saved', created)
      await recordAdminEvent(tx, editor, { event: 'content_created', object: auditObjectOf(created), now })
      return toStoredDocument(tx, created)
    }
  })
}

/** A drop begins with an empty text. Its address is made from the title once it is published. */
function newDraft({ newDrops }: Publication, kind: DocumentKind, title: string, date: string): Draft {
  const draft = emptyDraft(kind, title)
  if (!('sections' in draft)) return draft
  const text = { ...emptySection(randomUUID()), openToEveryone: isTextOpenByDefault(newDrops) }
  return { ...draft, slug: '', date, sections: [text] }
}

const newDocumentId = (kind: DocumentKind, title: string, attempt: number) => {
  if (title === '') return `drop-${randomUUID().slice(0, 8)}`
  const slug = toSlug(title) || (kind === 'issue' ? 'drop' : kind)
  return attempt === 1 ? slug : `${slug}-${attempt}`
}

/** A drop that this editor has created, for that day if one is given, and not written anything in. */
async function findUnwrittenDrop(
  tx: Tx,
  { userId }: Editor,
  day: string | undefined,
): Promise<DocumentRow | undefined> {
  const { document, kind, version, updatedById } = contentDocument
  const [row] = await tx
    .select()
    .from(contentDocument)
    .where(
      and(
        eq(kind, 'issue'),
        eq(version, 1),
        eq(updatedById, userId),
        sql`${document} ->> 'title' = ''`,
        day === undefined ? undefined : sql`${document} ->> 'date' = ${day}`,
      ),
    )
    .limit(1)
  return row
}

type Save = DocumentKey & { version: number; document: Draft; apart?: boolean }

/** @throws AppError edit_conflict, with the newer document as `current`, if there is one; not_found; validation_failed */
export async function saveDocument(
  deps: WriteDeps & Pick<Deps, 'config'>,
  editor: Editor,
  save: Save,
): Promise<StoredDocument> {
  return deps.database.db.transaction(async (tx) => {
    const before = await lockDocument(tx, save)
    // A retry of the same save isn't a conflict: the first response may have been lost.
    if (isDeepStrictEqual(before.document, save.document)) return toStoredDocument(tx, before)
    await requireCurrentVersion(tx, before, save.version)
    requireOfferedOptions(
      deps.config.settings.publication,
      draftSchemas[save.kind].parse(before.document),
      save.document,
    )
    const now = deps.clock()
    const after = await replaceDraft(tx, before, save.document, editor, now, save.apart)
    await recordEdit(tx, editor, { event: 'content_edited', object: auditObjectOf(after), now })
    return toStoredDocument(tx, after)
  })
}

/** Saves a new version of a locked document, with a revision. */
export async function replaceDraft(
  tx: Tx,
  before: DocumentRow,
  document: Draft,
  editor: Editor,
  now: Date,
  apart = false,
): Promise<DocumentRow> {
  const after = await replace(tx, before, document, editor, now)
  await recordRevision(tx, after, 'saved', before, apart)
  return after
}

async function replace(tx: Tx, { kind, id }: DocumentRow, document: Draft, editor: Editor, now: Date) {
  const [after] = await tx
    .update(contentDocument)
    .set({
      document,
      version: sql`${contentDocument.version} + 1`,
      editedInAdmin: true,
      updatedAt: now,
      ...updatedBy(editor),
    })
    .where(isDocument({ kind: kind as DocumentKind, id }))
    .returning()
  if (!after) throw new AppError('not_found')
  return after
}

/** @throws AppError edit_conflict, not_found */
export async function restoreRevision(
  deps: WriteDeps,
  editor: Editor,
  wanted: DocumentKey & { revision: number; version: number },
): Promise<StoredDocument> {
  return deps.database.db.transaction(async (tx) => {
    const before = await lockDocument(tx, wanted)
    await requireCurrentVersion(tx, before, wanted.version)
    const { document, version } = await readRevision(tx, wanted)
    const now = deps.clock()
    const after = await replace(tx, before, document, editor, now)
    await recordRevision(tx, after, 'restored', before)
    const note = `Version ${version}`
    await recordAdminEvent(tx, editor, { event: 'content_restored', object: auditObjectOf(after), note, now })
    return toStoredDocument(tx, after)
  })
}

/**
 * Hides a document from readers, from their next request on.
 * @throws AppError mailing_scheduled, not_found
 */
export async function unpublishDocument(
  deps: WriteDeps,
  editor: Editor,
  { acknowledgedMailings = [], ...name }: DocumentKey & { acknowledgedMailings?: readonly string[] },
): Promise<StoredDocument> {
  return deps.database.db.transaction(async (tx) => {
    const before = await lockDocument(tx, name)
    if (before.publishedVersion === null) return toStoredDocument(tx, before)
    if (name.kind === 'issue') await requireAcknowledged(tx, name.id, acknowledgedMailings)
    const table = publishedTables[name.kind]
    await tx.update(table).set({ publishedAt: null }).where(eq(table.id, name.id))
    // A scheduled version must not bring it back.
    await clearSchedule(tx, name)
    const now = deps.clock()
    await syncContentItems(tx, now, name)
    const [after] = await tx
      .update(contentDocument)
      .set({ publishedVersion: null, editedInAdmin: true, updatedAt: now, ...updatedBy(editor) })
      .where(isDocument(name))
      .returning()
    await recordAdminEvent(tx, editor, { event: 'content_unpublished', object: auditObjectOf(before), now })
    return toStoredDocument(tx, after ?? before)
  })
}
