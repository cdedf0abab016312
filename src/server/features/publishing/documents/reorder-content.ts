import { asc, eq, sql } from 'drizzle-orm'
import { seedState } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import type { Editor } from '#server/features/identity/auth/security/editor.ts'
import type { OrderedKind } from '#shared/contracts/publishing/documents.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { AppError } from '#shared/errors.ts'
import { publishedTables } from './stored-document.ts'

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
