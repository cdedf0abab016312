/** `{{block:how-we-test}}` in a text is replaced by the block with that id. */
const reference = /\{\{\s*block:\s*(?:([a-z0-9-]+)\s*)?\}\}/gi

/** Ids of the blocks that a text references, without duplicates. */
export const referencedBlockIds = (text: string): string[] => [
  ...new Set([...text.matchAll(reference)].map(([, id = '']) => id)),
]

/** Limit after expansion, since a text can reference the same block many times. */
const maxExpandedLength = 100_000

/** Part of an expanded text, from the text itself or from a block. `line` is its first line there. */
type Fragment = { text: string; block: string | null; line: number }

function fragmentsOf(text: string, blocks: ReadonlyMap<string, string>): Fragment[] {
  let remaining = maxExpandedLength - text.length
  let end = 0
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  const own = (from: number, to: number): Fragment => ({ text: text.slice(from, to), block: null, line: lineAt(from) })
  const fragments = [...text.matchAll(reference)].flatMap(({ 0: written, 1: id = '', index }): Fragment[] => {
    const before = own(end, index)
    end = index + written.length
    const body = blocks.get(id) ?? ''
    remaining -= body.length
    return [before, { text: remaining < 0 ? '' : body, block: id, line: 1 }]
  })
  return [...fragments, own(end, text.length)]
}

/**
 * Replaces block references by their text. Unknown blocks, and blocks beyond the length limit, become empty: publishing
 * reports them, and readers never see a reference.
 */
export const expandBlocks = (text: string, blocks: ReadonlyMap<string, string>): string =>
  fragmentsOf(text, blocks)
    .map((fragment) => fragment.text)
    .join('')

/** Finds the source of a line of the expanded text. A line with words from both belongs to the text, not to the block. */
export function findSourceLine(
  text: string,
  blocks: ReadonlyMap<string, string>,
  wanted: number,
): { block: string | null; line: number } {
  let line = 1
  let found: { block: string | null; line: number } | null = null
  for (const fragment of fragmentsOf(text, blocks)) {
    for (const [index, words] of fragment.text.split('\n').entries()) {
      if (index > 0) line += 1
      if (line !== wanted || words.trim() === '') continue
      if (fragment.block === null || !found) found = { block: fragment.block, line: fragment.line + index }
      if (fragment.block === null) return found
    }
  }
  return found ?? { block: null, line: wanted }
}

/** True if the expanded text exceeds the limit, so that not all blocks can be expanded. */
export function exceedsExpandedLength(text: string, blocks: ReadonlyMap<string, string>): boolean {
  const added = [...text.matchAll(reference)].reduce((sum, [, id = '']) => sum + (blocks.get(id)?.length ?? 0), 0)
  return text.length + added > maxExpandedLength
}
