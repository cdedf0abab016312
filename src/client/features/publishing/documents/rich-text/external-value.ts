import { hashKey } from '@tanstack/react-query'
import type { Node } from 'prosemirror-model'
import { type EditorState, Selection, type Transaction } from 'prosemirror-state'
import { schema } from './schema.ts'
import { blockText } from './write-markdown.ts'

/** Marks a transaction with a value that wasn't typed here. */
export const fromOutside = 'from-outside'

const isEmpty = ({ type, content }: Node) => type.name === 'paragraph' && content.size === 0

/**
 * Takes over a value that wasn't typed here, such as a merge of two tabs. Blocks that are the same stay, so the cursor in
 * one of them does too. Null if nothing differs.
 */
export function replaceBlocks(state: EditorState, next: Node): Transaction | null {
  const { doc, tr } = state
  const own = doc.children
  const other = next.children
  const [owners, otherOwners] = [ownersOf(doc), ownersOf(next)]
  const isSame = (one: Node, another: Node | undefined) =>
    !!another &&
    one.type === another.type &&
    blockText(one, owners.get(one) ?? doc) === blockText(another, otherOwners.get(another) ?? next) &&
    hashKey([one.attrs.settings]) === hashKey([another.attrs.settings])
  let [start, otherStart] = [0, 0]
  while (start < own.length) {
    const node = own[start]
    if (node && otherStart < other.length && isSame(node, other[otherStart])) otherStart += 1
    else if (!node || !isEmpty(node)) break
    start += 1
  }
  let [end, otherEnd] = [own.length, other.length]
  while (end > start) {
    const node = own[end - 1]
    if (node && otherEnd > otherStart && isSame(node, other[otherEnd - 1])) otherEnd -= 1
    else if (!node || !isEmpty(node)) break
    end -= 1
  }
  const size = (blocks: readonly Node[]) => blocks.reduce((sum, { nodeSize }) => sum + nodeSize, 0)
  const from = size(own.slice(0, start))
  const to = from + size(own.slice(start, end))
  const blocks = other.slice(otherStart, otherEnd)
  if (to > from || blocks.length > 0) {
    tr.replaceWith(from, to, blocks)
    const { $head } = state.selection
    const current = $head.index(0)
    if ($head.pos > from && $head.pos < to) {
      // The same block, or else the one in its place.
      const same = blocks.findIndex((block) => isSame(own[current] as Node, block))
      const index = Math.max(0, same >= 0 ? same : Math.min(current - start, blocks.length - 1))
      const blockStart = from + size(blocks.slice(0, index))
      const offset = Math.min($head.pos - size(own.slice(0, current)), blocks[index]?.nodeSize ?? 0)
      tr.setSelection(Selection.near(tr.doc.resolve(blockStart + offset), -1))
    }
  }
  for (const [name, value] of Object.entries(next.attrs)) {
    if (doc.attrs[name] !== value) tr.setDocAttribute(name, value)
  }
  return tr.docChanged ? tr : null
}

/** Maps each block to the heading of its section. */
function ownersOf(doc: Node): Map<Node, Node> {
  const owners = new Map<Node, Node>()
  let owner = doc
  for (const node of doc.children) {
    if (node.type === schema.nodes.section_heading) owner = node
    owners.set(node, owner)
  }
  return owners
}
