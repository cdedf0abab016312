import { entriesInHand, listJournal, removeFromJournal } from './change-journal.ts'
import type { ChangeStore, NewChange } from './change-queue.ts'

type JournalOptions = {
  userId: string
  /** Runs the function in one tab at a time, in which no tab sends changes either. */
  withLock(run: () => Promise<void>): Promise<void>
  /** False if the store is lost with the page. Changes then stay in the journal until they are sent. */
  isDurable: boolean
}

/**
 * A store that first takes over changes that closed pages recorded but didn't add. Under the lock, a change that another
 * tab just added is still in the store, which recognizes it by its entry.
 */
export function withJournal(store: ChangeStore, { userId, withLock, isDurable }: JournalOptions) {
  const undurable = new Map<number, string>()
  const isWaiting = (entry: string) => localStorage.getItem(entry) !== null

  const addAndRemove = async (change: NewChange) => {
    const id = await store.add(change)
    if (change.entry && id !== null) {
      if (isDurable) removeFromJournal([change.entry])
      else undurable.set(id, change.entry)
    }
    return id
  }

  /** Resolves to whether there were any. */
  async function takeOver(): Promise<boolean> {
    const listLeft = () =>
      listJournal(userId).filter((entry) => !entriesInHand.has(entry) && ![...undurable.values()].includes(entry))
    if (listLeft().length === 0) return false
    await withLock(async () => {
      for (const entry of listLeft()) {
        const change = read(entry)
        if (change) await addAndRemove({ ...change, userId, entry })
        else removeFromJournal([entry])
      }
    })
    return true
  }

  return {
    ...store,
    takeOver,
    async add(change: NewChange) {
      await takeOver()
      // Another tab took it over.
      if (change.entry && !isWaiting(change.entry)) return null
      return addAndRemove(change)
    },
    async remove(id: number) {
      await store.remove(id)
      const entry = undurable.get(id)
      undurable.delete(id)
      if (entry) removeFromJournal([entry])
    },
  }
}

/** The user's changes that aren't in the queue yet, oldest first. */
export const listJournaled = (userId: string): NewChange[] =>
  listJournal(userId).flatMap((entry) => {
    const change = read(entry)
    return change ? { ...change, userId, entry } : []
  })

/** Null if it isn't what `journalChange` writes. */
function read(entry: string): Pick<NewChange, 'name' | 'input' | 'label' | 'key'> | null {
  try {
    const { name, input, label = null, key = null } = JSON.parse(localStorage.getItem(entry) ?? 'null')
    return typeof name === 'string' && typeof input === 'object' && input !== null ? { name, input, label, key } : null
  } catch {
    return null
  }
}
