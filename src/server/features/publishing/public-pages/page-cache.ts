import { LRUCache } from 'lru-cache'
import type { ClientFile } from '#server/http/client-files.ts'
import type { Logger } from '#server/http/logger.ts'

type PageCacheOptions = {
  /** A text that changes with whatever the pages show. */
  readRevision: () => Promise<string>
  clock: () => Date
  logger: Pick<Logger, 'error'>
}

/** Returns the file of a key, rendered at most once per revision; null if there is none. */
export type PageCache = (key: string, render: () => Promise<ClientFile | null>) => Promise<ClientFile | null>

const maxBytes = 64 * 1024 * 1024
/** Time between reads of the revision. */
const maxAgeMs = 1_000

/**
 * Keeps rendered files in memory until the revision changes. If the database is unavailable, files of the last known
 * revision are still served.
 */
export function createPageCache({ readRevision, clock, logger }: PageCacheOptions): PageCache {
  const files = new LRUCache<string, ClientFile>({ maxSize: maxBytes, sizeCalculation: sizeOf })
  const rendering = new Map<string, Promise<ClientFile | null>>()
  let revision = ''
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | null = null

  const refresh = async () => {
    try {
      revision = await readRevision()
    } catch (error) {
      logger.error({ err: error }, 'reading the revision of the public pages failed')
    }
    // The time counts after a failure too, so that visitors don't wait for an unavailable database.
    readAt = clock().getTime()
    reading = null
  }

  return async (key, render) => {
    if (Math.abs(clock().getTime() - readAt) > maxAgeMs) {
      reading ??= refresh()
      await reading
    }
    const versioned = `${revision} ${key}`
    const known = files.get(versioned)
    if (known) return known
    const running = rendering.get(versioned) ?? render()
    rendering.set(versioned, running)
    try {
      const file = await running
      if (file) files.set(versioned, file)
      return file
    } finally {
      rendering.delete(versioned)
    }
  }
}

const sizeOf = ({ body, brotli, gzip }: ClientFile) =>
  body.byteLength + (brotli?.byteLength ?? 0) + (gzip?.byteLength ?? 0)
