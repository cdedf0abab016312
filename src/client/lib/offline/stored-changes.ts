import { listJournal, removeFromJournal } from './change-journal.ts'
import type { ChangeStore, NewChange, QueuedChange } from './change-queue.ts'
import { openDeviceStorage } from './device-storage.ts'

/** How a stored change relates to an added one. Of two with the same key, the newer is kept. */
function compareChanges(stored: NewChange, added: NewChange): 'same' | 'newer' | 'replaced' | 'unrelated' {
  if (stored.entry && stored.entry === added.entry) return 'same'
  if (added.key === null || stored.name !== added.name || stored.key !== added.key) return 'unrelated'
  return stored.entry && added.entry && stored.entry > added.entry ? 'newer' : 'replaced'
}

/** The queue in IndexedDB, shared by all tabs. */
export const storedChanges: ChangeStore = {
  async add(change) {
    const tx = (await openDeviceStorage()).transaction('changes', 'readwrite', { durability: 'strict' })
    for await (const cursor of tx.store.index('userId').iterate(change.userId)) {
      const relation = compareChanges(cursor.value, change)
      if (relation === 'same' || relation === 'newer') return cursor.primaryKey
      if (relation === 'replaced') await cursor.delete()
    }
    const id = await tx.store.add(change)
    await tx.done
    return id
  },
  async first(userId) {
    const tx = (await openDeviceStorage()).transaction('changes')
    const cursor = await tx.store.index('userId').openCursor(userId)
    return cursor ? { ...cursor.value, id: cursor.primaryKey } : undefined
  },
  async list(userId) {
    const tx = (await openDeviceStorage()).transaction('changes')
    const changes: QueuedChange[] = []
    for await (const cursor of tx.store.index('userId').iterate(userId)) {
      changes.push({ ...cursor.value, id: cursor.primaryKey })
    }
    return changes
  },
  async remove(id) {
    await (await openDeviceStorage()).delete('changes', id)
  },
}

/** Another user of this browser signed out elsewhere, or their session ended. */
export async function removeChangesOfOthers(userId: string): Promise<void> {
  const tx = (await openDeviceStorage()).transaction('changes', 'readwrite')
  for await (const cursor of tx.store) if (cursor.value.userId !== userId) await cursor.delete()
  await tx.done
  const own = listJournal(userId)
  removeFromJournal(listJournal().filter((entry) => !own.includes(entry)))
}

/** Keeps changes for this page only, where the browser has no storage. */
export function createMemoryChanges(): ChangeStore {
  let changes: QueuedChange[] = []
  let lastId = 0
  return {
    async add(change) {
      const own = changes.filter(({ userId }) => userId === change.userId)
      const relations = new Map(own.map((stored) => [stored.id, compareChanges(stored, change)]))
      for (const [id, relation] of relations) if (relation === 'same' || relation === 'newer') return id
      changes = changes.filter(({ id }) => relations.get(id) !== 'replaced')
      changes.push({ ...change, id: ++lastId })
      return lastId
    },
    first: async (userId) => changes.find((change) => change.userId === userId),
    list: async (userId) => changes.filter((change) => change.userId === userId),
    async remove(id) {
      changes = changes.filter((change) => change.id !== id)
    },
  }
}
