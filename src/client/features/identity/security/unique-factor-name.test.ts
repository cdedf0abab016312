import { expect, test } from 'vitest'
import { uniqueName } from './unique-factor-name.ts'

test('an unused name stays as it is', () => {
  expect(uniqueName('Phone', [{ friendly_name: 'Tablet' }, {}])).toBe('Phone')
})

test('a used name gets the next number, ignoring case', () => {
  expect(uniqueName('Phone', [{ friendly_name: 'PHONE' }, { friendly_name: 'Phone 2' }])).toBe('Phone 3')
})
