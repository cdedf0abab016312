import { expect, test } from 'vitest'
import { freeName } from './factor-name.ts'

test('a name that is free stays as it is', () => {
  expect(freeName('Phone', [{ friendly_name: 'Tablet' }, {}])).toBe('Phone')
})

test('a name that is taken gets the next number, whatever its letters', () => {
  expect(freeName('Phone', [{ friendly_name: 'PHONE' }, { friendly_name: 'Phone 2' }])).toBe('Phone 3')
})
