import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findWrongSums } from './find-wrong-sums.ts'

test.each([
  '2 people × 10 minutes × 4 nights = 80 minutes',
  '80 ÷ 60 × $18 = $24',
  '3 stores × 2 hours × $25 = $150 a month',
  '$1,240 + $310 − $95.50 = $1,454.50',
  '10 ÷ 3 = 3.3, and 10 ÷ 3 = 3',
  '7 × 171 = about 1,200 orders',
  '$41,860 × 6% = $2,511.60',
  '6% of $500 = $30',
  '6% + 2% = 8%',
  '$420 ÷ $4,200 = 10%',
  '$420 ÷ $4,200 × 100 = 10%',
  '(40 + 20) × $18 = $1,080 (an example: 2 × 3 = 6)',
  '80 minutes ÷ 60 × $18 = $24 a night, and $24 × 5 nights = $120',
  'Week 1: 3 × 4 = 12. In 2026, 5 − 2 = 3.',
  '2 × 3 × 25 = 6 × 25 = 150',
  '4 × $6 = $24 − $5 = $19',
  '12 minutes of 4\npeople × 3\nnights = 12',
  '| 2 × 3 = 6 | 4 |\n| --- | --- |',
  '- 2 × 4 = 8\n- 3 × 3 = 9',
])('right as written: %j', (text) => {
  expect(findWrongSums(text)).toEqual([])
})

test.each([
  'Net sales = gross − refunds − tax',
  'minutes ÷ 60 = hours',
  'In the sheet, type `=2*3=7` and `2 × 3 = 7`.',
  '60 minutes = 1 hour',
  'From 9:30 to 11:30 = 2 hours',
  'B2 × C2 = 12',
  '[a link](https://example.com/?a=2 × 3 = 7)',
])('no equation with numbers: %j', (text) => {
  expect(findWrongSums(text)).toEqual([])
})

test.each([
  ['2 people × 10 minutes × 4 nights = 90 minutes', '80'],
  ['80 ÷ 60 × $18 = $25.00', '$24.00'],
  ['$41,860 × 6% = $2,512.60', '$2,511.60'],
  ['$420 ÷ $4,200 = 11%', '10%'],
  ['First 2 × 2 = 4,\nthen 3 × 3 = 10', '9'],
])('wrong: %j is %s', (text, result) => {
  expect(findWrongSums(text).map((sum) => sum.result)).toEqual([result])
})

test('a wrong sum is reported with its line and its words', () => {
  expect(findWrongSums('Text.\n\n- 3 nights × $4 = $13 a week')).toEqual([
    { line: 3, written: '3 nights × $4 = $13', result: '$12' },
  ])
})

test('what adds up is never reported, and what is off by one always is', () => {
  const numbers = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 2, maxLength: 6 })
  fc.assert(
    fc.property(numbers, (terms) => {
      const sum = terms.reduce((total, term) => total + term, 0)
      const words = terms.map((term) => `$${term.toLocaleString('en-US')} for rent`).join(' + ')
      expect(findWrongSums(`${words} = $${sum.toLocaleString('en-US')}`)).toEqual([])
      expect(findWrongSums(`${words} = $${(sum + 1).toLocaleString('en-US')}`)).toHaveLength(1)
    }),
  )
})
