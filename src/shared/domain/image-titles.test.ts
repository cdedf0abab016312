import { expect, test } from 'vitest'
import { parseImageTitle, writeImageTitle } from './image-titles.ts'

test.each([
  [null, { caption: '', size: null }],
  ['The till at noon', { caption: 'The till at noon', size: null }],
  ['The till at noon {wide}', { caption: 'The till at noon', size: 'wide' }],
  ['{small}', { caption: '', size: 'small' }],
  ['A {curly} word {huge}', { caption: 'A {curly} word {huge}', size: null }],
] as const)('the title %j is read and written the same', (title, read) => {
  expect(parseImageTitle(title)).toEqual(read)
  expect(writeImageTitle(read)).toBe(title)
})

test('a title of many spaces is read at once', () => {
  const spaces = ' '.repeat(200_000)
  expect(parseImageTitle(`a${spaces}b`)).toEqual({ caption: `a${spaces}b`, size: null })
  expect(parseImageTitle(`a${spaces}{wide}${spaces}`)).toEqual({ caption: 'a', size: 'wide' })
})
