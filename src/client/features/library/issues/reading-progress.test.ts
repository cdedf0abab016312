import { expect, test } from 'vitest'
import { createReadingProgress } from './reading-progress.ts'

test('the last section in view is the position; a section is read when the reader moves on', () => {
  const progress = createReadingProgress(['a', 'b', 'c'])
  progress.update([], false, 0)
  expect(progress.current()).toBeNull()
  progress.update(['a'], false, 1_000)
  progress.update(['a', 'b'], false, 60_000)
  expect(progress.current()).toEqual({ sectionId: 'b', readSections: ['a'], finished: false })
})

test('sections that were skipped aren’t read', () => {
  const progress = createReadingProgress(['a', 'b', 'c'])
  progress.update(['a'], false, 0)
  progress.update(['a', 'b'], false, 500)
  progress.update(['a', 'b', 'c'], false, 900)
  expect(progress.current()).toEqual({ sectionId: 'c', readSections: [], finished: false })
})

test('scrolling back moves the position, and what was read or finished stays so', () => {
  const progress = createReadingProgress(['a', 'b'])
  progress.update(['a', 'b'], false, 0)
  progress.update(['a', 'b'], true, 5_000)
  expect(progress.current()).toEqual({ sectionId: 'b', readSections: ['b'], finished: true })
  progress.update(['a'], false, 5_500)
  expect(progress.current()).toEqual({ sectionId: 'a', readSections: ['b'], finished: true })
})

test('nothing new is the same progress, so that nothing is sent', () => {
  const progress = createReadingProgress(['a', 'b'])
  progress.update(['a'], false, 0)
  const before = progress.current()
  progress.update(['a'], false, 9_000)
  expect(progress.current()).toBe(before)
})
