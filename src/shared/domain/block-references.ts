/** `{{block:how-we-test}}` in a text stands for the reusable block of that id. */
const mark = /\{\{\s*block:\s*(?:([a-z0-9-]+)\s*)?\}\}/gi

/** Ids of the blocks that a text names, each once. */
export const referencedBlockIds = (text: string): string[] => [
  ...new Set([...text.matchAll(mark)].map(([, id = '']) => id)),
]

/** How long a text may become with its blocks: one that is named a thousand times would be set in a thousand times. */
const longestWithBlocks = 100_000

/** A stretch of a text with its blocks set in: the writer's own, or from a block; `line` is where it begins in either. */
type Stretch = { text: string; block: string | null; line: number }

function stretchesOf(text: string, blocks: ReadonlyMap<string, string>): Stretch[] {
  let room = longestWithBlocks - text.length
  let end = 0
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  const own = (from: number, to: number): Stretch => ({ text: text.slice(from, to), block: null, line: lineAt(from) })
  const stretches = [...text.matchAll(mark)].flatMap(({ 0: written, 1: id = '', index }): Stretch[] => {
    const before = own(end, index)
    end = index + written.length
    const body = blocks.get(id) ?? ''
    room -= body.length
    return [before, { text: room < 0 ? '' : body, block: id, line: 1 }]
  })
  return [...stretches, own(end, text.length)]
}

/**
 * The text with its blocks set in. A block that is not there leaves nothing behind, and so does one for which there is
 * no room: readers are not shown marks, and the publisher is told at publishing.
 */
export const expandBlocks = (text: string, blocks: ReadonlyMap<string, string>): string =>
  stretchesOf(text, blocks)
    .map((stretch) => stretch.text)
    .join('')

/**
 * Where a line of the text with its blocks was written: in the text, or in a block. A line that holds words of both
 * belongs to the text, where its mark stands.
 */
export function findSourceLine(
  text: string,
  blocks: ReadonlyMap<string, string>,
  wanted: number,
): { block: string | null; line: number } {
  let line = 1
  let found: { block: string | null; line: number } | null = null
  for (const stretch of stretchesOf(text, blocks)) {
    for (const [index, words] of stretch.text.split('\n').entries()) {
      if (index > 0) line += 1
      if (line !== wanted || words.trim() === '') continue
      if (stretch.block === null || !found) found = { block: stretch.block, line: stretch.line + index }
      if (stretch.block === null) return found
    }
  }
  return found ?? { block: null, line: wanted }
}

/** Whether a text becomes so long that not all of its blocks are set in. */
export function exceedsExpandedLength(text: string, blocks: ReadonlyMap<string, string>): boolean {
  const added = [...text.matchAll(mark)].reduce((sum, [, id = '']) => sum + (blocks.get(id)?.length ?? 0), 0)
  return text.length + added > longestWithBlocks
}
