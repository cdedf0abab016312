import { expect, test } from 'vitest'
import { formatTimestamp } from './timestamp.tsx'

const now = new Date(2025, 2, 3, 18, 0)

test('an instant of this day is told by its hour', () => {
  expect(formatTimestamp(new Date(2025, 2, 3, 16, 10).toISOString(), now)).toMatch(/^Today, 4:10\sPM$/)
})

test('an instant of another day is told by its date', () => {
  expect(formatTimestamp(new Date(2025, 2, 2, 16, 10).toISOString(), now)).toMatch(/^Mar 2, 2025, 4:10\sPM$/)
  expect(formatTimestamp(new Date(2024, 2, 3, 16, 10).toISOString(), now)).toMatch(/^Mar 3, 2024/)
})
