/** `{{block:how-we-test}}` in a text stands for the reusable block of that id. */
const mark = /\{\{\s*block:\s*(?:([a-z0-9-]+)\s*)?\}\}/gi

/** Ids of the blocks that a text names, each once. */
export const blockIdsIn = (text: string): string[] => [...new Set([...text.matchAll(mark)].map(([, id = '']) => id))]

/** How long a text may become with its blocks: one that is named a thousand times would be set in a thousand times. */
const longestWithBlocks = 100_000

/**
 * The text with its blocks set in. A block that is not there leaves nothing behind, and so does one for which there is
 * no room: readers are not shown marks, and the publisher is told at publishing.
 */
export function setBlocksIn(text: string, blocks: ReadonlyMap<string, string>): string {
  let room = longestWithBlocks - text.length
  return text.replaceAll(mark, (_mark, id?: string) => {
    const block = (id && blocks.get(id)) ?? ''
    room -= block.length
    return room < 0 ? '' : block
  })
}

/** Whether a text becomes so long that not all of its blocks are set in. */
export function isTooLongWithBlocks(text: string, blocks: ReadonlyMap<string, string>): boolean {
  const added = [...text.matchAll(mark)].reduce((sum, [, id = '']) => sum + (blocks.get(id)?.length ?? 0), 0)
  return text.length + added > longestWithBlocks
}
