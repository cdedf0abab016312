import { asc, eq, sql } from 'drizzle-orm'
import { seedState } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { recordAdminEvent } from '#server/features/auth/security/admin-event.ts'
import type { OrderedKind } from '#shared/contracts/documents.ts'
import { changesBetween } from '#shared/domain/changes-between.ts'
import { AppError } from '#shared/errors.ts'
import type { Editor } from './editor.ts'
import { publishedTables } from './stored-document.ts'

/** Row of `seed_state` that exists once this kind was reordered in the admin. The seed keeps such an order. */
export const customOrderKey = (kind: OrderedKind) => `custom-order:${kind}`

/**
 * Puts all that have a place in this order.
 * @throws AppError order_changed unless `ids` names each of them once and they stand as in `before`: another tab or editor
 * has published or moved one meanwhile, and would be undone without a word
 */
export async function reorderContent(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  editor: Editor,
  { kind, ids, before }: { kind: OrderedKind; ids: readonly string[]; before?: readonly string[] },
): Promise<void> {
  const table = publishedTables[kind]
  await database.db.transaction(async (tx) => {
    // Locked in one order, so that two editors wait for each other and never in a ring; read again once they are held.
    await tx.select({ id: table.id }).from(table).orderBy(asc(table.id)).for('update')
    const rows = await tx.select({ id: table.id }).from(table).orderBy(asc(table.position), asc(table.id))
    if (before && rows.some(({ id }, index) => before[index] !== id)) throw new AppError('order_changed')
    const there = new Set(rows.map(({ id }) => id))
    const isWhole = there.size === ids.length && new Set(ids).size === ids.length && ids.every((id) => there.has(id))
    if (!isWhole) throw new AppError('order_changed')
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
