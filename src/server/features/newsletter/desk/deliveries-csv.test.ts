import { expect, test } from 'vitest'
import { csvCell } from './deliveries-csv.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@sum', "'@sum"],
  ['\t=1', '"\'\t=1"'],
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
])('A cell with %j is written as %s', (text, cell) => {
  expect(csvCell(text)).toBe(cell)
})
