import { expect, test } from 'vitest'
import { uniqueName } from './unique-name.ts'

test('a name that is free stays as it is', () => {
  expect(uniqueName('Phone', [{ friendly_name: 'Tablet' }, {}])).toBe('Phone')
})

test('a name that is taken gets the next number, whatever its letters', () => {
  expect(uniqueName('Phone', [{ friendly_name: 'PHONE' }, { friendly_name: 'Phone 2' }])).toBe('Phone 3')
})
