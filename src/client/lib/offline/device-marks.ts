/** Held by the tab that sends changes. */
export const changesLockName = 'front-counter-changes'

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

/** Notes in local storage whether the database has a library, so that pages know without opening it. */
export const markLibrary = (isStored: boolean) => write(libraryKey, isStored ? 'stored' : null)

export const mayHaveLibrary = (): boolean => read(libraryKey) !== null
