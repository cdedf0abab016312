import {
  baseKeymap,
  chainCommands,
  exitCode,
  joinUp,
  selectParentNode,
  setBlockType,
  splitBlockAs,
} from 'prosemirror-commands'
import { redo, undo } from 'prosemirror-history'
import { undoInputRule } from 'prosemirror-inputrules'
import { keymap } from 'prosemirror-keymap'
import type { Node } from 'prosemirror-model'
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list'
import type { Command, Plugin } from 'prosemirror-state'
import { isInTable } from 'prosemirror-tables'
import {
  moveCell,
  toggleBold,
  toggleCode,
  toggleHeading,
  toggleItalic,
  toggleList,
  toggleQuotation,
} from './commands.ts'
import { schema } from './schema.ts'
import { moveSection, toggleSection } from './section-commands.ts'

const { nodes } = schema

const isHeading = ({ type }: Node) => type === nodes.heading || type === nodes.section_heading

/** Headings and cells are one line. */
const insertBreak: Command = (state, dispatch) => {
  const { parent } = state.selection.$from
  if (!parent.inlineContent || isHeading(parent) || isInTable(state)) return true
  if (parent.type.spec.code || parent.type === nodes.button) return false
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break.create()).scrollIntoView())
  return true
}

/** Ends a block that keeps a line break on Enter, when there is an empty line at its end. */
const leaveSource: Command = (state, dispatch) => {
  const { $head, empty } = state.selection
  const isAtEnd = empty && $head.parent.type.spec.code && $head.parentOffset === $head.parent.content.size
  if (!isAtEnd || !$head.parent.textContent.endsWith('\n')) return false
  return exitCode(state, dispatch ? (tr) => dispatch(tr.delete($head.pos - 1, $head.pos)) : undefined)
}

/** Backspace at the start of a heading or button, or in empty code, makes it a paragraph. */
const makePlain: Command = (state, dispatch) => {
  const { $head, empty } = state.selection
  const { type, content } = $head.parent
  if (!empty || $head.parentOffset > 0) return false
  const isPlainText = isHeading($head.parent) || type === nodes.button || (type.spec.code && content.size === 0)
  return isPlainText ? setBlockType(nodes.paragraph)(state, dispatch) : false
}

/** Enter in the middle of a section's heading: the rest is its text. */
const splitSectionHeading: Command = (state, dispatch) =>
  state.selection.$from.parent.type === nodes.section_heading &&
  splitBlockAs((_node, _atEnd, { parentOffset }) => (parentOffset > 0 ? { type: nodes.paragraph } : null))(
    state,
    dispatch,
  )

const item = nodes.list_item

export const editorKeys = (): Plugin[] => [
  keymap({
    'Mod-z': undo,
    'Shift-Mod-z': redo,
    'Mod-y': redo,
    'Mod-b': toggleBold,
    'Mod-i': toggleItalic,
    'Mod-e': toggleCode,
    'Mod-Alt-2': toggleSection,
    'Mod-Alt-3': toggleHeading(),
    'Mod-Alt-4': toggleHeading(1),
    'Shift-Mod-7': toggleList(nodes.ordered_list),
    'Shift-Mod-8': toggleList(nodes.bullet_list),
    'Shift-Mod-9': toggleQuotation,
    'Mod-]': sinkListItem(item),
    'Mod-[': liftListItem(item),
    'Alt-ArrowUp': chainCommands(moveSection(-1), joinUp),
    'Alt-ArrowDown': moveSection(1),
    'Mod-Alt-ArrowUp': selectParentNode,
    'Shift-Enter': insertBreak,
    'Mod-Enter': chainCommands(exitCode, insertBreak),
    Enter: chainCommands(moveCell(1), leaveSource, splitListItem(item), splitSectionHeading),
    Backspace: chainCommands(undoInputRule, makePlain),
  }),
  keymap(baseKeymap),
]

/** Tab moves in tables and lists, and else leaves the text. */
export const tabKey = (by: 1 | -1): Command =>
  chainCommands(moveCell(by), by === 1 ? sinkListItem(item) : liftListItem(item))
