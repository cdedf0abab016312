import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CallError } from '#client/lib/call-error.ts'
import { emptyDraft } from '#shared/contracts/documents.ts'
import type { StoredDocument } from '#shared/contracts/publishing.ts'
import { createDraftKeeper } from './draft-keeper.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const draft = (title: string) => emptyDraft('tool', title)
const stored = (title: string, version: number) =>
  ({
    kind: 'tool',
    id: 'till',
    document: draft(title),
    version,
    publishedVersion: null,
    hasBeenPublished: false,
    updatedAt: '2026-11-21T10:00:00.000Z',
    updatedBy: 'ann@example.test',
    scheduled: null,
    publishFailure: null,
  }) as StoredDocument

/** A server that keeps versions; `answers` may stand in for what it would say. */
function open(answers: (() => Promise<StoredDocument>)[] = []) {
  const saved: [version: number, title: string, apart?: string][] = []
  const keeper = createDraftKeeper({
    stored: stored('first', 1),
    save: async (base, next, apart) => {
      const title = 'name' in next ? next.name : next.title
      saved.push(apart ? [base.version, title, 'apart'] : [base.version, title])
      return answers.shift()?.() ?? stored(title, base.version + 1)
    },
  })
  return { keeper, saved }
}
const passing = () => vi.advanceTimersByTimeAsync(10_000)

test('typing is saved once after a pause, each save based on the version before it', async () => {
  const { keeper, saved } = open()
  for (const title of ['a', 'ab', 'abc']) keeper.edit(draft(title))
  expect(keeper.get().state.kind).toBe('waiting')
  await passing()
  keeper.edit(draft('abcd'))
  await passing()
  expect(saved).toEqual([
    [1, 'abc'],
    [2, 'abcd'],
  ])
  expect(keeper.get()).toMatchObject({ state: { kind: 'saved' }, stored: { version: 3 } })
})

test('text typed during a save is sent with the next one, and is never counted as saved', async () => {
  let answer: (value: StoredDocument) => void = () => {}
  const { keeper, saved } = open([() => new Promise((resolve) => (answer = resolve))])
  keeper.edit(draft('a'))
  const done = keeper.flush()
  keeper.edit(draft('ab'))
  answer(stored('a', 2))
  expect(await done).toBe(true)
  expect(saved).toEqual([
    [1, 'a'],
    [2, 'ab'],
  ])
  expect(keeper.get().draft).toEqual(draft('ab'))
})

test('while offline it says so, keeps the text, and saves once the connection is back', async () => {
  const { keeper, saved } = open([() => Promise.reject(new CallError('network', 'No answer', 0))])
  keeper.edit(draft('a'))
  expect(await keeper.flush()).toBe(false)
  expect(keeper.get()).toMatchObject({ state: { kind: 'offline' }, draft: draft('a') })
  await passing()
  expect(saved).toHaveLength(2)
  expect(keeper.get()).toMatchObject({ state: { kind: 'saved' }, draft: draft('a') })
})

test('a conflict stops saving until the user decides: theirs replaces the text, mine overwrites theirs', async () => {
  const refuse = () =>
    Promise.reject(new CallError('edit_conflict', 'Somebody else', 409, { current: stored('theirs', 7) }))
  const { keeper, saved } = open([refuse, refuse])
  keeper.edit(draft('mine'))
  await passing()
  keeper.edit(draft('mine, longer'))
  await passing()
  expect(saved).toEqual([[1, 'mine']])
  expect(keeper.get()).toMatchObject({ state: { kind: 'conflict', theirs: { version: 7 } } })
  expect(await keeper.flush()).toBe(false)
  await keeper.keepMine()
  expect(saved.at(-1)).toEqual([7, 'mine, longer', 'apart'])
  keeper.adopt(stored('theirs', 7))
  expect(keeper.get()).toMatchObject({ state: { kind: 'saved' }, draft: draft('theirs') })
})

test('text typed while publishing is kept', () => {
  const { keeper } = open()
  keeper.edit(draft('typed meanwhile'))
  keeper.note({ ...stored('first', 1), publishedVersion: 1, hasBeenPublished: true })
  expect(keeper.get()).toMatchObject({
    draft: draft('typed meanwhile'),
    stored: { publishedVersion: 1, hasBeenPublished: true },
  })
})

test('an error that a retry can’t fix isn’t retried automatically', async () => {
  const { keeper, saved } = open([() => Promise.reject(new CallError('validation_failed', 'Too long', 400))])
  keeper.edit(draft('a'))
  await passing()
  expect(keeper.get().state.kind).toBe('failed')
  expect(saved).toHaveLength(1)
})
