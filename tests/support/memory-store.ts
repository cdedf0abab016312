import type { ObjectStore } from '#server/media/disk-store.ts'

/** An object store in memory. */
export function createMemoryStore(): ObjectStore {
  const objects = new Map<string, Uint8Array>()
  return {
    async put(key, bytes) {
      objects.set(key, Uint8Array.from(bytes))
    },
    async delete(key) {
      objects.delete(key)
    },
    async get(key) {
      const bytes = objects.get(key)
      return bytes ? new Uint8Array(bytes) : null
    },
  }
}
