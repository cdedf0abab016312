import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { ItemMarks } from '#shared/contracts/reader/item-marks.ts'
import { hideFirstWeek, itemMarksQuery, updateItemMark, updateMarkedRules } from './item-marks.ts'

const drop = { kind: 'issue', id: 'a-week-of-reviews' } as const
const before: ItemMarks = {
  items: [],
  versions: [],
  rules: {},
  canAssign: false,
  openAssignments: null,
  continueReading: null,
  firstWeek: { steps: [{ step: 'save', done: false }] },
}

test('an answer from before a change doesn’t undo what the reader did', async () => {
  const client = new QueryClient()
  const read = Promise.withResolvers<ItemMarks>()
  const observer = new QueryObserver(client, { ...itemMarksQuery({ kind: 'issues' }), queryFn: () => read.promise })
  const unsubscribe = observer.subscribe(() => {})
  updateItemMark(client, drop, { saved: true })
  updateMarkedRules(client, { 'allowed-tools': 'forbidden' })
  hideFirstWeek(client)
  read.resolve(before)
  await expect.poll(() => observer.getCurrentResult().data?.firstWeek).toBeNull()
  expect(observer.getCurrentResult().data).toMatchObject({
    items: [{ ...drop, saved: true }],
    rules: { 'allowed-tools': 'forbidden' },
  })
  unsubscribe()
})
