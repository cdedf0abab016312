/** `{{block:how-we-test}}` in a text stands for the reusable block of that id. */
const mark = /\{\{\s*block:\s*(?:([a-z0-9-]+)\s*)?\}\}/gi

/** Ids of the blocks that a text names, each once. */
export const blockIdsIn = (text: string): string[] => [...new Set([...text.matchAll(mark)].map(([, id = '']) => id))]

/**
 * The text with its blocks set in. A block that is not there leaves nothing behind: readers are not shown marks, and
 * the publisher is told at publishing.
 */
export const setBlocksIn = (text: string, blocks: ReadonlyMap<string, string>): string =>
  text.replaceAll(mark, (_mark, id?: string) => (id && blocks.get(id)) ?? '')
