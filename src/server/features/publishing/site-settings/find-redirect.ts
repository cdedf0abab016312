import { and, eq, isNotNull } from 'drizzle-orm'
import { importedPosts, issues } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { normalizeOldPath, parseRedirects, type Redirect } from './redirects.ts'
import { readSettings } from './setting-store.ts'

export type FindRedirect = (path: string) => Promise<Redirect | null>

/** Time between reads of the publisher's redirects. */
const maxAgeMs = 1_000

/** Addresses that other platforms have and we have under another name. */
const known = (path: string): string | undefined => {
  if (/(?:^|\/)(?:(?:feed|rss)(?:\.xml|\/(?:atom|rss|rdf))?|(?:atom|index)\.xml)$/.test(path)) return '/feed.xml'
  return path === '/archive' ? '/drops' : undefined
}

/** The end of a post's address: "/2023/06/01/a-letter.html", "/a-letter/index.html" and "/a-letter/amp" alike. */
const nameIn = (path: string): string =>
  path
    .replace(/\/(?:index\.html?|amp)$/, '')
    .replace(/\.html?$/, '')
    .split('/')
    .at(-1)
    ?.normalize('NFC') ?? ''

/**
 * Where an address leads that has no page here: by the publisher's list, to the drop of an imported post that had it, or
 * to what other platforms have there. Asked only for addresses without a page.
 */
export function createFindRedirect({ database, clock }: Pick<Deps, 'database' | 'clock'>): FindRedirect {
  let own = new Map<string, Redirect>()
  /** The setting's text that `own` was parsed from. */
  let parsed = ''
  let readAt = Number.NEGATIVE_INFINITY

  async function readOwn() {
    const now = clock().getTime()
    if (Math.abs(now - readAt) > maxAgeMs) {
      const { values } = await readSettings(database.db, 'pages')
      const text = values.redirects ?? ''
      if (text !== parsed) own = new Map(parseRedirects(text).redirects.map((redirect) => [redirect.from, redirect]))
      parsed = text
      readAt = now
    }
    return own
  }

  return async (path) => {
    const from = normalizeOldPath(path)
    const chosen = (await readOwn()).get(from)
    if (chosen) return chosen
    const slug = nameIn(from)
    const drop = /^[\p{L}\p{N}_.-]{1,200}$/u.test(slug) ? await findImported(slug) : undefined
    const to = drop ? `/drops/${drop}` : known(from)
    return to ? { from, to, permanent: true } : null
  }

  async function findImported(slug: string): Promise<string | undefined> {
    const [row] = await database.db
      .select({ slug: issues.slug })
      .from(importedPosts)
      .innerJoin(issues, eq(issues.id, importedPosts.documentId))
      .where(and(eq(importedPosts.slug, slug), isNotNull(issues.publishedAt)))
      .limit(1)
    return row?.slug
  }
}
