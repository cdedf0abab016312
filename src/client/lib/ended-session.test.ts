import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { clearSessionEnded, hasCurrentSessionEnded, markSessionEnded, trackSession } from './ended-session.ts'

const session = { access_token: 'access-1', refresh_token: 'refresh-1' }

beforeEach(clearSessionEnded)

test('A session that nobody refused has not ended', () => {
  trackSession(session)
  expect(hasCurrentSessionEnded()).toBe(false)
})

test.each(['access-1', 'refresh-1'])('A session heard of once more after its %s was refused stays ended', (token) => {
  markSessionEnded(token)
  trackSession(session)
  expect(hasCurrentSessionEnded()).toBe(true)
})

test('Another session begins with nothing behind it', () => {
  markSessionEnded('access-1')
  trackSession({ access_token: 'access-2', refresh_token: 'refresh-2' })
  expect(hasCurrentSessionEnded()).toBe(false)
})

test('Signing out here is no ending', () => {
  markSessionEnded('access-1')
  clearSessionEnded()
  expect(hasCurrentSessionEnded()).toBe(false)
})

type Tab = typeof import('./ended-session.ts') & { hear: ReturnType<typeof vi.fn<() => void>> }

/** The module as another tab of the browser has it. */
async function openTab(): Promise<Tab> {
  vi.resetModules()
  const tab = await import('./ended-session.ts')
  const hear = vi.fn<() => void>()
  const channel = tab.listenToOtherTabs(hear)
  onTestFinished(() => channel.close())
  return { ...tab, hear }
}

test('A neighbour hears that its session has ended, before or after it is gone there', async () => {
  const [finder, neighbour, stranger] = [await openTab(), await openTab(), await openTab()]
  for (const tab of [finder, neighbour]) tab.trackSession(session)
  stranger.trackSession({ access_token: 'access-2', refresh_token: 'refresh-2' })
  finder.markSessionEnded('refresh-1')
  await expect.poll(() => neighbour.hear.mock.calls.length).toBe(1)
  expect(neighbour.hasCurrentSessionEnded()).toBe(true)
  expect(stranger.hear).not.toHaveBeenCalled()

  finder.clearSessionEnded()
  await expect.poll(neighbour.hasCurrentSessionEnded).toBe(false)
})
