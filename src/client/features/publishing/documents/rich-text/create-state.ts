import { dropCursor } from 'prosemirror-dropcursor'
import { gapCursor } from 'prosemirror-gapcursor'
import { history } from 'prosemirror-history'
import type { Node } from 'prosemirror-model'
import { EditorState, Plugin, type Transaction } from 'prosemirror-state'
import { tableEditing } from 'prosemirror-tables'
import { fromOutside } from './external-value.ts'
import { markdownInput } from './input-rules.ts'
import { editorKeys } from './keymap.ts'
import { placeholderMarks } from './placeholder-marks.ts'
import { schema } from './schema.ts'

const canEndText = new Set(['paragraph', 'heading', 'bullet_list', 'ordered_list', 'button'])

/** An empty paragraph after a table, image or the like, to go on writing. It isn't part of the Markdown. */
function addLastParagraph(state: EditorState): Transaction | null {
  const { lastChild, content } = state.doc
  if (lastChild && canEndText.has(lastChild.type.name)) return null
  const transaction = state.tr.insert(content.size, schema.nodes.paragraph.create())
  return transaction.setMeta('addToHistory', false).setMeta(fromOutside, true)
}

const lastParagraph = new Plugin({
  appendTransaction: (transactions, _before, state) =>
    transactions.some(({ docChanged }) => docChanged) ? addLastParagraph(state) : null,
})

export function createState(doc: Node, plugins: readonly Plugin[]): EditorState {
  const state = EditorState.create({
    doc,
    plugins: [
      ...plugins,
      markdownInput(),
      ...editorKeys(),
      history(),
      tableEditing(),
      dropCursor({ color: 'var(--focus)', width: 2 }),
      gapCursor(),
      lastParagraph,
      placeholderMarks(),
    ],
  })
  const transaction = addLastParagraph(state)
  return transaction ? state.apply(transaction) : state
}
