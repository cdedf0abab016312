import { and, eq, ne, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { contentDocument, contentSchedule, guides, issues, promptCategories, tools } from '#server/db/schema/index.ts'
import { editorLabel, readEditorLabel } from '#server/features/identity/auth/security/editor.ts'
import { type DocumentKind, type Draft, draftSchemas, type IssueDraft } from '#shared/contracts/publishing/documents.ts'
import { audienceSchema } from '#shared/contracts/publishing/newsletter.ts'
import { publishFailureSchema, type StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { deriveTexts } from '#shared/domain/derive-issue.ts'
import type { AuditObject } from '#shared/domain/security-events.ts'
import { AppError, conflictOf } from '#shared/errors.ts'
import { findDropEmail } from './drop-email.ts'

/** The slug of an issue that was published; null otherwise. */
export async function readPublishedSlug(db: Db | Tx, id: string): Promise<string | null> {
  const [row] = await db.select({ slug: issues.slug }).from(issues).where(eq(issues.id, id))
  return row?.slug ?? null
}

/** The draft with a slug: its own, the published one, or one made from the title, with a number if that is taken. */
export async function withSlug(db: Db | Tx, id: string, draft: IssueDraft): Promise<IssueDraft> {
  if (draft.slug !== '') return draft
  const published = await readPublishedSlug(db, id)
  return { ...draft, slug: published ?? (await findFreeSlug(db, id, deriveTexts(draft).slug)) }
}

async function findFreeSlug(db: Db | Tx, id: string, wanted: string): Promise<string> {
  const rows = await db.select({ slug: issues.slug }).from(issues).where(ne(issues.id, id))
  const taken = new Set(rows.map(({ slug }) => slug))
  let slug = wanted
  for (let number = 2; taken.has(slug); number += 1) slug = `${wanted}-${number}`
  return slug
}

export type DocumentRow = typeof contentDocument.$inferSelect
export type DocumentKey = { kind: DocumentKind; id: string }

/** Tables that readers see. A document has a row once it was published, even if it is unpublished later. */
export const publishedTables = { issue: issues, 'prompt-pack': promptCategories, guide: guides, tool: tools } as const

export const isDocument = ({ kind, id }: DocumentKey): SQL | undefined =>
  and(eq(contentDocument.kind, kind), eq(contentDocument.id, id))

/** Reference to a document in the staff log. */
export const auditObjectOf = ({ kind, id, document }: Pick<DocumentRow, 'kind' | 'id' | 'document'>): AuditObject => {
  const { title, name } = document as { title?: string; name?: string }
  return { kind: kind as DocumentKind, id, name: title || name || id }
}

/** @throws AppError not_found */
export async function findDocument(db: Db | Tx, name: DocumentKey): Promise<DocumentRow> {
  const [row] = await db.select().from(contentDocument).where(isDocument(name))
  if (!row) throw new AppError('not_found')
  return row
}

/** Locks the document until the transaction ends. @throws AppError not_found */
export async function lockDocument(tx: Tx, name: DocumentKey): Promise<DocumentRow> {
  const [row] = await tx.select().from(contentDocument).where(isDocument(name)).for('update')
  if (!row) throw new AppError('not_found')
  return row
}

export async function hasBeenPublished(db: Db | Tx, { kind, id }: DocumentKey): Promise<boolean> {
  const table = publishedTables[kind]
  return (await db.$count(table, eq(table.id, id))) > 0
}

export async function toStoredDocument(db: Db | Tx, row: DocumentRow): Promise<StoredDocument> {
  const kind = row.kind as DocumentKind
  return {
    kind,
    id: row.id,
    document: await withPublishedSlug(db, { kind, id: row.id }, draftSchemas[kind].parse(row.document)),
    version: row.version,
    publishedVersion: row.publishedVersion,
    hasBeenPublished: await hasBeenPublished(db, { kind, id: row.id }),
    updatedAt: row.updatedAt.toISOString(),
    updatedBy: await readEditorLabel(db, row.updatedBy, row.updatedById),
    scheduled: await readSchedule(db, { kind, id: row.id }),
    publishFailure: publishFailureSchema.safeParse(row.publishFailure).data ?? null,
  } as StoredDocument
}

/** A drop that was published without an address of its own has one made from its title since then. */
async function withPublishedSlug(db: Db | Tx, { kind, id }: DocumentKey, document: Draft): Promise<Draft> {
  if (kind !== 'issue' || !('slug' in document) || document.slug !== '') return document
  return { ...document, slug: (await readPublishedSlug(db, id)) ?? '' }
}

const toEmailOfSchedule = ({
  id,
  subject,
  preheader,
  audience,
  readerHours,
  acceptedErrors,
}: NonNullable<Awaited<ReturnType<typeof findDropEmail>>>) => ({
  id,
  subject,
  preheader,
  audience: audienceSchema.parse(audience),
  readerHours,
  acceptedErrors: z.array(z.string()).parse(acceptedErrors ?? []),
})

async function readSchedule(db: Db | Tx, { kind, id }: DocumentKey): Promise<StoredDocument['scheduled']> {
  const [row] = await db
    .select({
      at: contentSchedule.publishAt,
      version: contentSchedule.version,
      by: editorLabel(contentSchedule.createdBy, contentSchedule.createdById),
    })
    .from(contentSchedule)
    .where(and(eq(contentSchedule.kind, kind), eq(contentSchedule.id, id)))
  if (!row) return null
  const email = kind === 'issue' ? await findDropEmail(db, id) : null
  return { ...row, at: row.at.toISOString(), email: email && toEmailOfSchedule(email) }
}

/** @throws AppError edit_conflict, with the newer document as `current`, unless the document is at `version` */
export async function requireCurrentVersion(db: Db | Tx, row: DocumentRow, version: number): Promise<void> {
  if (row.version === version) return
  throw conflictOf(await toStoredDocument(db, row))
}
