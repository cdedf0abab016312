import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expandBlocks, findSourceLine } from './block-references.ts'

const blocks = new Map([
  ['note', 'We test\neach tool\nfor a week.'],
  ['empty', ''],
])

test('a line after a block has the same number as in the editor, and a line in the block has the block’s number', () => {
  const text = 'One\n\n{{block:note}}\n\nFive {{block:gone}}\nSix'
  const lines = expandBlocks(text, blocks).split('\n')
  const origin = (words: string) => findSourceLine(text, blocks, lines.findIndex((line) => line.includes(words)) + 1)
  expect(origin('One')).toEqual({ block: null, line: 1 })
  expect(origin('We test')).toEqual({ block: 'note', line: 1 })
  expect(origin('for a week')).toEqual({ block: 'note', line: 3 })
  expect(origin('Five')).toEqual({ block: null, line: 5 })
  expect(origin('Six')).toEqual({ block: null, line: 6 })
})

test('a line that mixes the text and a block belongs to the text, at the position of the reference', () => {
  expect(findSourceLine('One\nNote: {{block:note}}!\nThree', blocks, 2)).toEqual({ block: null, line: 2 })
  expect(findSourceLine('One\nNote: {{block:note}}!\nThree', blocks, 3)).toEqual({ block: 'note', line: 2 })
  expect(findSourceLine('One\nNote: {{block:note}}!\nThree', blocks, 4)).toEqual({ block: null, line: 2 })
})

test('every line of a text maps to where it was written, whatever blocks surround it', () => {
  const part = fc.constantFrom('words', 'more words', '', '{{block:note}}', '{{block:empty}}', '{{ block: gone }}')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const text = parts.join('\n')
      for (const [index, line] of expandBlocks(text, blocks).split('\n').entries()) {
        const origin = findSourceLine(text, blocks, index + 1)
        if (line.trim() === '') continue
        const source = origin.block === null ? text : (blocks.get(origin.block) ?? '')
        expect(source.split('\n')[origin.line - 1]).toBe(line)
      }
    }),
  )
})
