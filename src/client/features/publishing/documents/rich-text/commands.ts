import { lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands'
import { Fragment, type Node, type NodeType } from 'prosemirror-model'
import { liftListItem, wrapInList } from 'prosemirror-schema-list'
import {
  type Command,
  type EditorState,
  NodeSelection,
  Selection,
  TextSelection,
  type Transaction,
} from 'prosemirror-state'
import {
  addColumnAfter,
  addRowAfter,
  deleteColumn,
  deleteRow,
  deleteTable,
  goToNextCell,
  isInTable,
} from 'prosemirror-tables'
import { type QuotationKind, schema } from './schema.ts'

const { nodes, marks } = schema

/** The innermost node of a type around the selection, and where it is. */
export function nodeAround(state: EditorState, ...types: NodeType[]): { node: Node; pos: number } | null {
  const { $from } = state.selection
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    const node = $from.node(depth)
    if (types.includes(node.type)) return { node, pos: $from.before(depth) }
  }
  return null
}

/** The largest heading of the text; a smaller one is a level below. */
function topLevel(doc: Node): number {
  let top = 6
  doc.descendants((node) => {
    if (node.type === nodes.heading) top = Math.min(top, Number(node.attrs.level))
    return node.type !== nodes.heading
  })
  return top === 6 ? 3 : top
}

export const toggleHeading =
  (below: 0 | 1 = 0): Command =>
  (state, dispatch) => {
    const current = nodeAround(state, nodes.heading)
    const level = Math.min(6, topLevel(state.doc) + below)
    if (current && (below === 0 || current.node.attrs.level === level)) {
      return setBlockType(nodes.paragraph)(state, dispatch)
    }
    return setBlockType(nodes.heading, { level })(state, dispatch)
  }

export const toggleList =
  (type: NodeType): Command =>
  (state, dispatch) => {
    const list = nodeAround(state, nodes.bullet_list, nodes.ordered_list)
    if (list?.node.type === type) return liftListItem(nodes.list_item)(state, dispatch)
    if (!list) return wrapInList(type)(state, dispatch)
    const { tight } = list.node.attrs
    dispatch?.(state.tr.setNodeMarkup(list.pos, type, { tight, source: list.node.attrs.source ?? null }))
    return true
  }

export const toggleQuotation: Command = (state, dispatch) =>
  nodeAround(state, nodes.blockquote) ? lift(state, dispatch) : wrapIn(nodes.blockquote)(state, dispatch)

export const toggleBold = toggleMark(marks.strong)
export const toggleItalic = toggleMark(marks.em)
export const toggleCode = toggleMark(marks.code)

/** Makes the selected blocks a callout or text to copy, changes the kind of the one around, or starts one. */
export const makeQuotation =
  (kind: QuotationKind): Command =>
  (state, dispatch) => {
    const around = nodeAround(state, nodes.blockquote)
    if (around) {
      dispatch?.(state.tr.setNodeMarkup(around.pos, null, { ...around.node.attrs, kind, mark: null }))
      return true
    }
    const { $from, empty } = state.selection
    if (empty && $from.parent.isTextblock && $from.parent.content.size > 0) {
      return insertBlocks([nodes.blockquote.create({ kind }, nodes.paragraph.create())])(state, dispatch)
    }
    return wrapIn(nodes.blockquote, { kind })(state, dispatch)
  }

/** Returns true if there is something to write in and nothing is written yet. */
function isBlank(block: Node): boolean {
  let hasContent = block.isAtom
  block.descendants(({ isInline }) => {
    hasContent ||= isInline
    return true
  })
  return !hasContent
}

/** Inserts blocks after the current one, or in place of an empty paragraph. The cursor goes into them, or behind them. */
export const insertBlocks =
  (blocks: readonly Node[]): Command =>
  (state, dispatch) => {
    const { $to } = state.selection
    const isTop = $to.depth === 0
    // Inside a gallery, blocks go into it.
    const isInGallery = $to.depth > 1 && $to.node(1).attrs.kind === 'gallery'
    const depth = isInGallery ? 2 : 1
    const block = isTop ? null : $to.node(depth)
    const isEmpty = block?.type === nodes.paragraph && block.content.size === 0
    const from = isTop ? $to.pos : isEmpty ? $to.before(depth) : $to.after(depth)
    const to = isTop || !isEmpty ? from : $to.after(depth)
    const tr = state.tr.replaceWith(from, to, Fragment.from(blocks))
    const end = from + blocks.reduce((size, { nodeSize }) => size + nodeSize, 0)
    const [first] = blocks
    const isOpen = blocks.length === 1 && first !== undefined && isBlank(first)
    if (!isOpen && (isInGallery || end === tr.doc.content.size)) tr.insert(end, nodes.paragraph.create())
    tr.setSelection(Selection.near(tr.doc.resolve(isOpen ? from : end), 1))
    dispatch?.(tr.scrollIntoView())
    return true
  }

