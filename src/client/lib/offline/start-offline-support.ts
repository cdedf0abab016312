import { saveTimeZoneCall } from '#shared/contracts/publishing/time-zone.ts'
import { invoke } from '../calls.ts'
import { sendWaitingChanges } from '../outbox.ts'
import { whenSessionKnown } from '../session.ts'
import { browserTimeZone } from '../time-zone.ts'
import { openDeviceStorage } from './device-storage.ts'
import { registerServiceWorker } from './service-worker.ts'
import { startSnapshots } from './store-snapshot.ts'
import { syncLibrary } from './sync-library.ts'
import { listChangeIds, removeChanges, storeChange } from './waiting-changes.ts'

/** Moves the user's changes from the database, where version 0.4 kept them. Removes those of other users. */
async function takeEarlierChanges(userId: string): Promise<void> {
  const tx = (await openDeviceStorage()).transaction('changes', 'readwrite')
  for await (const { value } of tx.store) {
    const { name, input, label, key } = value
    if (value.userId === userId) storeChange(userId, { name, input, label, key })
  }
  await tx.store.clear()
  await tx.done
  const own = new Set(listChangeIds(userId))
  removeChanges(listChangeIds().filter((id) => !own.has(id)))
}

/** Account whose time zone was reported since the page was loaded. */
let reportedFor: string | null = null

/** Tells the server the reader's time zone, in which drops and reminders arrive. A failure waits for the next visit. */
async function reportTimeZone(userId: string): Promise<void> {
  const timeZone = browserTimeZone()
  if (!timeZone || reportedFor === userId || window.viewAsBase !== undefined) return
  reportedFor = userId
  await invoke(saveTimeZoneCall, { timeZone }).catch(() => {})
}

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
