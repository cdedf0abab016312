import type { Db, Tx } from '#server/db/database.ts'
import { setBlocksIn } from '#shared/domain/block-marks.ts'
import { readingMinutes } from '#shared/domain/reading-minutes.ts'
import { readBlocksOf } from './read-blocks.ts'

/** Reading time of a drop as it is read, with its blocks. */
export async function minutesOf(db: Db | Tx, drop: Parameters<typeof readingMinutes>[0]): Promise<number> {
  const blocks = await readBlocksOf(db, [drop.intro, drop.closing, ...drop.sections.map(({ body }) => body)])
  const read = (text: string) => setBlocksIn(text, blocks)
  return readingMinutes({
    intro: read(drop.intro),
    closing: read(drop.closing),
    sections: drop.sections.map((section) => ({ ...section, body: read(section.body) })),
  })
}
