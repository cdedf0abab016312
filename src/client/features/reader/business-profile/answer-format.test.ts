import { expect, test } from 'vitest'
import { toAnswer, toInput } from './answer-format.ts'

test('dates and times are written as in the prompts, and can be edited again', () => {
  expect(toAnswer('date', '2026-03-03')).toBe('Mar 3, 2026')
  expect(toInput('date', 'Mar 3, 2026')).toBe('2026-03-03')
  for (const [input, text] of [
    ['21:00', '9:00 p.m.'],
    ['00:05', '12:05 a.m.'],
    ['12:30', '12:30 p.m.'],
  ] as const) {
    expect(toAnswer('time', input)).toBe(text)
    expect(toInput('time', text)).toBe(input)
  }
})

test('a text that is no date or time stays out of the picker', () => {
  for (const text of ['next Tuesday', '', 'Feb 31, 2026', '2026']) expect(toInput('date', text)).toBe('')
  expect(toInput('time', 'at noon')).toBe('')
})

test('an amount gets its dollar sign, and words stay words', () => {
  expect(toAnswer('money', '1,250.50')).toBe('$1,250.50')
  for (const text of ['$12', '12 to 15', 'about 20', '']) expect(toAnswer('money', text)).toBe(text)
  expect(toAnswer('number', '14')).toBe('14')
})
