import { markUnsent } from './unsent-mark.ts'

/**
 * Removes what the browser keeps for use without a connection. `keepUnsent` keeps changes that weren't sent, for a user
 * whose session ended and who may sign in again.
 */
export async function wipeDevice({ keepUnsent }: { keepUnsent: boolean }): Promise<void> {
  if (!keepUnsent) markUnsent(null)
  try {
    const { clearDeviceStorage } = await import('./device-storage.ts')
    await clearDeviceStorage({ keepUnsent })
  } catch (error) {
    // The code can't be loaded offline, or the storage is blocked.
    console.error('The offline storage could not be emptied', error)
    indexedDB.deleteDatabase('front-counter')
  }
}
