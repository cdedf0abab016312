import { expect, test } from 'vitest'
import { csvCell, csvHeader, csvLine } from './deliveries-csv.ts'

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

test('No part of a line begins like a formula, whether it is divided at commas, semicolons or tabs', () => {
  const line = csvLine({
    id: '1',
    userId: crypto.randomUUID(),
    email: '=a@example.com',
    status: 'failed',
    cause: 'refused',
    attempts: 1,
    response: '\t=1;550 x;=HYPERLINK("http://x.test";"y")\t=1;\n;+1',
    changedAt: null,
  })
  for (const separator of [',', ';', '\t']) {
    const parts = `${csvHeader}${line}`.split(/[\r\n]/).flatMap((each) => each.split(separator))
    expect(parts.filter((part) => /^["\s]*[=+\-@|%]/.test(part))).toEqual([])
  }
})
