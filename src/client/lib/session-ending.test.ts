import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { forgetSessionEnded, noteSession, noteSessionEnded, sessionHasEnded } from './session-ending.ts'

const session = { access_token: 'access-1', refresh_token: 'refresh-1' }

beforeEach(forgetSessionEnded)

test('A session that nobody refused has not ended', () => {
  noteSession(session)
  expect(sessionHasEnded()).toBe(false)
})

test.each(['access-1', 'refresh-1'])('A session heard of once more after its %s was refused stays ended', (token) => {
  noteSessionEnded(token)
  noteSession(session)
  expect(sessionHasEnded()).toBe(true)
})

test('Another session begins with nothing behind it', () => {
  noteSessionEnded('access-1')
  noteSession({ access_token: 'access-2', refresh_token: 'refresh-2' })
  expect(sessionHasEnded()).toBe(false)
})

test('Signing out here is no ending', () => {
  noteSessionEnded('access-1')
  forgetSessionEnded()
  expect(sessionHasEnded()).toBe(false)
})

type Tab = typeof import('./session-ending.ts') & { hear: ReturnType<typeof vi.fn<() => void>> }

/** The module as another tab of the browser has it. */
async function openTab(): Promise<Tab> {
  vi.resetModules()
  const tab = await import('./session-ending.ts')
  const hear = vi.fn<() => void>()
  const channel = tab.listenToNeighbours(hear)
  onTestFinished(() => channel.close())
  return { ...tab, hear }
}

test('A neighbour hears that its session has ended, before or after it is gone there', async () => {
  const [finder, neighbour, stranger] = [await openTab(), await openTab(), await openTab()]
  for (const tab of [finder, neighbour]) tab.noteSession(session)
  stranger.noteSession({ access_token: 'access-2', refresh_token: 'refresh-2' })
  finder.noteSessionEnded('refresh-1')
  await expect.poll(() => neighbour.hear.mock.calls.length).toBe(1)
  expect(neighbour.sessionHasEnded()).toBe(true)
  expect(stranger.hear).not.toHaveBeenCalled()

  finder.forgetSessionEnded()
  await expect.poll(neighbour.sessionHasEnded).toBe(false)
})
