import type { QueuedChange } from './change-queue.ts'

/*
 * Changes from the tap until they are in the queue, whose code and database take time to load (decision 40). Each has a
 * key of its own in local storage, because two tabs may write at the same moment. Keys sort by user, then by time.
 */
const prefix = 'front-counter:change:'
const prefixOf = (userId: string) => `${prefix}${userId}:`

const pageId = crypto.randomUUID()
let lastTime = 0

/** Entries that this page is about to add to the queue itself. */
export const entriesInHand = new Set<string>()

/** Records a change at once. Returns the key of its entry, or null if storage is blocked or full. */
export function journalChange(
  userId: string,
  change: Pick<QueuedChange, 'name' | 'input' | 'label' | 'key'>,
): string | null {
  lastTime = Math.max(lastTime + 1, Date.now())
  const entry = `${prefixOf(userId)}${lastTime}:${pageId}`
  try {
    localStorage.setItem(entry, JSON.stringify(change))
  } catch {
    return null
  }
  entriesInHand.add(entry)
  return entry
}

/** The user's entries, oldest first; without a user, those of all. */
export function listJournal(userId?: string): string[] {
  const start = userId === undefined ? prefix : prefixOf(userId)
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(start))
      .toSorted()
  } catch {
    return []
  }
}

/** Changes of these entries are in the queue, or their user signed out. */
export function removeFromJournal(entries: readonly string[]): void {
  for (const entry of entries) localStorage.removeItem(entry)
}
