import { expect, test } from 'vitest'
import { answerKey, isLibraryExpired, maxOfflineMs } from './offline-library.ts'

test('an answer is found whatever the order of the input, and no input is an empty one', () => {
  expect(answerKey('item-marks', { kind: 'issue', slug: 'a' })).toBe(
    answerKey('item-marks', { slug: 'a', kind: 'issue' }),
  )
  expect(answerKey('saved-items', { kind: null })).toBe(answerKey('saved-items', {}))
  expect(answerKey('guides', null)).toBe(answerKey('guides', {}))
  expect(answerKey('weekly-drop', { slug: 'a' })).not.toBe(answerKey('weekly-drop', { slug: 'b' }))
})

test('a library expires seven days after its last check, also if the clock is moved back', () => {
  const checkedAt = 1_000
  const end = checkedAt + maxOfflineMs
  expect(isLibraryExpired(checkedAt, checkedAt, end)).toBe(false)
  expect(isLibraryExpired(checkedAt, checkedAt, end + 1)).toBe(true)
  expect(isLibraryExpired(checkedAt, end + 1, checkedAt)).toBe(true)
})
