import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CallError } from '#client/lib/error-message.ts'
import { createAutosave } from './autosave.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

type Stored = { version: number; text: string; isPublished: boolean }
const stored = (text: string, version: number): Stored => ({ version, text, isPublished: false })
const conflict = (theirs: Stored) => new CallError('edit_conflict', 'Someone else', 409, theirs)

/** A server that keeps versions; `answers` may stand in for what it would say. */
function open(answers: (() => Promise<Stored>)[] = []) {
  const saved: [version: number, text: string, overwrite?: string][] = []
  const autosave = createAutosave<Stored, string>({
    stored: stored('first', 1),
    draftOf: ({ text }) => text,
    save: async (base, draft, isOverwrite) => {
      saved.push(isOverwrite ? [base.version, draft, 'overwrite'] : [base.version, draft])
      return answers.shift()?.() ?? stored(draft, base.version + 1)
    },
    conflictOf: (error) =>
      error instanceof CallError && error.code === 'edit_conflict' ? (error.body as Stored) : null,
  })
  return { autosave, saved }
}
const passing = () => vi.advanceTimersByTimeAsync(10_000)

test('typing is saved once after a pause, each save based on the version before it', async () => {
  const { autosave, saved } = open()
  for (const title of ['a', 'ab', 'abc']) autosave.edit(title)
  expect(autosave.get().state.kind).toBe('waiting')
  await passing()
  autosave.edit('abcd')
  await passing()
  expect(saved).toEqual([
    [1, 'abc'],
    [2, 'abcd'],
  ])
  expect(autosave.get()).toMatchObject({ state: { kind: 'saved' }, stored: { version: 3 } })
})

test('text typed during a save is sent with the next one, and is never counted as saved', async () => {
  let answer: (value: Stored) => void = () => {}
  const { autosave, saved } = open([() => new Promise((resolve) => (answer = resolve))])
  autosave.edit('a')
  const done = autosave.flush()
  autosave.edit('ab')
  answer(stored('a', 2))
  expect(await done).toBe(true)
  expect(saved).toEqual([
    [1, 'a'],
    [2, 'ab'],
  ])
  expect(autosave.get().draft).toEqual('ab')
})

test('while offline it says so, keeps the text, and saves once the connection is back', async () => {
  const { autosave, saved } = open([() => Promise.reject(new CallError('network', 'No answer', 0))])
  autosave.edit('a')
  expect(await autosave.flush()).toBe(false)
  expect(autosave.get()).toMatchObject({ state: { kind: 'offline' }, draft: 'a' })
  await passing()
  expect(saved).toHaveLength(2)
  expect(autosave.get()).toMatchObject({ state: { kind: 'saved' }, draft: 'a' })
})

test('a conflict stops saving until the user decides: theirs replaces the text, mine overwrites theirs', async () => {
  const refuse = () => Promise.reject(conflict(stored('theirs', 7)))
  const { autosave, saved } = open([refuse, refuse])
  autosave.edit('mine')
  await passing()
  autosave.edit('mine, longer')
  await passing()
  expect(saved).toEqual([[1, 'mine']])
  expect(autosave.get()).toMatchObject({ state: { kind: 'conflict', theirs: { version: 7 } } })
  expect(await autosave.flush()).toBe(false)
  await autosave.overwrite()
  expect(saved.at(-1)).toEqual([7, 'mine, longer', 'overwrite'])
  autosave.replace(stored('theirs', 7))
  expect(autosave.get()).toMatchObject({ state: { kind: 'saved' }, draft: 'theirs' })
})

test('another call updates what is stored and leaves the draft alone', () => {
  const { autosave } = open()
  autosave.edit('typed meanwhile')
  autosave.updateStored({ isPublished: true })
  expect(autosave.get()).toMatchObject({
    draft: 'typed meanwhile',
    state: { kind: 'waiting' },
    stored: { version: 1, isPublished: true },
  })
})

test('an error that a retry can’t fix isn’t retried automatically', async () => {
  const { autosave, saved } = open([() => Promise.reject(new CallError('validation_failed', 'Too long', 400))])
  autosave.edit('a')
  await passing()
  expect(autosave.get().state.kind).toBe('failed')
  expect(saved).toHaveLength(1)
})

test('discarding drops unsaved changes, and nothing more is sent', async () => {
  const { autosave, saved } = open()
  autosave.edit('unwanted')
  autosave.discard()
  await passing()
  expect(saved).toEqual([])
  expect(autosave.get()).toMatchObject({ state: { kind: 'saved' }, draft: 'first' })
})
