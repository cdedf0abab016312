import { expect, test } from 'vitest'
import { formatTimestamp } from './timestamp.tsx'

const now = new Date(2025, 2, 3, 18, 0)

test('a timestamp of today shows only the time', () => {
  expect(formatTimestamp(new Date(2025, 2, 3, 16, 10).toISOString(), now)).toMatch(/^Today, 4:10\sPM$/)
})

test('a timestamp of another day shows the date', () => {
  expect(formatTimestamp(new Date(2025, 2, 2, 16, 10).toISOString(), now)).toMatch(/^Mar 2, 2025, 4:10\sPM$/)
  expect(formatTimestamp(new Date(2024, 2, 3, 16, 10).toISOString(), now)).toMatch(/^Mar 3, 2024/)
})
