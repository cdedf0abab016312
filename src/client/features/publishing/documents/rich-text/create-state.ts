import { dropCursor } from 'prosemirror-dropcursor'
import { gapCursor } from 'prosemirror-gapcursor'
import { history } from 'prosemirror-history'
import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules'
import type { MarkType, Node } from 'prosemirror-model'
import { EditorState, Plugin, TextSelection, type Transaction } from 'prosemirror-state'
import { tableEditing } from 'prosemirror-tables'
import { Decoration, DecorationSet } from 'prosemirror-view'
import { isCopyKind } from '#shared/domain/marked-quotations.ts'
import { fromOutside } from './external-value.ts'
import { editorKeys } from './keymap.ts'
import { schema } from './schema.ts'
import { writesSections } from './sections-plugin.ts'

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

const { nodes, marks } = schema

/** Words between marks, such as `**bold**`, become what they say when the last mark is typed. */
const markRule = (pattern: RegExp, written: string, type: MarkType) =>
  new InputRule(pattern, (state, { 0: match, 1: words = '' }, start, end) => {
    const from = match.startsWith(written) ? start : start + 1
    const to = from + words.length
    return state.tr
      .delete(to + written.length, end)
      .delete(from, from + written.length)
      .addMark(from, to, type.create())
      .removeStoredMark(type)
  })

/** Markdown that is typed becomes what it stands for. Backspace right after brings the typed characters back. */
const markdownInput = (): Plugin =>
  inputRules({
    rules: [
      new InputRule(/^##\s$/, (state, _match, start, end) => {
        if (!writesSections(state) || state.doc.resolve(start).depth !== 1) return null
        return state.tr.delete(start, end).setBlockType(start, start, nodes.section_heading)
      }),
      textblockTypeInputRule(/^(#{1,6})\s$/, nodes.heading, ([, hashes = '']) => ({ level: hashes.length })),
      wrappingInputRule(/^\s*([-+*])\s$/, nodes.bullet_list, ([, marker]) => ({ marker })),
      wrappingInputRule(
        /^(\d{1,9})([.)])\s$/,
        nodes.ordered_list,
        ([, start, marker]) => ({ start: Number(start), marker }),
        ([, start], list) => list.childCount + Number(list.attrs.start) === Number(start),
      ),
      wrappingInputRule(/^\s*>\s$/, nodes.blockquote),
      textblockTypeInputRule(/^```$/, nodes.code_block),
      new InputRule(/^(?:---|\*\*\*)$/, ({ doc, tr }, _match, start) => {
        const $start = doc.resolve(start)
        if ($start.depth !== 1) return null
        tr.replaceWith($start.before(), $start.after(), [nodes.horizontal_rule.create(), nodes.paragraph.create()])
        return tr.setSelection(TextSelection.create(tr.doc, $start.before() + 2))
      }),
      new InputRule(/\{\{[^{}\n]+\}\}$/, (state, [written], start, end) =>
        state.tr.replaceWith(start, end, nodes.merge_field.create({ written })),
      ),
      markRule(/(?:^|[^*\\])\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/, '**', marks.strong),
      markRule(/(?:^|[^*\\])\*([^*\s](?:[^*]*[^*\s])?)\*$/, '*', marks.em),
      markRule(/(?:^|[^`\\])`([^`]+)`$/, '`', marks.code),
    ],
  })
