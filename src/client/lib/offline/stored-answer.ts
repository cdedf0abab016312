import { answerKey } from '#shared/domain/offline-library.ts'
import { untilServerResponds } from '../connection.ts'
import { queryClient } from '../query-client.ts'
import { whenSessionKnown } from '../session.ts'
import { applyUnsentChanges } from './apply-unsent-changes.ts'
import { currentRelease } from './current-release.ts'
import { changesLockName } from './device-marks.ts'
import { openLibrary } from './library.ts'
import { setServedFromDevice } from './served-from-device.ts'
import { storedChanges } from './stored-changes.ts'

/** What the server answered to this call before, if this device keeps it; otherwise undefined. */
export async function readStoredAnswer(name: string, input: unknown): Promise<unknown> {
  const { user } = await whenSessionKnown()
  const library = user && (await openLibrary(user.id))
  const stored = library?.answers.get(answerKey(name, input))
  // Another release's answers may lack what this one shows.
  if (!user || !stored || library?.release !== currentRelease()) return undefined
  setServedFromDevice(library?.checkedAt ?? null)
  void refreshOnceReachable()
  return applyUnsentChanges(name, stored.output, await storedChanges.list(user.id))
}

let isWaiting = false

/** Reads everything on the page from the server again once it responds. */
async function refreshOnceReachable() {
  if (isWaiting) return
  isWaiting = true
  try {
    await untilServerResponds()
  } finally {
    isWaiting = false
  }
  setServedFromDevice(null)
  // Changes that are being sent now belong to the answers.
  await navigator.locks?.request(changesLockName, () => undefined)
  await queryClient.invalidateQueries()
}
