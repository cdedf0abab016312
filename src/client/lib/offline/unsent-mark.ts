const storageKey = 'front-counter:unsent-changes'

/** Notes whose changes are waiting to be sent; null if there are none. */
export function markUnsent(userId: string | null) {
  try {
    if (userId === null) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, userId)
  } catch {
    // Storage is blocked: signing out doesn't ask then.
  }
}

/** Whether changes of this user are waiting, as far as the last attempt to send them knows. */
export function mayHaveUnsentChanges(userId: string): boolean {
  try {
    return localStorage.getItem(storageKey) === userId
  } catch {
    return false
  }
}
