import { listJournal, removeFromJournal } from './change-journal.ts'
import { markLibrary, markUnsent } from './device-marks.ts'
import { clearDeviceStorage } from './device-storage.ts'
import { removeServiceWorker } from './service-worker.ts'

/**
 * Removes what the browser keeps for use without a connection. `keepUnsent` keeps changes that weren't sent, for a user
 * whose session ended and who may sign in again.
 */
export async function wipeDevice({ keepUnsent }: { keepUnsent: boolean }): Promise<void> {
  if (!keepUnsent) {
    markUnsent(null)
    removeFromJournal(listJournal())
  }
  markLibrary(false)
  await Promise.all([clearDeviceStorage({ keepUnsent }), removeServiceWorker()])
}
