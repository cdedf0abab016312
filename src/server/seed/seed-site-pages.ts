import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { seedState, sitePage } from '#server/db/schema/index.ts'
import { type SourcedPage, type SourcedPageId, samplePageIds } from '#server/features/library/content/content-files.ts'

/** A table for each group, in which each row ends with its source. */
export const markdownOf = ({ intro, checkedOn, columns, groups }: SourcedPage): string =>
  [
    intro.trim(),
    ...groups.map(({ title, rows }) =>
      [
        `## ${title}\n`,
        `| ${columns.join(' | ')} | Source |`,
        '| --- | --- | --- |',
        ...rows.map(({ name, text, source }) => `| ${name} | ${text} | [${new URL(source).hostname}](${source}) |`),
      ].join('\n'),
    ),
    `Sources opened ${checkedOn}.`,
  ].join('\n\n')

/** Adds the pages with tables once, for members. Those that the publisher edited or deleted stay so. */
export async function seedSitePages(tx: Tx, pages: Record<SourcedPageId, SourcedPage>, now: Date): Promise<void> {
  for (const [key, page] of Object.entries(pages) as [SourcedPageId, SourcedPage][]) {
    const id = samplePageIds[key]
    const text = { title: page.title, body: markdownOf(page), updatedAt: now }
    const isUnedited = and(eq(sitePage.id, id), eq(sitePage.version, 1), isNull(sitePage.updatedById))
    await tx.update(sitePage).set(text).where(isUnedited)
    const [first] = await tx
      .insert(seedState)
      .values({ name: `page-${key}`, hash: '', seededAt: now })
      .onConflictDoNothing()
      .returning({ name: seedState.name })
    if (!first) continue
    await tx
      .insert(sitePage)
      .values({ id, path: page.path, audience: 'members', publishedAt: now, version: 1, ...text })
      .onConflictDoNothing()
  }
}
