import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { contentBlock, contentDocument, issues } from '#server/db/schema/index.ts'
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
  // The published slug, or else the draft's own: an empty one is made from the title on publishing.
  const slug = sql<string>`coalesce(${issues.slug}, ${contentDocument.document} ->> 'slug')`
  const rows = await db
    .select({ id: contentDocument.id, slug, document: contentDocument.document })
    .from(contentDocument)
    .leftJoin(issues, eq(issues.id, contentDocument.id))
    .where(and(eq(contentDocument.kind, 'issue'), inArray(slug, [...slugs])))
  const drafts = rows.map(({ document, ...row }) => ({ ...row, draft: issueDraftSchema.parse(document) }))
  const ids = referencedBlockIds(JSON.stringify(drafts))
  const blocks =
    ids.length === 0
      ? []
      : await db
          .select({ id: contentBlock.id, title: contentBlock.title, body: contentBlock.body })
          .from(contentBlock)
          .where(inArray(contentBlock.id, ids))
  return {
    issues: new Map(drafts.map((issue) => [issue.slug, issue])),
    blocks: new Map(blocks.map(({ id, ...block }) => [id, block])),
  }
}
