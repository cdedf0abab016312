import { expect, test } from 'vitest'
import {
  blockAt,
  type Edit,
  insertBlock,
  insertMarkedQuotation,
  insertTable,
  linkMarkdown,
  linkWords,
  problemOfAddress,
  type Selected,
  toggleLines,
  toggleMark,
} from './markdown-commands.ts'

/** A text with its selection in braces. */
function read(marked: string): Selected {
  const from = marked.indexOf('{')
  const to = marked.indexOf('}') - 1
  return { text: marked.replace(/[{}]/g, ''), from, to }
}
function show({ text }: Selected, edit: Edit | null): string | null {
  if (!edit) return null
  const changed = text.slice(0, edit.from) + edit.insert + text.slice(edit.to)
  const [from, to] = edit.select
  return `${changed.slice(0, from)}{${changed.slice(from, to)}}${changed.slice(to)}`
}
const apply = (marked: string, command: (selected: Selected) => Edit | null) =>
  show(read(marked), command(read(marked)))

test.each([
  ['Count {twice}.', 'Count **{twice}**.'],
  ['Count **{twice}**.', 'Count {twice}.'],
  ['Count {twice }now', 'Count **{twice}** now'],
  ['Count {}', 'Count **{}**'],
])('bold: %j becomes %j', (before, after) => {
  expect(apply(before, (selected) => toggleMark(selected, '**'))).toBe(after)
})

test('italic leaves bold alone', () => {
  expect(apply('**{twice}**', (selected) => toggleMark(selected, '*'))).toBe('***{twice}***')
  expect(apply('*{twice}*', (selected) => toggleMark(selected, '*'))).toBe('{twice}')
})

test.each([
  ['bullets', 'a\n{b\nc}\nd', 'a\n{- b\n- c}\nd'],
  ['bullets', '{- b\n- c}', '{b\nc}'],
  ['numbers', '{- b\n- c}', '{1. b\n2. c}'],
  ['heading', 'Ti{t}le', '### Title{}'],
  ['heading', '## Ti{}tle', 'Title{}'],
  ['quote', '{- b}', '> - b{}'],
] as const)('%s: %j becomes %j', (format, before, after) => {
  expect(apply(before, (selected) => toggleLines(selected, format))).toBe(after)
})

test('a callout or a prompt is made of the selected lines, or of a word to replace', () => {
  expect(apply('a\n\n{b\nc}', (selected) => insertMarkedQuotation(selected, 'tip'))).toBe('a\n\n> [!TIP]\n> {b\n> c}')
  expect(apply('| a {}|', (selected) => insertMarkedQuotation(selected, 'note'))).toBe('| a |\n\n> [!NOTE]\n> {Text}')
  expect(apply('{}', (selected) => insertMarkedQuotation(selected, 'warning'))).toBe('> [!WARNING]\n> {Text}')
})

test('a block has an empty line around it', () => {
  expect(apply('a{}b', (selected) => insertBlock(selected, 'X'))).toBe('a\n\nX{}\n\nb')
  expect(apply('a\n{}\nb', (selected) => insertBlock(selected, 'X'))).toBe('a\n\nX{}\n\nb')
})

test('a table is inserted with its first cell selected', () => {
  expect(apply('a{}', insertTable)).toBe('a\n\n| {Column} | Column |\n| --- | --- |\n|  |  |')
})

test.each([
  ['https://a.example/x', null],
  ['mailto:me@a.example', null],
  ['/portal/guides', null],
  ['#count-it-twice', null],
  ['', 'Enter an address'],
  ['http://a.example', 'Start the address with https://, mailto: or /portal/'],
  ['javascript:alert(1)', 'Start the address with https://, mailto: or /portal/'],
  ['https://', 'Start the address with https://, mailto: or /portal/'],
])('the address %j: %j', (address, problem) => {
  expect(problemOfAddress(address)).toBe(problem)
})

test('words and addresses can’t end a link early', () => {
  expect(linkMarkdown(linkWords('[Book]\na demo'), 'https://a.example/(x) y', 'button')).toBe(
    '[Book a demo](https://a.example/%28x%29%20y "button")',
  )
})

test('the block around the cursor is its line, or the lines around an empty one', () => {
  expect(blockAt('One\n\n- Two\n- Three', 8)).toBe('- Two')
  expect(blockAt('One\n\nTwo', 0)).toBe('One')
})
