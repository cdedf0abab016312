import { and, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { issues, mediaImage, sitePage } from '#server/db/schema/index.ts'
import { findOffer } from '#server/features/billing/subscriptions/offers/offer-rows.ts'
import { readContentFile } from '#server/features/library/content/guide-file.ts'
import { isClientRoute } from '#server/http/client-routes.ts'

/** Returns true if a path of this site exists. The server may not reach itself by its public name. */
export type PageExists = (path: string) => Promise<boolean>

export const createPageLookup =
  (db: Db): PageExists =>
  async (path) => {
    const [, slug] = /^\/portal\/weekly-drops\/([a-z0-9-]+)\/?$/.exec(path) ?? []
    if (slug) return (await db.$count(issues, and(eq(issues.slug, slug), isNotNull(issues.publishedAt)))) > 0
    const [, page] = /^\/portal\/pages\/([a-z0-9-]+)\/?$/.exec(path) ?? []
    if (page) return (await db.$count(sitePage, and(eq(sitePage.path, page), isNotNull(sitePage.publishedAt)))) > 0
    const [, hash] = /^\/media\/([0-9a-f]{64})\.(?:png|jpg)$/.exec(path) ?? []
    if (hash) return (await db.$count(mediaImage, eq(mediaImage.hash, hash))) > 0
    const [, sheet] = /^\/downloads\/sheets\/([a-z-]+\.xlsx)$/.exec(path) ?? []
    if (sheet) return (await readContentFile('sheets', sheet)) !== null
    const [, code] = /^\/offer\/([\w-]+)\/?$/.exec(path) ?? []
    if (code) return (await findOffer(db, code)) !== null
    return publicPages.has(path) || (isClientRoute(path) && isPortalPage(path))
  }

/** Pages for visitors that this server renders. */
const publicPages: ReadonlySet<string> = new Set(['/', '/drops', '/free'])

/** The app shell is served for every path under /portal. */
const isPortalPage = (path: string) =>
  !path.startsWith('/portal/') ||
  /^\/portal\/(?:weekly-drops|prompt-packs|guides|tools|glossary|safety|start-here|method|value)\/?$/.test(path)
