import { listJournal } from './change-journal.ts'

/*
 * Two notes in local storage, so that pages know without opening the database whether there is anything to send or to
 * remove. Without storage, nothing is kept either.
 */
/** Held by the tab that sends changes. */
export const changesLockName = 'front-counter-changes'

const unsentKey = 'front-counter:unsent-changes'
const libraryKey = 'front-counter:offline-library'

function write(key: string, value: string | null) {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // Storage is blocked.
  }
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Notes whose changes are waiting to be sent; null if there are none. */
export const markUnsent = (userId: string | null) => write(unsentKey, userId)

/** Returns true if this user has unsent changes, according to the last attempt to send them or the journal. */
export const mayHaveUnsentChanges = (userId: string): boolean =>
  read(unsentKey) === userId || listJournal(userId).length > 0

export const markLibrary = (isStored: boolean) => write(libraryKey, isStored ? 'stored' : null)

export const mayHaveLibrary = (): boolean => read(libraryKey) !== null
