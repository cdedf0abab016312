import { and, asc, eq, inArray, isNull, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { contentItems, itemChanges } from '#server/db/schema/index.ts'
import { type DocumentKind, documentKinds } from '#shared/contracts/publishing/documents.ts'
import { type ItemRef, itemKey, type SearchKind } from '#shared/domain/content-items.ts'
import type { PublishedItem } from './published-item.ts'
import { readPublishedItems } from './read-content-items.ts'
import { searchableBody, searchColumns } from './search-texts.ts'
import { changeVocabulary, readVocabulary, rebuildVocabulary } from './search-vocabulary.ts'

/** Rows per statement. */
const batchSize = 200

/**
 * Copies what readers can open to `content_items` and the search index, for one document, the pages or all. Items that are no longer
 * published keep their row. Call it in the transaction that publishes, unpublishes or seeds, after the other writes.
 */
export async function syncContentItems(
  tx: Tx,
  now: Date,
  document?: { kind: DocumentKind; id: string } | { kind: 'page'; id?: never },
): Promise<void> {
  const id = document?.id
  const belongs = id === undefined ? undefined : or(eq(contentItems.id, id), eq(contentItems.parentId, id))
  const isReadable = (kind: SearchKind) => and(eq(contentItems.kind, kind), belongs, isNull(contentItems.removedAt))
  const kinds = document ? [document.kind] : ([...documentKinds, 'page'] as const)
  const areReadable = or(...kinds.flatMap((kind) => itemKinds[kind]).map(isReadable))
  const before = document && (await readVocabulary(tx, areReadable))
  for (const kind of kinds) {
    const items = await readPublishedItems[kind](tx, id)
    for (let start = 0; start < items.length; start += batchSize) {
      await writeItems(tx, items.slice(start, start + batchSize), now)
    }
    for (const itemKind of itemKinds[kind]) {
      const ids = items.filter((item) => item.kind === itemKind).map(({ id }) => id)
      await tx
        .update(contentItems)
        .set({ removedAt: now })
        .where(and(isReadable(itemKind), notInArray(contentItems.id, ids)))
    }
  }
  if (before) await changeVocabulary(tx, before, await readVocabulary(tx, areReadable))
  else await rebuildVocabulary(tx)
}

const itemKinds: Record<DocumentKind | 'page', readonly SearchKind[]> = {
  issue: ['issue', 'section'],
  'prompt-pack': ['prompt'],
  guide: ['guide'],
  tool: ['tool'],
  page: ['page'],
}

async function writeItems(tx: Tx, items: readonly PublishedItem[], now: Date): Promise<void> {
  // Items from before there were hashes count as unchanged.
  const isChanged = sql`${contentItems.textHash} <> excluded.text_hash`
  const excluded = (column: string): SQL => sql`excluded.${sql.identifier(column)}`
  const rows = items.map(({ texts, changeNote: _, ...item }) => ({
    ...item,
    title: texts.title,
    headings: texts.headings.join('\n'),
    summary: texts.summary,
    body: searchableBody(texts.body),
    ...searchColumns(texts),
    changedAt: item.publishedAt,
  }))
  const versions = await readVersions(tx, items)
  const written = await tx
    .insert(contentItems)
    .values(rows)
    .onConflictDoUpdate({
      target: [contentItems.kind, contentItems.id],
      set: {
        title: excluded('title'),
        path: excluded('path'),
        parentId: excluded('parent_id'),
        publishedAt: excluded('published_at'),
        removedAt: null,
        changedAt: sql`case when ${isChanged} then ${now.toISOString()}::timestamptz else ${contentItems.changedAt} end`,
        version: sql`${contentItems.version} + case when ${isChanged} then 1 else 0 end`,
        textHash: excluded('text_hash'),
        checkedOn: excluded('checked_on'),
        validUntil: excluded('valid_until'),
        day: excluded('day'),
        parentTitle: excluded('parent_title'),
        headings: excluded('headings'),
        summary: excluded('summary'),
        body: excluded('body'),
        focusAreas: excluded('focus_areas'),
        level: excluded('level'),
        verticals: excluded('verticals'),
        search: excluded('search'),
        bodyWeight: excluded('body_weight'),
      },
    })
    .returning({ kind: contentItems.kind, id: contentItems.id, version: contentItems.version })
  const notes = new Map(items.map((item) => [itemKey(item), item.changeNote]))
  const changed = written.flatMap(({ kind, ...item }) =>
    kind !== 'page' && item.version > (versions.get(itemKey({ kind, ...item })) ?? item.version)
      ? [{ kind, ...item }]
      : [],
  )
  await recordChanges(
    tx,
    changed.map((item) => ({ ...item, note: notes.get(itemKey(item)) ?? '' })),
    now,
  )
}

async function readVersions(tx: Tx, items: readonly PublishedItem[]): Promise<ReadonlyMap<string, number>> {
  const ids = items.map(({ id }) => id)
  const rows = await tx
    .select({ kind: contentItems.kind, id: contentItems.id, version: contentItems.version })
    .from(contentItems)
    .where(inArray(contentItems.id, ids))
  return new Map(rows.map((row) => [itemKey(row), row.version]))
}

type Change = ItemRef & { version: number; note: string }

/** A note that the version before had already is a leftover in the editor, so it says nothing about this change. */
async function recordChanges(tx: Tx, changes: readonly Change[], now: Date): Promise<void> {
  if (changes.length === 0) return
  const ids = changes.map(({ id }) => id)
  const earlier = await tx
    .select()
    .from(itemChanges)
    .where(inArray(itemChanges.itemId, ids))
    .orderBy(asc(itemChanges.version))
  const used = new Map(
    earlier.flatMap(({ kind, itemId, note }) => (note ? [[itemKey({ kind, id: itemId }), note] as const] : [])),
  )
  const rows = changes.map(({ id, note, ...change }) => ({
    ...change,
    itemId: id,
    changedAt: now,
    note: used.get(itemKey({ kind: change.kind, id })) === note ? '' : note,
  }))
  await tx.insert(itemChanges).values(rows)
}
