import type { Db, Tx } from '#server/db/database.ts'
import { textsOf } from '#server/features/library/content/issue-texts.ts'
import { readBlocks } from '#server/features/library/content/read-blocks.ts'
import { expandBlocks } from '#shared/domain/block-references.ts'
import { readingMinutes } from '#shared/domain/reading-minutes.ts'

type Issue = {
  worth: string
  intro: string
  closing: string
  sections: readonly { heading: string; summary: string; body: string; examples: object }[]
}

/** Reading time of an issue in minutes, with blocks expanded. */
export async function countReadingMinutes(db: Db | Tx, issue: Issue): Promise<number> {
  const blocks = await readBlocks(db, textsOf(issue, issue.sections))
  const expand = (text: string) => expandBlocks(text, blocks)
  return readingMinutes({
    worth: expand(issue.worth),
    intro: expand(issue.intro),
    closing: expand(issue.closing),
    sections: issue.sections.map((section) => ({ ...section, body: expand(section.body) })),
  })
}
