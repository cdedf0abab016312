import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { clearSessionEnded, hasCurrentSessionEnded, markSessionEnded, trackSession } from './ended-session.ts'

const session = { access_token: 'access-1', refresh_token: 'refresh-1' }

beforeEach(clearSessionEnded)

test('a session that was not rejected has not ended', () => {
  trackSession(session)
  expect(hasCurrentSessionEnded()).toBe(false)
})

test.each(['access-1', 'refresh-1'])('a session reported again after its %s was rejected stays ended', (token) => {
  markSessionEnded(token)
  trackSession(session)
  expect(hasCurrentSessionEnded()).toBe(true)
})

test('a new session has not ended', () => {
  markSessionEnded('access-1')
  trackSession({ access_token: 'access-2', refresh_token: 'refresh-2' })
  expect(hasCurrentSessionEnded()).toBe(false)
})

test('signing out does not count as an ended session', () => {
  markSessionEnded('access-1')
  clearSessionEnded()
  expect(hasCurrentSessionEnded()).toBe(false)
})

type Tab = typeof import('./ended-session.ts') & { onEnded: ReturnType<typeof vi.fn<() => void>> }

/** A fresh copy of the module, as in another tab. */
async function openTab(): Promise<Tab> {
  vi.resetModules()
  const tab = await import('./ended-session.ts')
  const onEnded = vi.fn<() => void>()
  const channel = tab.listenToOtherTabs(onEnded)
  onTestFinished(() => channel.close())
  return { ...tab, onEnded }
}

test('other tabs learn that their session has ended', async () => {
  const [detector, otherTab, stranger] = [await openTab(), await openTab(), await openTab()]
  for (const tab of [detector, otherTab]) tab.trackSession(session)
  stranger.trackSession({ access_token: 'access-2', refresh_token: 'refresh-2' })
  detector.markSessionEnded('refresh-1')
  await expect.poll(() => otherTab.onEnded.mock.calls.length).toBe(1)
  expect(otherTab.hasCurrentSessionEnded()).toBe(true)
  expect(stranger.onEnded).not.toHaveBeenCalled()

  detector.clearSessionEnded()
  await expect.poll(otherTab.hasCurrentSessionEnded).toBe(false)
})
