import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findExcerpt, markMatches } from './find-excerpt.ts'

const isAnyOf =
  (...words: string[]) =>
  (word: string) =>
    words.includes(word)
const marked = ({ text, marks }: { text: string; marks: [number, number][] }) =>
  marks.map(([start, end]) => text.slice(start, end))

test('marks whole words, whatever their case and accents', () => {
  expect(marked(markMatches('The Café’s cafes: CAFÉ.', isAnyOf('cafe')))).toEqual(['Café', 'CAFÉ'])
})

test('the excerpt is where most of the words are, and begins with a sentence', () => {
  const filler = 'Nothing to see in this sentence. '.repeat(20)
  const excerpt = findExcerpt(`A till. ${filler}Count the till before you close. ${filler}`, isAnyOf('till', 'close'))
  expect(marked(excerpt)).toEqual(['till', 'close'])
  expect(excerpt.text).toMatch(/^… Count the till/)
  expect(excerpt.matches).toBe(2)
})

test('without a match it is the start of the text', () => {
  expect(findExcerpt('Short.', isAnyOf('x'))).toEqual({ text: 'Short.', marks: [], matches: 0 })
  expect(findExcerpt('word '.repeat(100), isAnyOf('x')).text).toMatch(/^word .* …$/)
})

test('marks are ordered ranges inside any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 600 }), fc.string({ maxLength: 1 }), (text, letter) => {
      const excerpt = findExcerpt(text, (word) => word.includes(letter))
      let last = 0
      for (const [start, end] of excerpt.marks) {
        expect(start >= last && end > start && end <= excerpt.text.length).toBe(true)
        last = end
      }
      expect(excerpt.text.length).toBeLessThan(300)
    }),
  )
})
