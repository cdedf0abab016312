import { sendWaitingChanges } from '../outbox.ts'
import { whenSessionKnown } from '../session.ts'
import { reportTimeZone } from './report-time-zone.ts'
import { registerServiceWorker } from './service-worker.ts'
import { startSnapshots } from './store-snapshot.ts'
import { syncLibrary } from './sync-library.ts'
import { takeEarlierChanges } from './take-earlier-changes.ts'

const syncIntervalMs = 15 * 60_000
let syncedAt = 0
let isStarted = false

/** Keeps the app and the reader's library on this device, and sends changes made offline. Call it once the page is idle. */
export async function startOfflineSupport(): Promise<void> {
  if (!isStarted) {
    isStarted = true
    window.addEventListener('online', () => void syncIfDue())
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') void syncIfDue()
    })
  }
  const { user } = await whenSessionKnown()
  if (!user) return
  await takeEarlierChanges(user.id)
  await Promise.all([registerServiceWorker(), sendWaitingChanges(), syncIfDue(), reportTimeZone(user.id)])
  await startSnapshots()
}

async function syncIfDue() {
  const { user } = await whenSessionKnown()
  if (!user || Date.now() - syncedAt < syncIntervalMs) return
  syncedAt = Date.now()
  await syncLibrary(user.id)
}
