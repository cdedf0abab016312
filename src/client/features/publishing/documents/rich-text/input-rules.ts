import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules'
import type { MarkType } from 'prosemirror-model'
import { type Plugin, TextSelection } from 'prosemirror-state'
import { schema } from './schema.ts'
import { writesSections } from './sections-plugin.ts'

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
export const markdownInput = (): Plugin =>
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
