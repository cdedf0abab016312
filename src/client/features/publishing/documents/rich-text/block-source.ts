import type { Node } from 'prosemirror-model'

/** Source of a top-level block: its Markdown, and the blank lines before it. */
export type BlockSource = { text: string; before: string }

type Original = { node: Node; previous: BlockSource | null }
const originals = new WeakMap<BlockSource, Original>()

export const sourceOf = (node: Node): BlockSource | null => (node.attrs.source as BlockSource | null) ?? null

/** A block that remembers its source. `previous` is the block before it. */
export function withSource(node: Node, source: BlockSource, previous: Node | null): Node {
  const remembered = node.type.create({ ...node.attrs, source }, node.content, node.marks)
  originals.set(source, { node: remembered, previous: previous && sourceOf(previous) })
  return remembered
}

/** Returns true if a block is what its source says, also after its changes were undone. */
export function isUntouched(node: Node): boolean {
  const source = sourceOf(node)
  const original = source && originals.get(source)
  return original ? original.node === node || original.node.eq(node) : false
}

/** The source's gap between two blocks; null if they weren't neighbors. */
export function gapBetween(previous: Node | null, node: Node): string | null {
  const source = sourceOf(node)
  const original = source && originals.get(source)
  return original && original.previous === (previous && sourceOf(previous)) ? source.before : null
}
