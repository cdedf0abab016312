import { parse } from 'csv-parse/sync'
import MarkdownIt from 'markdown-it'
import type { postSources } from '#shared/contracts/operations/post-imports.ts'
import { toSlug } from '#shared/contracts/publishing/documents.ts'
import type { Audience } from './audience.ts'
import type { SourceComment } from './import-comments.ts'

/** A post of another publication, before it is converted. */
export type SourcePost = {
  /** The id at the source. */
  id: string
  title: string
  slug: string
  /** Its page at the source, if the file says so: links to it lead to its drop. */
  address?: string
  /** Day and time it was published; null for a draft. */
  publishedAt: Date | null
  /** Day in the zone in which the date was written, if the source says so. Default: the day in the publication's zone. */
  day?: string | null
  /** Why it isn't public at the source; null if it is. */
  hiddenBecause: string | null
  audience: Audience
  excerpt: string
  tags: readonly string[]
  /** Folder of the file, for relative image addresses. */
  folder: string
  /** Reads the text when its turn comes. `cover` is above it, and open to everyone; `notes` are about what was read. */
  read(): Promise<{ html: string; cover?: string; notes?: readonly string[] } | { markdown: string }>
  /** Comments of readers on it. */
  readComments?(): SourceComment[]
  /** Names parts of the post that a drop doesn't have. */
  notes: readonly string[]
}

/** A post without its text and comments. */
export type PostInfo = Omit<SourcePost, 'read' | 'readComments'>

export type PostSource = (typeof postSources)[number]

export type PostFile = {
  source: PostSource
  posts: readonly SourcePost[]
  /** An image from the file; null if it isn't there. */
  readImage(address: string, folder: string): Promise<Uint8Array | null>
  close(): void
}

/** Why a file or a post can't be read, in one sentence for people. */
export class PostFileError extends Error {}

/** A page, named as left out. */
export const sourcePage = (id: string, title: string): SourcePost => ({
  ...{ id, title, slug: '', publishedAt: null, hiddenBecause: null, audience: 'limited' },
  ...{ excerpt: '', tags: [], folder: '', notes: [] },
  read: () => Promise.reject(new PostFileError('It’s a page. Add it under Settings → Pages')),
})

/** A drop has no byline, so that readers know its authors from the text only. */
export const authorNotes = (names: readonly string[]): string[] =>
  names.length > 0 ? [`Author at the source: ${[...new Set(names)].slice(0, 10).join(', ')}`] : []

export const maxPosts = 10_000
/** The longest text of one post. */
export const maxTextBytes = 2 * 1024 * 1024

