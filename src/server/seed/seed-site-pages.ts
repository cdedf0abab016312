import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { seedState, sitePage } from '#server/db/schema/index.ts'
import { type ContentFiles, type SamplePageId, samplePageIds } from '#server/features/library/content/content-files.ts'
import { samplePagesOf } from '#server/features/library/content/sample-pages.ts'

/** Adds the pages of content/ once, for members. Those that the publisher edited or deleted stay so. */
export async function seedSitePages(tx: Tx, content: ContentFiles, now: Date): Promise<void> {
  for (const [key, { path, title, body }] of Object.entries(samplePagesOf(content))) {
    const id = samplePageIds[key as SamplePageId]
    const isUnedited = and(eq(sitePage.id, id), eq(sitePage.version, 1), isNull(sitePage.updatedById))
    await tx.update(sitePage).set({ title, body, updatedAt: now }).where(isUnedited)
    const [first] = await tx
      .insert(seedState)
      .values({ name: `page-${key}`, hash: '', seededAt: now })
      .onConflictDoNothing()
      .returning({ name: seedState.name })
    if (!first) continue
    await tx
      .insert(sitePage)
      .values({ ...{ id, path, title, body }, audience: 'members', publishedAt: now, version: 1, updatedAt: now })
      .onConflictDoNothing()
  }
}
