import { expect, test } from 'vitest'
import type { ItemMarks } from '#shared/contracts/item-marks.ts'
import { applyUnsentChanges } from './apply-unsent-changes.ts'

const section = { kind: 'section', id: 'a--b' } as const
const change = (id: number, name: string, input: object) => ({
  id,
  userId: 'reader',
  name,
  input: { ...section, at: '2026-11-22T16:00:00Z', ...input },
  label: null,
  key: null,
})
const marks = { items: [], rules: {}, continueReading: null, firstWeek: null } as unknown as ItemMarks

test('what was saved and tried offline shows after a reload, in the order in which it was done', () => {
  const changes = [
    change(1, 'save-item', { saved: true }),
    change(2, 'record-try', { outcome: 'worked' }),
    change(3, 'mark-read', { items: [section] }),
  ]
  expect(applyUnsentChanges('item-marks', marks, changes)).toMatchObject({
    items: [{ ...section, saved: true, savedAt: '2026-11-22T16:00:00Z', tried: 'worked' }],
  })
  const undone = [...changes, change(4, 'save-item', { saved: false }), change(5, 'remove-try', {})]
  expect(applyUnsentChanges('item-marks', marks, undone)).toMatchObject({ items: [{ saved: false, tried: null }] })
})

test('other answers stay as they are', () => {
  const prompts = { categories: [] }
  expect(applyUnsentChanges('prompt-packs', prompts, [change(1, 'save-item', { saved: true })])).toBe(prompts)
})
