import { expect, test } from 'vitest'
import { formatMoney } from './format-money.ts'

test.each([
  [1000, 'usd', '$10.00'],
  [1000, 'eur', '€10.00'],
  [1000, 'jpy', '¥1,000'],
  [1000, 'KRW', '₩1,000'],
  [12345, 'kwd', 'KWD 12.345'],
  [-250, 'usd', '-$2.50'],
  [0, 'jpy', '¥0'],
])('%i of the smallest units in %s is formatted as %s', (units, currency, text) => {
  expect(formatMoney(units, currency).replaceAll('\u00a0', ' ')).toBe(text)
})
