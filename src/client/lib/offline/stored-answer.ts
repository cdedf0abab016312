import { untilServerResponds } from '../connection.ts'
import { queryClient } from '../query-client.ts'
import { whenSessionKnown } from '../session.ts'
import { answerFromDevice } from './answer-from-device.ts'
import { currentRelease } from './current-release.ts'
import { changesLockName } from './device-marks.ts'
import { openLibrary } from './library.ts'
import { listChanges } from './list-changes.ts'
import { setServedFromDevice } from './served-from-device.ts'
import { readStoredAnswers } from './stored-answers.ts'

/** Reads the server's earlier answer to this call, if this device keeps it; otherwise undefined. */
export async function readStoredAnswer(name: string, input: unknown): Promise<unknown> {
  const { user } = await whenSessionKnown()
  const library = user && (await openLibrary(user.id))
  // Another release's answers may lack what this one shows.
  if (!user || library?.release !== currentRelease()) return undefined
  const answer = answerFromDevice(name, input, readStoredAnswers(library.answers), listChanges(user.id))
  if (answer === undefined) return undefined
  setServedFromDevice(library.checkedAt)
  void refreshOnceReachable()
  return answer
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
