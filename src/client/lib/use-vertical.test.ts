import { expect, test } from 'vitest'
import { parseVertical, pickVertical } from './use-vertical.ts'

test('the reader’s choice comes before the trade of the franchise type', () => {
  expect(pickVertical('salon', 'Food & Beverage')).toBe('salon')
  expect(pickVertical(null, 'Health & Fitness')).toBe('fitness')
  expect(pickVertical(null, 'Services')).toBe('home-services')
  expect(pickVertical(null, 'Retail')).toBe('retail')
  expect(pickVertical(null, 'Education')).toBe('education')
})

test('without a choice, readers of other types see the first trade', () => {
  for (const type of ['Other', null]) expect(pickVertical(null, type)).toBe('food')
})

test('an unknown stored value is no choice', () => {
  for (const stored of [null, '', 'bakery']) expect(parseVertical(stored)).toBeNull()
  expect(parseVertical('automotive')).toBe('automotive')
})
