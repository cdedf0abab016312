import { setBlockType } from 'prosemirror-commands'
import type { Node } from 'prosemirror-model'
import { type Command, type EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import type { SectionSettings } from '../new-section-settings.ts'
import { toggleHeading } from './commands.ts'
import { selectLine } from './find-line.ts'
import { schema } from './schema.ts'
import { partsOf, type SectionPart } from './section-document.ts'
import { writesSections } from './sections-plugin.ts'

const { nodes } = schema

/** A heading of the second level as the heading of a section, without its marks. */
export function asSectionHeading(node: Node): Node {
  if (node.type !== nodes.heading || node.attrs.level !== 2) return node
  const words = node.textContent
  return nodes.section_heading.create(null, words === '' ? null : schema.text(words))
}

/** Makes the current line the heading of a section, or joins the section with the one before. */
export const toggleSection: Command = (state, dispatch) => {
  const { parent, depth } = state.selection.$from
  if (parent.type === nodes.section_heading) return setBlockType(nodes.paragraph)(state, dispatch)
  if (!writesSections(state) || depth !== 1) return toggleHeading()(state, dispatch)
  return setBlockType(nodes.section_heading)(state, dispatch)
}

/** A heading at the end of the text, with the cursor in it. */
export const addSection: Command = (state, dispatch) => {
  const { tr, doc } = state
  const last = doc.lastChild
  const isEmpty = last?.type === nodes.paragraph && last.content.size === 0 && doc.childCount > 1
  const from = doc.content.size - (isEmpty ? last.nodeSize : 0)
  tr.replaceWith(from, doc.content.size, [nodes.section_heading.create(), nodes.paragraph.create()])
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, from + 1)).scrollIntoView())
  return true
}

/** Moves the section whose heading has the cursor, and not above the text at the start. */
export const moveSection =
  (by: 1 | -1): Command =>
  (state, dispatch) => {
    const { $head } = state.selection
    if ($head.parent.type !== nodes.section_heading) return false
    const number = headedParts(state.doc).findIndex(({ pos }) => pos === $head.before())
    const transaction = moveSectionAt(state, number, by)
    if (transaction) dispatch?.(transaction)
    return true
  }

type HeadedPart = SectionPart & { pos: number }

/** Sections with a heading. The functions below take an index of this list. */
const headedParts = (doc: Node) => partsOf(doc).filter((part): part is HeadedPart => part.pos !== null)

const nodesOf = ({ owner, blocks }: HeadedPart) => [owner, ...blocks]
const sizeOf = (part: HeadedPart) => nodesOf(part).reduce((size, { nodeSize }) => size + nodeSize, 0)

export function moveSectionAt(state: EditorState, index: number, by: 1 | -1): Transaction | null {
  const parts = headedParts(state.doc)
  const [part, other] = [parts[index], parts[index + by]]
  if (!part || !other) return null
  const [first, second] = by === 1 ? [part, other] : [other, part]
  const end = first.pos + sizeOf(first) + sizeOf(second)
  const tr = state.tr.replaceWith(first.pos, end, [...nodesOf(second), ...nodesOf(first)])
  const start = by === 1 ? first.pos + sizeOf(second) : first.pos
  const { $head } = state.selection
  const offset = $head.depth === 1 && $head.before() === part.pos ? $head.parentOffset : 0
  return tr.setSelection(TextSelection.create(tr.doc, start + 1 + offset)).scrollIntoView()
}

/** Removes a section with its text. */
export function removeSectionAt({ tr, doc }: EditorState, index: number): Transaction {
  const part = headedParts(doc)[index]
  if (!part) return tr
  const isAll = part.pos === 0 && sizeOf(part) === doc.content.size
  return tr.replaceWith(part.pos, part.pos + sizeOf(part), isAll ? nodes.paragraph.create() : [])
}

/** `index` is null for the text without a heading. */
export function changeSettings({ tr, doc }: EditorState, index: number | null, settings: SectionSettings): Transaction {
  if (index === null) return tr.setDocAttribute('settings', settings)
  const part = headedParts(doc)[index]
  return part ? tr.setNodeAttribute(part.pos, 'settings', settings) : tr
}

/** Selects the heading of a section, or a line of its text. */
export function selectInSection(
  state: EditorState,
  index: number,
  place: 'heading' | 'body',
  line: number | null,
): Transaction {
  const part = headedParts(state.doc)[index]
  if (!part) return state.tr
  const start = part.pos + part.owner.nodeSize
  if (place === 'body' && part.blocks.length > 0) {
    return selectLine(state, nodes.doc.create(part.owner.attrs, part.blocks), start, line ?? 1)
  }
  return state.tr.setSelection(TextSelection.create(state.doc, start - 1)).scrollIntoView()
}
