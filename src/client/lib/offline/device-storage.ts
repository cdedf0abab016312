import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

/** Answers of calls by `answerKey`, to read offline. Times are by the device's clock. */
export type StoredLibrary = {
  userId: string
  /** Release of the app that stored the answers (`currentRelease`). Missing in libraries of earlier versions. */
  release?: string
  /** The last successful check with the server. */
  checkedAt: number
  /** The highest time seen since. */
  latestSeen: number
  answers: Map<string, { version: string; output: unknown }>
}

type EarlierChange = {
  userId: string
  name: string
  input: Record<string, unknown>
  label: string | null
  key: string | null
}

/** Everything that a reader's browser keeps for use without a connection, except for the app's own files. */
interface DeviceSchema extends DBSchema {
  /** Unsent changes of version 0.4, moved by `takeEarlierChanges`. */
  changes: { key: number; value: EarlierChange; indexes: { userId: string } }
  libraries: { key: string; value: StoredLibrary }
}

/** Images in drops, which the service worker serves. */
export const imageCacheName = 'front-counter-images'

let opened: Promise<IDBPDatabase<DeviceSchema>> | null = null

/** @throws if the browser blocks storage, as some do in private windows */
export function openDeviceStorage(): Promise<IDBPDatabase<DeviceSchema>> {
  const forget = () => {
    opened = null
  }
  opened ??= openDB<DeviceSchema>('front-counter', 2, {
    upgrade(db, version) {
      if (version < 1) db.createObjectStore('changes', { autoIncrement: true }).createIndex('userId', 'userId')
      if (version < 2) db.createObjectStore('libraries', { keyPath: 'userId' })
    },
    // A newer release in another tab needs a newer version.
    blocking: (_current, _blocked, event) => {
      forget()
      ;(event.target as IDBDatabase).close()
    },
    terminated: forget,
  }).catch((error: unknown) => {
    forget()
    throw error
  })
  return opened
}

/** Empties all stores, for all users of this browser. */
export async function clearDeviceStorage({ keepUnsent }: { keepUnsent: boolean }): Promise<void> {
  const db = await openDeviceStorage()
  const stores = keepUnsent ? (['libraries'] as const) : (['libraries', 'changes'] as const)
  const tx = db.transaction(stores, 'readwrite')
  await Promise.all([...stores.map((store) => tx.objectStore(store).clear()), tx.done])
}
