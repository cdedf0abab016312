import { offlineLibraryCall } from '#shared/contracts/reader/offline.ts'
import { CallError, invoke } from '../calls.ts'
import { isNetworkError } from '../error-message.ts'
import { currentRelease } from './current-release.ts'
import { markLibrary } from './device-marks.ts'
import { knownVersions, openLibrary, removeLibraries, saveLibrary } from './library.ts'
import { removeServiceWorker } from './service-worker.ts'
import { updateImages } from './store-images.ts'
import { readStoredAnswers } from './stored-answers.ts'
import { removeSnapshots } from './stored-snapshots.ts'

const lockName = 'front-counter-library'

/**
 * Brings the user's library up to date, in one tab at a time. If the server refuses, because the plan or the session
 * ended, everything readable is removed.
 */
export async function syncLibrary(userId: string): Promise<void> {
  const sync = async () => {
    try {
      const library = await openLibrary(userId)
      const { answers } = await invoke(offlineLibraryCall, { known: knownVersions(library) })
      const stored = await saveLibrary(userId, library, answers, currentRelease())
      markLibrary(true)
      await updateImages(readStoredAnswers(stored)).catch((error: unknown) =>
        console.error('Images of drops could not be stored', error),
      )
    } catch (error) {
      if (isRefusal(error)) await removeLibrary()
      else if (!isNetworkError(error)) console.error('The offline library could not be updated', error)
    }
  }
  await (navigator.locks
    ? navigator.locks.request(lockName, { ifAvailable: true }, (lock) => (lock ? sync() : undefined))
    : sync())
}

const isRefusal = (error: unknown) => error instanceof CallError && (error.status === 401 || error.status === 403)

/** Removes what an ended plan no longer opens. Changes that weren't sent stay. */
export const removeLibrary = async () => {
  markLibrary(false)
  removeSnapshots()
  await Promise.all([removeLibraries(), removeServiceWorker()])
}
