import type { Db, Tx } from '#server/db/database.ts'
import { readBlocks } from '#server/features/content/read-blocks.ts'
import { expandBlocks } from '#shared/domain/block-references.ts'
import { readingMinutes } from '#shared/domain/reading-minutes.ts'

/** Reading time of an issue in minutes, with blocks expanded. */
export async function countReadingMinutes(db: Db | Tx, issue: Parameters<typeof readingMinutes>[0]): Promise<number> {
  const blocks = await readBlocks(db, [issue.intro, issue.closing, ...issue.sections.map(({ body }) => body)])
  const expand = (text: string) => expandBlocks(text, blocks)
  return readingMinutes({
    intro: expand(issue.intro),
    closing: expand(issue.closing),
    sections: issue.sections.map((section) => ({ ...section, body: expand(section.body) })),
  })
}
