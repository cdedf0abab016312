import { expect, test } from 'vitest'
import { readOperators } from './read-operators.ts'

test('quoted words are phrases, whatever signs and accents they contain', () => {
  expect(readOperators('a "follow-up email" “24/7” "$5.50" "Café"').phrases).toEqual([
    'follow up email',
    '24 7',
    '5 50',
    'cafe',
  ])
})

test('a minus before a word or a phrase excludes it, a hyphen inside a word does not', () => {
  expect(readOperators('lait -café')).toMatchObject({ excluded: ['cafe'], text: 'lait  ' })
  expect(readOperators('reviews -"by hand"')).toMatchObject({ excluded: ['by hand'], phrases: [] })
  expect(readOperators('follow-up').excluded).toEqual([])
})

test('joined words stay together, and so do “no shows”', () => {
  expect(readOperators('fees for no-shows, 24/7').compounds).toEqual([
    ['no', 'shows'],
    ['24', '7'],
  ])
  expect(readOperators('no shows').compounds).toEqual([['no', 'show']])
  expect(readOperators('food cost').compounds).toEqual([])
})
