/** A call to make once there is a connection. */
export type NewChange = {
  /** Name of the product call. */
  name: string
  input: Record<string, unknown>
  /** Describes the change to the reader, such as "Tried: Answer a review". */
  label: string | null
  /** A change replaces an earlier unsent one of this call with the same key. */
  key: string | null
}

export type QueuedChange = NewChange & { id: string; userId: string }

/*
 * Each change has an entry of its own in local storage, the only storage that a page can write to before it closes, and
 * that two tabs can write to at the same moment. Entries sort by user, then by time.
 */
const prefix = 'front-counter:change:'
export const pageId = crypto.randomUUID()
const timeOf = (id = '') => Number(id.split(':')[3]) || 0

/** Changes of this page that the browser doesn't store, because it blocks storage or has no room. */
const unstored = new Map<string, string>()

/** Answers that this page waits for. */
const answers = new Map<string, PromiseWithResolvers<unknown>>()

/** Ids of the user's changes, oldest first; without a user, those of all. */
export function listChangeIds(userId?: string): string[] {
  const start = userId === undefined ? prefix : `${prefix}${userId}:`
  let ids = [...unstored.keys()]
  try {
    ids = ids.concat(Object.keys(localStorage))
  } catch {
    // Storage is blocked.
  }
  return ids.filter((id) => id.startsWith(start)).toSorted()
}

/** The stored text of a change; null if another tab has removed it. */
export const readChange = (id: string): string | null => unstored.get(id) ?? localStorage.getItem(id)

/** Stores a change at once. `isKept` is false if it is lost with the page. `answer` resolves once it is sent or refused. */
export function storeChange(userId: string, change: NewChange): { isKept: boolean; answer: Promise<unknown> } {
  // Later than all others, even if the clock was set back.
  const time = Math.max(Date.now(), timeOf(listChangeIds(userId).at(-1)) + 1)
  const id = `${prefix}${userId}:${time}:${pageId}`
  const text = JSON.stringify(change)
  let isKept = true
  try {
    localStorage.setItem(id, text)
  } catch {
    unstored.set(id, text)
    isKept = false
  }
  const answer = Promise.withResolvers<unknown>()
  answers.set(id, answer)
  return { isKept, answer: answer.promise }
}

/** They were sent or refused, or their user signed out. */
export function removeChanges(ids: readonly string[], output?: unknown): void {
  for (const id of ids) {
    if (!unstored.delete(id)) localStorage.removeItem(id)
    answers.get(id)?.resolve(output)
    answers.delete(id)
  }
}
