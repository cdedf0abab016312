import { toSlug } from '#shared/contracts/publishing/documents.ts'
import type { PostInfo } from './source-post.ts'

/** Where a link to another post of the file leads here; null for other addresses. */
export type OwnLinks = (address: string) => string | null

export const noOwnLinks: OwnLinks = () => null

/** Hosts of Substack. Posts there have /p/ in their address. */
const substackPost = /^https?:\/\/[\w-]+\.substack\.com\/p\/|^https?:\/\/open\.substack\.com\/pub\/[\w-]+\/p\//i

/** The address that a post gets, unless another drop has it. */
export const slugOf = ({ slug, title }: Pick<PostInfo, 'slug' | 'title'>): string => toSlug(slug) || toSlug(title)

/** Addresses of drops that the file's posts become. Hidden posts have none for readers. */
export const expectedSlugs = (posts: readonly PostInfo[], now: Date): Set<string> =>
  new Set(posts.flatMap((post) => (post.publishedAt && post.publishedAt <= now ? slugOf(post) : [])))

const nameIn = (address: string): string => {
  const path = address.replace(/[?#].*$/s, '').replace(/(?:\/index)?\.(?:md|markdown|html?)$/i, '')
  const name = path.split('/').filter(Boolean).at(-1) ?? ''
  return safeDecode(name).normalize('NFC').toLowerCase()
}

/** Links by the end of an address: "__GHOST_URL__/the-post/", "../the-post.md", or a title in a note. */
export function createOwnLinks(posts: readonly PostInfo[]): OwnLinks {
  const slugs = new Map<string, string>()
  for (const post of posts) {
    if (!post.publishedAt) continue
    const name = post.slug.normalize('NFC').toLowerCase()
    for (const key of [post.title.normalize('NFC').toLowerCase(), name]) if (key) slugs.set(key, slugOf(post))
  }
  return (given) => {
    const address = given.trim().replace(/^__GHOST_URL__/, '')
    if (/^[a-z][\w+.-]*:|^\/\/|^#/i.test(address) && !substackPost.test(address)) return null
    const name = nameIn(address)
    // Jekyll: the day is a part of the file's name.
    const slug = slugs.get(name) ?? slugs.get(name.replace(/^\d{4}-\d\d?-\d\d?-/, ''))
    return slug ? `/portal/weekly-drops/${slug}` : null
  }
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
