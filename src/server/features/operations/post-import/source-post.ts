/** A post of another publication, before it is converted. */
export type SourcePost = {
  /** The id at the source. */
  id: string
  title: string
  slug: string
  /** Day and time it was published; null for a draft. */
  publishedAt: Date | null
  excerpt: string
  tags: readonly string[]
  /** Folder of the file, for relative image addresses. */
  folder: string
  /** Reads the text when its turn comes. */
  read(): Promise<{ html: string } | { markdown: string }>
  /** What the source has and a drop hasn't. */
  notes: readonly string[]
}

/** A post without its text. */
export type PostInfo = Omit<SourcePost, 'read'>

export type PostSource = 'ghost' | 'substack' | 'markdown'

export type PostFile = {
  source: PostSource
  posts: readonly SourcePost[]
  /** An image from the file; null if it isn't there. */
  readImage(address: string, folder: string): Promise<Uint8Array | null>
  close(): void
}

/** Why a file or a post can't be read, in one sentence for people. */
export class PostFileError extends Error {}

export const maxPosts = 10_000
/** The longest text of one post. */
export const maxTextBytes = 2 * 1024 * 1024

/** Decodes a text, and says so if it isn't UTF-8: a wrong guess would damage it silently. */
export function decodeText(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new PostFileError(`${name} isn’t UTF-8 text. Export it again, or save it as UTF-8`)
  }
}

export function parseDate(value: unknown): Date | null {
  if (value === null || value === undefined || value === '') return null
  const text = value instanceof Date ? value.toISOString() : String(value)
  // Ghost writes UTC as "2025-06-30 15:35:36".
  const date = new Date(/^\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?$/.test(text) ? `${text.replace(' ', 'T')}Z` : text)
  const year = date.getUTCFullYear()
  return year > 1970 && year < 2200 ? date : null
}
