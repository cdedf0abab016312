import { expect, test } from 'vitest'
import { csvHeader, csvLine } from './deliveries-csv.ts'

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
