import { expect, test } from 'vitest'
import { isMissingChunk, mayReload } from './chunk-recovery.ts'

test('a page reloads automatically at most once a minute', () => {
  expect(mayReload(null, 1_000_000)).toBe(true)
  expect(mayReload('990000', 1_000_000)).toBe(false)
  expect(mayReload('900000', 1_000_000)).toBe(true)
})

test('a missing chunk is distinguished from a bug in every browser', () => {
  expect(isMissingChunk(new TypeError('Failed to fetch dynamically imported module: /assets/x.js'))).toBe(true)
  expect(isMissingChunk(new TypeError('error loading dynamically imported module'))).toBe(true)
  expect(isMissingChunk(new TypeError('Importing a module script failed.'))).toBe(true)
  expect(isMissingChunk(new TypeError('x is undefined'))).toBe(false)
  expect(isMissingChunk('nothing')).toBe(false)
})
