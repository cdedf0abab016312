import { TextSelection } from 'prosemirror-state'
import { expect, test } from 'vitest'
import { createState } from './create-state.ts'
import { replaceBlocks } from './external-value.ts'
import { findLine } from './find-line.ts'
import { parseMarkdown } from './parse-markdown.ts'
import { writeMarkdown } from './write-markdown.ts'

/** The Markdown after a value came from outside, and the text from the start of the cursor's block to the cursor. */
function takeOver(own: string, cursorAfter: string, value: string) {
  let state = createState(parseMarkdown(own), [])
  let at = 0
  state.doc.descendants((node, pos) => {
    if (node.isText && node.text?.includes(cursorAfter)) at = pos + node.text.indexOf(cursorAfter) + cursorAfter.length
  })
  state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, at)))
  const transaction = replaceBlocks(state, parseMarkdown(value))
  const next = transaction ? state.apply(transaction) : state
  const { $from } = next.selection
  return { markdown: writeMarkdown(next.doc), cursor: $from.parent.textBetween(0, $from.parentOffset) }
}

test.each([
  ['before it', 'A\n\nB\n\nC', 'A changed\n\nB\n\nC'],
  ['after it', 'A\n\nB\n\nC', 'A\n\nB\n\nNew\n\nC'],
  ['on both sides', 'A\n\nB\n\nC', 'B\n\nC and D'],
])('a value that differs in blocks %s leaves the cursor where it is', (_where, own, value) => {
  expect(takeOver(own, 'B', value)).toEqual({ markdown: value, cursor: 'B' })
})

test('the same value changes nothing', () => {
  expect(replaceBlocks(createState(parseMarkdown('A\n\n| a |\n|-|'), []), parseMarkdown('A\n\n| a |\n|-|'))).toBeNull()
})

test.each([
  [1, 'First'],
  [4, 'For {{pet}} only'],
  [7, 'item **two**'],
  [9, 'quoted'],
])('line %i of the source is found in the text', (line, words) => {
  const { doc } = createState(
    parseMarkdown('First\n\nFine.\nFor {{pet}} only\n\n- one\n- item **two**\n\n> quoted\n'),
    [],
  )
  const { from, to } = findLine(doc, line)
  expect(doc.textBetween(from, to)).toBe(words.replaceAll('**', ''))
})
