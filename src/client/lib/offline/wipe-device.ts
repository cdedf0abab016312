import { markLibrary } from './device-marks.ts'
import { clearDeviceStorage } from './device-storage.ts'
import { removeServiceWorker } from './service-worker.ts'
import { removeSnapshots } from './stored-snapshots.ts'
import { listChangeIds, removeChanges } from './waiting-changes.ts'

/**
 * Removes what the browser keeps for use without a connection. `keepUnsent` keeps changes that weren't sent, for a user
 * whose session ended and who may sign in again.
 */
export async function wipeDevice({ keepUnsent }: { keepUnsent: boolean }): Promise<void> {
  if (!keepUnsent) removeChanges(listChangeIds())
  markLibrary(false)
  removeSnapshots()
  await Promise.all([clearDeviceStorage({ keepUnsent }), removeServiceWorker()])
}
