import { CallError } from '../call-error.ts'
import { postCall } from '../invoke.ts'
import { queryClient } from '../query-client.ts'
import { reportRejectedChange } from '../report-rejected-change.ts'
import { readKeptSession, readStoredSession } from '../stored-session.ts'
import { type ChangeQueue, type ChangeStore, createChangeQueue, type QueuedChange } from './change-queue.ts'
import { changesLockName, markUnsent } from './device-marks.ts'
import { openDeviceStorage } from './device-storage.ts'
import { createMemoryChanges, storedChanges } from './stored-changes.ts'
import { withJournal } from './take-over-journal.ts'

const sendTimeoutMs = 20_000

let current: { userId: string; queue: Promise<ChangeQueue> } | null = null

/** The user's queue in this tab. It sends what is waiting now, when the connection returns and when the tab is shown. */
export function openChangeQueue(userId: string): Promise<ChangeQueue> {
  if (current?.userId !== userId) {
    void current?.queue.then((queue) => queue.stop())
    current = { userId, queue: open(userId) }
  }
  return current.queue
}

async function open(userId: string): Promise<ChangeQueue> {
  const isDurable = await openDeviceStorage().then(
    () => true,
    () => false,
  )
  const withLock = (run: () => Promise<void>) =>
    navigator.locks ? navigator.locks.request(changesLockName, run) : run()
  const store = withJournal(withMark(isDurable ? storedChanges : createMemoryChanges()), {
    userId,
    withLock,
    isDurable,
  })
  const queue = createChangeQueue({
    store,
    userId,
    send,
    withLock,
    onRejected: ({ label }, error) => reportRejectedChange(error, label),
    isOnline: () => navigator.onLine,
  })
  const hasTakenOver = await store.takeOver().catch((error: unknown) => {
    console.error('Changes of earlier pages wait for the next visit', error)
    return false
  })
  window.addEventListener('online', () => void queue.flush())
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void queue.flush()
  })
  const flushed = queue.flush()
  // The page may have been read before they were sent.
  if (hasTakenOver) void flushed.then(() => queryClient.invalidateQueries())
  return queue
}

async function send({ userId, name, input }: QueuedChange) {
  const session = readKeptSession(readStoredSession())
  // Another user may have signed in, also in another tab.
  if (session && session.user.id !== userId) throw new CallError('not_authenticated', 'Not authenticated', 401)
  return postCall(name, input, AbortSignal.timeout(sendTimeoutMs))
}

/** Notes whether the user has unsent changes, where signing out can read it without opening the storage. */
const withMark = (store: ChangeStore): ChangeStore => ({
  ...store,
  async add(change) {
    const id = await store.add(change)
    markUnsent(change.userId)
    return id
  },
  async first(userId) {
    const change = await store.first(userId)
    markUnsent(change ? userId : null)
    return change
  },
})
