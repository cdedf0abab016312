import { weeklyDropCall } from '#shared/contracts/library/issues.ts'
import { offlineDropCount } from '#shared/domain/offline-library.ts'
import { imageCacheName } from './device-storage.ts'
import type { StoredAnswers } from './stored-answers.ts'

/** Uploads are scaled down to less; larger files need a connection. */
export const maxImageBytes = 2 * 1024 * 1024
export const maxImageBytesInTotal = 20 * 1024 * 1024

const uploadedImage = /\/media\/[0-9a-f]{64}\.(?:png|jpg)/g

/** Paths of the images in the newest drops, those of the newest first. Answers have the order of the server. */
export const imagesOf = (answers: StoredAnswers): string[] => [
  ...new Set(
    answers
      .all(weeklyDropCall)
      .slice(0, offlineDropCount)
      .flatMap((drop) => JSON.stringify(drop).match(uploadedImage) ?? []),
  ),
]

/**
 * Stores images for the service worker, one after the other, and removes all others. Paths contain the hash of the image,
 * so a stored one is never out of date. One that is missing is tried again with the next update.
 */
export async function storeImages(
  paths: readonly string[],
  cache: Pick<Cache, 'keys' | 'match' | 'put' | 'delete'>,
  load: (path: string) => Promise<Response> = fetch,
): Promise<void> {
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url)
    if (!paths.includes(pathname)) await cache.delete(pathname)
  }
  let total = 0
  for (const path of paths) {
    const stored = await cache.match(path)
    const response = stored ?? (await load(path))
    if (!response.ok) continue
    const image = await response.blob()
    if (image.size > maxImageBytes || total + image.size > maxImageBytesInTotal) {
      await cache.delete(path)
      continue
    }
    total += image.size
    if (!stored) await cache.put(path, new Response(image, { headers: { 'Content-Type': image.type } }))
  }
}

/** For reading the newest drops offline. Does nothing where the browser has no cache for it. */
export async function updateImages(answers: StoredAnswers): Promise<void> {
  if ('caches' in globalThis) await storeImages(imagesOf(answers), await caches.open(imageCacheName))
}
