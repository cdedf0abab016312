import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { contentBlock, contentDocument } from '#server/db/schema/index.ts'
import { type IssueDraft, issueDraftSchema } from '#shared/contracts/publishing/documents.ts'
import { referencedBlockIds } from '#shared/domain/block-references.ts'

export type IssueDrafts = {
  /** The latest saved drafts, by slug. */
  issues: ReadonlyMap<string, { id: string; draft: IssueDraft }>
  /** The blocks that they use, by id. */
  blocks: ReadonlyMap<string, { title: string; body: string }>
}

/** Drafts of issues by slug, for links to the place in the editor where a text is written. */
export async function readIssueDrafts(db: Db, slugs: readonly string[]): Promise<IssueDrafts> {
  if (slugs.length === 0) return { issues: new Map(), blocks: new Map() }
  const rows = await db
    .select({ id: contentDocument.id, document: contentDocument.document })
    .from(contentDocument)
    .where(and(eq(contentDocument.kind, 'issue'), inArray(sql`${contentDocument.document} ->> 'slug'`, [...slugs])))
  const drafts = rows.map(({ id, document }) => ({ id, draft: issueDraftSchema.parse(document) }))
  const ids = referencedBlockIds(JSON.stringify(drafts))
  const blocks =
    ids.length === 0
      ? []
      : await db
          .select({ id: contentBlock.id, title: contentBlock.title, body: contentBlock.body })
          .from(contentBlock)
          .where(inArray(contentBlock.id, ids))
  return {
    issues: new Map(drafts.map((issue) => [issue.draft.slug, issue])),
    blocks: new Map(blocks.map(({ id, ...block }) => [id, block])),
  }
}
