import { expect, test } from 'vitest'
import { csvCell } from './csv.ts'

test.each([
  ['=1+1', `"'=1+1"`],
  ['+1', `"'+1"`],
  ['-1', `"'-1"`],
  ['@sum', `"'@sum"`],
  ['  =1', `"'  =1"`],
  ['＝1+1', `"'＝1+1"`],
  ['x;＋1', `"x;'＋1"`],
  ['－1', `"'－1"`],
  ['＠SUM(1)', `"'＠SUM(1)"`],
  ['\t=1', `"\t'=1"`],
  ['550 x;=HYPERLINK("http://x.test")', `"550 x;'=HYPERLINK(""http://x.test"")"`],
  ['550 x; "=1"', `"550 x;' ""=1"""`],
  ['550 x\t@sum', `"550 x\t'@sum"`],
  ['550 x\r\n-1\n+2', `"550 x\r\n'-1\n'+2"`],
  ['550 5.1.1 no such user; a-b=c', '"550 5.1.1 no such user; a-b=c"'],
  ['plain', '"plain"'],
  ['', '""'],
])('A cell with %j is written as %s', (text, cell) => {
  expect(csvCell(text)).toBe(cell)
})
