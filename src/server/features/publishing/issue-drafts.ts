import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { contentBlock, contentDocument } from '#server/db/schema/index.ts'
import { type IssueDraft, issueDraftSchema } from '#shared/contracts/documents.ts'
import { referencedBlockIds } from '#shared/domain/block-references.ts'

export type IssueDrafts = {
  /** What the editor holds now, by the end of the drop's address. */
  drops: ReadonlyMap<string, { id: string; draft: IssueDraft }>
  /** The blocks that they name, by id. */
  blocks: ReadonlyMap<string, { title: string; body: string }>
}

/** Where the texts of some drops are written, for whoever wants to lead there. */
export async function readIssueDrafts(db: Db, slugs: readonly string[]): Promise<IssueDrafts> {
  if (slugs.length === 0) return { drops: new Map(), blocks: new Map() }
  const rows = await db
    .select({ id: contentDocument.id, document: contentDocument.document })
    .from(contentDocument)
    .where(and(eq(contentDocument.kind, 'issue'), inArray(sql`${contentDocument.document} ->> 'slug'`, [...slugs])))
  const drops = rows.map(({ id, document }) => ({ id, draft: issueDraftSchema.parse(document) }))
  const ids = referencedBlockIds(JSON.stringify(drops))
  const blocks =
    ids.length === 0
      ? []
      : await db
          .select({ id: contentBlock.id, title: contentBlock.title, body: contentBlock.body })
          .from(contentBlock)
          .where(inArray(contentBlock.id, ids))
  return {
    drops: new Map(drops.map((drop) => [drop.draft.slug, drop])),
    blocks: new Map(blocks.map(({ id, ...block }) => [id, block])),
  }
}
