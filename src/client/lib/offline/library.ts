import type { OfflineAnswer } from '#shared/contracts/reader/offline.ts'
import { answerKey, isLibraryExpired } from '#shared/domain/offline-library.ts'
import { imageCacheName, openDeviceStorage, type StoredLibrary } from './device-storage.ts'

/** The library of a user, or null if there is none. An expired one is removed. */
export async function openLibrary(userId: string, now = Date.now()): Promise<StoredLibrary | null> {
  // One transaction, so that a library that another tab removes meanwhile isn't written back.
  const tx = (await openDeviceStorage()).transaction('libraries', 'readwrite')
  const library = await tx.store.get(userId)
  const isExpired = library && isLibraryExpired(library.checkedAt, library.latestSeen, now)
  if (library && !isExpired && now > library.latestSeen) await tx.store.put({ ...library, latestSeen: now })
  await tx.done
  if (isExpired) await removeLibraries()
  return library && !isExpired ? library : null
}

/** Versions of the stored answers, by key. */
export const knownVersions = (library: StoredLibrary | null): Record<string, string> =>
  Object.fromEntries([...(library?.answers ?? [])].map(([key, { version }]) => [key, version]))

/** Stores the server's answer and removes what is no longer part of it. Returns what is stored now. */
export async function saveLibrary(
  userId: string,
  previous: StoredLibrary | null,
  answers: readonly OfflineAnswer[],
  release: string,
  now = Date.now(),
): Promise<StoredLibrary['answers']> {
  const kept = answers.flatMap(({ name, input, version, output }) => {
    const key = answerKey(name, input)
    const text = output === undefined ? previous?.answers.get(key)?.output : output
    return text === undefined ? [] : [[key, { version, output: text }] as const]
  })
  const db = await openDeviceStorage()
  const tx = db.transaction('libraries', 'readwrite')
  // Another user of this browser has left.
  await tx.store.clear()
  const stored = new Map(kept)
  await tx.store.put({ userId, release, checkedAt: now, latestSeen: now, answers: stored })
  await tx.done
  return stored
}

/** For the service worker, which doesn't know who is signed in. */
export async function removeExpiredLibraries(now = Date.now()): Promise<void> {
  for (const userId of await (await openDeviceStorage()).getAllKeys('libraries')) await openLibrary(userId, now)
}

export async function removeLibraries(): Promise<void> {
  if ('caches' in globalThis) await caches.delete(imageCacheName)
  await (await openDeviceStorage()).clear('libraries')
}
