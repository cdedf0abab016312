import type { ChangeStore, QueuedChange } from './change-queue.ts'
import { openDeviceStorage } from './device-storage.ts'

/** The queue in IndexedDB, shared by all tabs. */
export const storedChanges: ChangeStore = {
  async add(change) {
    const tx = (await openDeviceStorage()).transaction('changes', 'readwrite', { durability: 'strict' })
    if (change.key !== null) {
      for await (const cursor of tx.store.index('userId').iterate(change.userId)) {
        if (cursor.value.name === change.name && cursor.value.key === change.key) await cursor.delete()
      }
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
}

/** Keeps changes for this page only, where the browser has no storage. */
export function createMemoryChanges(): ChangeStore {
  let changes: QueuedChange[] = []
  let lastId = 0
  return {
    async add(change) {
      changes = changes.filter(
        ({ userId, name, key }) =>
          change.key === null || userId !== change.userId || name !== change.name || key !== change.key,
      )
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
