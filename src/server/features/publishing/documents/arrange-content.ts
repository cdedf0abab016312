import { isDeepStrictEqual } from 'node:util'
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { contentDocument, contentSchedule, issues, seedState } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { type Editor, editorLabel } from '#server/features/identity/auth/security/editor.ts'
import { type DocumentKind, issueDraftSchema, type OrderedKind } from '#shared/contracts/publishing/documents.ts'
import type { ContentEntry, DocumentState } from '#shared/contracts/publishing/publishing.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { deriveIssue } from '#shared/domain/derive-issue.ts'
import { inOptionOrder, optionLabels } from '#shared/domain/preferences.ts'
import { AppError } from '#shared/errors.ts'
import { writePublished } from './publish-document.ts'
import { requireOffered } from './require-offered-options.ts'
import { isListed } from './sample-content.ts'
import { auditObjectOf, isDocument, lockDocument, publishedTables } from './stored-document.ts'
import { replaceDraft } from './write-document.ts'

/** Row of `seed_state` that exists once this kind was reordered in the admin. The seed keeps such an order. */
export const customOrderKey = (kind: OrderedKind) => `custom-order:${kind}`

/**
 * Reorders all documents of a kind that have been published.
 * @throws AppError order_changed unless `ids` has each of them once and the current order is `before`: another tab or
 * editor has published or moved one in the meantime
 */
export async function reorderContent(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  editor: Editor,
  { kind, ids, before }: { kind: OrderedKind; ids: readonly string[]; before?: readonly string[] },
): Promise<void> {
  const table = publishedTables[kind]
  await database.db.transaction(async (tx) => {
    // Lock in id order, so that two editors can't deadlock. Then read the positions.
    await tx.select({ id: table.id }).from(table).orderBy(asc(table.id)).for('update')
    const rows = await tx.select({ id: table.id }).from(table).orderBy(asc(table.position), asc(table.id))
    if (before && rows.some(({ id }, index) => before[index] !== id)) throw new AppError('order_changed')
    const existing = new Set(rows.map(({ id }) => id))
    const isComplete =
      existing.size === ids.length && new Set(ids).size === ids.length && ids.every((id) => existing.has(id))
    if (!isComplete) throw new AppError('order_changed')
    for (const [index, id] of ids.entries()) {
      await tx
        .update(table)
        .set({ position: index + 1 })
        .where(eq(table.id, id))
    }
    const now = clock()
    const changes = changesBetween({ [kind]: rows.map(({ id }) => id) }, { [kind]: ids })
    await recordAdminEvent(tx, editor, { event: 'content_reordered', changes, now })
    await tx
      .insert(seedState)
      .values({ name: customOrderKey(kind), hash: '', seededAt: now })
      .onConflictDoUpdate({ target: seedState.name, set: { seededAt: sql`excluded.seeded_at` } })
  })
}

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

export const stateOf = (row: { version: number; publishedVersion: number | null }): DocumentState =>
  row.publishedVersion === null ? 'draft' : row.publishedVersion === row.version ? 'published' : 'changed'

/** All documents of one kind, except removed samples, without their texts, in portal order. Undated issues come first, unpublished others last. */
export async function listContent(db: Db, kind: DocumentKind): Promise<ContentEntry[]> {
  const table = publishedTables[kind]
  const date = sql<string>`coalesce(${contentDocument.document} ->> 'date', '')`
  const order =
    table === issues
      ? [desc(sql`${date} = ''`), desc(date)]
      : [sql`${(table as Exclude<typeof table, typeof issues>).position} nulls last`]
  const rows = await db
    .select({
      id: contentDocument.id,
      title: sql<string>`coalesce(${contentDocument.document} ->> 'title', ${contentDocument.document} ->> 'name', '')`,
      date,
      version: contentDocument.version,
      publishedVersion: contentDocument.publishedVersion,
      hasBeenPublished: sql<boolean>`${table.id} is not null`,
      updatedAt: contentDocument.updatedAt,
      updatedBy: editorLabel(contentDocument.updatedBy, contentDocument.updatedById),
      publishAt: contentSchedule.publishAt,
      publishFailed: sql<boolean>`${contentDocument.publishFailure} is not null`,
    })
    .from(contentDocument)
    .leftJoin(table, eq(table.id, contentDocument.id))
    .leftJoin(
      contentSchedule,
      and(eq(contentSchedule.kind, contentDocument.kind), eq(contentSchedule.id, contentDocument.id)),
    )
    .where(and(eq(contentDocument.kind, kind), isListed))
    .orderBy(...order, asc(contentDocument.createdAt), asc(contentDocument.id))
  return rows.map(({ version, publishedVersion, updatedAt, publishAt, ...row }) => ({
    ...row,
    state: stateOf({ version, publishedVersion }),
    updatedAt: updatedAt.toISOString(),
    scheduledAt: publishAt?.toISOString() ?? null,
  }))
}
