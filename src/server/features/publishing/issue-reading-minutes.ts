import type { Db, Tx } from '#server/db/database.ts'
import { readBlocks } from '#server/features/content/read-blocks.ts'
import { expandBlocks } from '#shared/domain/block-references.ts'
import { readingMinutes } from '#shared/domain/reading-minutes.ts'

/** Reading time of a drop as it is read, with its blocks. */
export async function countReadingMinutes(db: Db | Tx, drop: Parameters<typeof readingMinutes>[0]): Promise<number> {
  const blocks = await readBlocks(db, [drop.intro, drop.closing, ...drop.sections.map(({ body }) => body)])
  const read = (text: string) => expandBlocks(text, blocks)
  return readingMinutes({
    intro: read(drop.intro),
    closing: read(drop.closing),
    sections: drop.sections.map((section) => ({ ...section, body: read(section.body) })),
  })
}
