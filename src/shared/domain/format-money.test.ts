import { expect, test } from 'vitest'
import { amountAsInput, formatMoney, parseAmount } from './format.ts'

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

test.each([
  ['12.34', 'usd', 1234],
  ['$7', 'usd', 700],
  ['€7,5', 'eur', 750],
  ['1500', 'jpy', 1500],
  ['¥15', 'jpy', 15],
  ['1.5', 'jpy', null],
  ['1.234', 'kwd', 1234],
  ['1.234', 'usd', null],
  ['-1', 'usd', null],
  ['', 'usd', null],
])('%o in %s is read as %s', (text, currency, units) => {
  expect(parseAmount(text, currency)).toBe(units)
})

test('an amount as it is typed has the decimals of its currency', () => {
  expect([amountAsInput(750, 'usd'), amountAsInput(750, 'jpy'), amountAsInput(750, 'kwd')]).toEqual([
    '7.50',
    '750',
    '0.750',
  ])
})
