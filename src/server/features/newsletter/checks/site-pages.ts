import { and, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { issues, mediaImage } from '#server/db/schema/index.ts'
import { isClientRoute } from '#server/http/client-routes.ts'

/** Whether one of our own addresses leads somewhere: from inside it may not be reachable by its public name. */
export type PageExists = (path: string) => Promise<boolean>

export const createPageLookup =
  (db: Db): PageExists =>
  async (path) => {
    const [, slug] = /^\/portal\/weekly-drops\/([a-z0-9-]+)\/?$/.exec(path) ?? []
    if (slug) return (await db.$count(issues, and(eq(issues.slug, slug), isNotNull(issues.publishedAt)))) > 0
    const [, hash] = /^\/media\/([0-9a-f]{64})\.(?:png|jpg)$/.exec(path) ?? []
    if (hash) return (await db.$count(mediaImage, eq(mediaImage.hash, hash))) > 0
    return path === '/' || (isClientRoute(path) && isKnownShelf(path))
  }

/** The shell is served below /portal whatever stands there. */
const isKnownShelf = (path: string) =>
  !path.startsWith('/portal/') || /^\/portal\/(?:weekly-drops|prompt-packs|guides|tools)\/?$/.test(path)