const { unescapeAll } = new MarkdownIt().utils
/** Several services write titles with the entities of HTML. */
export const decodeHTML = (text: string) => text.replaceAll(/&(?:#x?[\da-f]+|[a-z][a-z\d]*);/gi, unescapeAll)

/** A text without tags, in one line. */
export const plainTextOf = (html: string) =>
  decodeHTML(html.replaceAll(/<[^<>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim()

export const escapeAttribute = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** Rows of a CSV file by the names of its columns. @throws PostFileError */
export function parseRows(csv: string, name: string): Record<string, string | undefined>[] {
  try {
    return parse(csv, { columns: true, bom: true, skip_empty_lines: true, relax_column_count: true })
  } catch {
    throw new PostFileError(`${name} is broken: a quote isn’t closed, or a line was cut off`)
  }
}

/** Decodes a text, and says so if it isn't UTF-8: a wrong guess would damage it silently. */
export function decodeText(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new PostFileError(`${name} isn’t UTF-8 text. Export it again, or save it as UTF-8`)
  }
}

const datePattern =
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]+(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?)?$/i

/** Dates of exports and front matter. Without a zone they are UTC, as Ghost writes them; numbers count from 1970. */
export function parseDate(value: unknown): Date | null {
  if (value === null || value === undefined || value === '') return null
  const text = value instanceof Date ? value.toISOString() : String(value).trim()
  const date = /^\d{9,14}$/.test(text) ? new Date(Number(text) * (text.length <= 10 ? 1_000 : 1)) : parseWritten(text)
  const year = date?.getUTCFullYear() ?? 0
  return date && year > 1970 && year < 2200 ? date : null
}

/** The day that a date has where it was written; null if it's a time in UTC. */
export function writtenDay(value: unknown): string | null {
  const date = parseDate(value)
  if (!date) return null
  const text = value instanceof Date ? value.toISOString() : String(value).trim()
  const [found, year = '', month = '', day = '', hour, , , zone] = datePattern.exec(text) ?? []
  if (found)
    return hour && /^(?:Z|UTC|GMT)$/i.test(zone ?? '')
      ? null
      : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return /^\d+$|\d:\d/.test(text) ? null : date.toISOString().slice(0, 10)
}

function parseWritten(text: string): Date | null {
  const [found, year, month = '', day = '', hour = '0', minute = '00', second = '00', zone = 'Z'] =
    datePattern.exec(text) ?? []
  if (!found)
    return /[a-z]{3}.*\b\d{4}\b/i.test(text.slice(0, 100)) ? new Date(/\d:\d/.test(text) ? text : `${text} UTC`) : null
  const clock = `${hour.padStart(2, '0')}:${minute}:${second}`
  const offset = /^[+-]/.test(zone) ? zone.replace(/(\d\d):?(\d\d)$/, '$1:$2') : 'Z'
  const date = new Date(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T${clock}${offset}`)
  const isRealDay = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day)
  return isRealDay ? date : null
}

const yes = new Set(['true', 'yes', 'y', 'on', '1'])
const no = new Set(['false', 'no', 'n', 'off', '0'])
/** Fields by which sources tell whether readers can see a post, with the values that mean they can. */
const publicValues: readonly [fields: readonly string[], values: ReadonlySet<string>][] = [
  [['draft', 'isdraft', 'hidden', 'private', 'unlisted', 'unpublished', 'wip'], no],
  [['published', 'ispublished', 'publish', 'public'], yes],
  [['status', 'state', 'poststatus'], new Set(['published', 'publish', 'public', 'live'])],
  [
    ['visibility', 'audience'],
    new Set(['public', 'everyone', 'members', 'free', 'paid', 'tiers', 'only_paid', 'only_free', 'founding']),
  ],
]

export const emailOnly = 'it was only sent by email'

/** Why a post isn't public at the source; null if it is. A value that we don't know means that it isn't. */
export function reasonToHide(fields: Readonly<Record<string, unknown>>): string | null {
  for (const [name, value] of Object.entries(fields)) {
    const key = name.toLowerCase().replaceAll(/[_-]/g, '')
    const [, values] = publicValues.find(([names]) => names.includes(key)) ?? []
    const given = String(value ?? '').trim()
    if (/^status|^state/.test(key) && given.toLowerCase() === 'sent') return emailOnly
    if (/^email(?:ed)?only$/.test(key) && !no.has(given.toLowerCase()) && given !== '') return emailOnly
    if (!values || given === '' || values.has(given.toLowerCase())) continue
    // Some write the day it was published.
    if ((key === 'published' || key === 'publish') && parseDate(value)) continue
    return `the file says “${name}: ${given.slice(0, 40)}”`
  }
  return null
}

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

/** An address without its protocol and what differs between links to one page. */
const pageOf = (address: string) => address.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/?(?:[?#].*)?$/s, '')

/** Links by the end of an address: "__GHOST_URL__/the-post/", "../the-post.md", or a title in a note. */
export function createOwnLinks(posts: readonly PostInfo[]): OwnLinks {
  const slugs = new Map<string, string>()
  const pages = new Map<string, string>()
  for (const post of posts) {
    if (!post.publishedAt) continue
    if (post.address) pages.set(pageOf(post.address), slugOf(post))
    const name = post.slug.normalize('NFC').toLowerCase()
    for (const key of [post.title.normalize('NFC').toLowerCase(), name]) if (key) slugs.set(key, slugOf(post))
  }
  return (given) => {
    const address = given.trim().replace(/^__GHOST_URL__/, '')
    const own = pages.get(pageOf(address))
    if (own) return `/portal/weekly-drops/${own}`
    if (/^[a-z][\w+.-]*:|^\/\/|^#/i.test(address) && !substackPost.test(address)) return null
    const name = nameIn(address)
    // Jekyll: the day is a part of the file's name.
    const slug = slugs.get(name) ?? slugs.get(name.replace(/^\d{4}-\d\d?-\d\d?-/, ''))
    return slug ? `/portal/weekly-drops/${slug}` : null
  }
}

export function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
