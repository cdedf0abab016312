import { inArray } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { contentBlock } from '#server/db/schema/index.ts'
import { referencedBlockIds } from '#shared/domain/block-references.ts'

/** Bodies of the blocks that the texts reference, by id. Skips the query if there are none. */
export async function readBlocks(db: Db | Tx, texts: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const ids = referencedBlockIds(texts.join('\n'))
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: contentBlock.id, body: contentBlock.body })
    .from(contentBlock)
    .where(inArray(contentBlock.id, ids))
  return new Map(rows.map(({ id, body }) => [id, body]))
}