export const insertTable: Command = (state, dispatch) => {
  const row = (type: NodeType) => nodes.table_row.create(null, [type.create(), type.create()])
  return insertBlocks([nodes.table.create(null, [row(nodes.table_header), row(nodes.table_cell)])])(state, dispatch)
}

/** The next or previous cell; a row is added after the last one. */
export const moveCell =
  (by: 1 | -1): Command =>
  (state, dispatch) => {
    if (!isInTable(state)) return false
    if (goToNextCell(by)(state, dispatch) || by < 0 || !dispatch) return true
    let next = state
    addRowAfter(state, (transaction) => {
      next = state.apply(transaction)
      dispatch(transaction)
    })
    return goToNextCell(1)(next, dispatch)
  }

/** The range of the link or button around the cursor. */
export function linkAround(state: EditorState): { from: number; to: number; href: string } | null {
  const { selection, doc } = state
  const { $from } = selection
  const button = nodeAround(state, nodes.button)
  if (button) return { from: $from.start(), to: $from.end(), href: String(button.node.attrs.href) }
  const beside = [$from.nodeAfter, selection.empty ? $from.nodeBefore : null]
  const mark = beside.map((node) => marks.link.isInSet(node?.marks ?? [])).find((link) => link !== undefined)
  if (!mark || !$from.parent.isTextblock) return null
  let from = $from.pos
  let to = $from.pos
  const start = $from.start()
  $from.parent.forEach((child, offset) => {
    const end = start + offset + child.nodeSize
    if (!mark.isInSet(child.marks) || end < $from.pos || start + offset > Math.max($from.pos, selection.to)) return
    from = Math.min(from, start + offset)
    to = Math.max(to, end)
  })
  return doc.textBetween(from, to) === '' ? null : { from, to, href: String(mark.attrs.href) }
}

/** Range that a link covers or will cover: the link or button around the cursor, or else the selected words. */
export function linkRange(state: EditorState): { from: number; to: number; words: string } {
  const { doc, selection } = state
  const around = linkAround(state)
  const { from, to } = around ?? TextSelection.between(selection.$from, selection.$to)
  return { from, to, words: doc.textBetween(from, to, ' ') }
}

/** Links the selected words, or inserts words with a link. */
export function insertLink(state: EditorState, words: string, href: string): Transaction {
  const { from, to, words: selected } = linkRange(state)
  const mark = marks.link.create({ href })
  const { tr } = state
  const button = nodeAround(state, nodes.button)
  if (button) {
    const changed = nodes.button.create({ ...button.node.attrs, href }, schema.text(words))
    tr.replaceWith(button.pos, button.pos + button.node.nodeSize, changed)
    return tr.setSelection(TextSelection.create(tr.doc, button.pos + 1 + words.length)).scrollIntoView()
  }
  if (selected === words) tr.removeMark(from, to, marks.link).addMark(from, to, mark)
  else {
    const around = state.selection.$from.marks().filter(({ type }) => type !== marks.link)
    tr.replaceWith(from, to, schema.text(words, mark.addToSet(around)))
  }
  const end = tr.doc.resolve(tr.mapping.map(to))
  return tr.setSelection(Selection.near(end, -1)).removeStoredMark(mark).scrollIntoView()
}

export const removeLink: Command = (state, dispatch) => {
  if (nodeAround(state, nodes.button)) return setBlockType(nodes.paragraph)(state, dispatch)
  const link = linkAround(state)
  if (link) dispatch?.(state.tr.removeMark(link.from, link.to, marks.link))
  return link !== null
}

/** The selected image or video. */
export function selectedImage({ selection }: EditorState): { node: Node; pos: number } | null {
  if (!(selection instanceof NodeSelection)) return null
  const { node, from } = selection
  return node.type === nodes.image || node.type === nodes.video ? { node, pos: from } : null
}

export const tableCommands = {
  'add-row': addRowAfter,
  'add-column': addColumnAfter,
  'delete-row': deleteRow,
  'delete-column': deleteColumn,
  'delete-table': deleteTable,
} satisfies Record<string, Command>
export type TableCommand = keyof typeof tableCommands

/** Buttons that the toolbar shows as pressed. */
export function activeTools(state: EditorState): string[] {
  const { $from, from, to, empty } = state.selection
  const hasMark = (name: 'strong' | 'em') =>
    empty ? !!marks[name].isInSet(state.storedMarks ?? $from.marks()) : state.doc.rangeHasMark(from, to, marks[name])
  const list = nodeAround(state, nodes.bullet_list, nodes.ordered_list)?.node.type
  return [
    hasMark('strong') && 'bold',
    hasMark('em') && 'italic',
    nodeAround(state, nodes.heading, nodes.section_heading) && 'heading',
    list === nodes.bullet_list && 'bullets',
    list === nodes.ordered_list && 'numbers',
    nodeAround(state, nodes.blockquote) && 'quote',
    linkAround(state) && 'link',
    isInTable(state) && 'table',
  ].filter((name) => typeof name === 'string')
}
