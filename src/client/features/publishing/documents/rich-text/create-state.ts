import { dropCursor } from 'prosemirror-dropcursor'
import { gapCursor } from 'prosemirror-gapcursor'
import { history } from 'prosemirror-history'
import type { Node } from 'prosemirror-model'
import { EditorState, Plugin, type Transaction } from 'prosemirror-state'
import { tableEditing } from 'prosemirror-tables'
import { Decoration, DecorationSet } from 'prosemirror-view'
import { isCopyKind } from '#shared/domain/marked-quotations.ts'
import { fromOutside } from './external-value.ts'
import { markdownInput } from './input-rules.ts'
import { editorKeys } from './keymap.ts'
import { schema } from './schema.ts'

/** The pattern of shared/domain/placeholders.ts, whose list of variables would move to a chunk that readers load with every page. */
const blank = /\[(?!\s*\])[^[\]]*\]/g

/** The placeholders in prompts and texts to copy, such as `[store_name]`. */
function marksIn(doc: Node): Decoration[] {
  const found: Decoration[] = []
  doc.forEach((block, offset) => {
    if (block.type.name !== 'blockquote' || !isCopyKind(block.attrs.kind as string | null)) return
    block.descendants((node, pos) => {
      if (!node.isText) return true
      for (const { 0: written, index } of (node.text ?? '').matchAll(blank)) {
        const from = offset + 1 + pos + index
        found.push(Decoration.inline(from, from + written.length, { nodeName: 'mark' }))
      }
      return false
    })
  })
  return found
}

/** Marks placeholders as readers see them. */
const placeholderMarks = (): Plugin =>
  new Plugin<DecorationSet>({
    state: {
      init: (_config, { doc }) => DecorationSet.create(doc, marksIn(doc)),
      apply: ({ docChanged }, before, _state, { doc }) =>
        docChanged ? DecorationSet.create(doc, marksIn(doc)) : before,
    },
    props: {
      decorations(state) {
        return this.getState(state)
      },
    },
  })

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
