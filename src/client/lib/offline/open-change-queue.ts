import { postCall } from '../calls.ts'
import { CallError } from '../error-message.ts'
import { queryClient } from '../query-client.ts'
import { reportRejectedChange } from '../report-rejected-change.ts'
import { readKeptSession, readStoredSession } from '../stored-session.ts'
import { type ChangeQueue, createChangeQueue } from './change-queue.ts'
import { changesLockName } from './device-marks.ts'
import { hasChangesOfOtherPages } from './list-changes.ts'
import type { QueuedChange } from './waiting-changes.ts'

const sendTimeoutMs = 20_000

let current: { userId: string; queue: ChangeQueue } | null = null

/** The user's queue in this tab. It sends what is waiting now, when the connection returns and when the tab is shown. */
export function openChangeQueue(userId: string): ChangeQueue {
  if (current?.userId !== userId) {
    current?.queue.stop()
    current = { userId, queue: open(userId) }
  }
  return current.queue
}

function open(userId: string): ChangeQueue {
  const queue = createChangeQueue({
    userId,
    post,
    withLock: (run) => (navigator.locks ? navigator.locks.request(changesLockName, run) : run()),
    onRejected: ({ label }, error) => reportRejectedChange(error, label),
    isOnline: () => navigator.onLine,
  })
  window.addEventListener('online', () => void queue.flush())
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void queue.flush()
  })
  // The page may have been read before they are sent.
  const isBehind = hasChangesOfOtherPages(userId)
  const flushed = queue.flush()
  if (isBehind) void flushed.then(() => queryClient.invalidateQueries())
  return queue
}

async function post({ userId, name, input }: QueuedChange) {
  const session = readKeptSession(readStoredSession())
  // Another user may have signed in, also in another tab.
  if (session && session.user.id !== userId) throw new CallError('not_authenticated', 'Not authenticated', 401)
  return postCall(name, input, AbortSignal.timeout(sendTimeoutMs))
}
