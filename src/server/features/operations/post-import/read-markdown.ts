import { parse as parseToml } from 'smol-toml'
import { parse } from 'yaml'
import { z } from 'zod'
import type { ZipFile } from '#server/features/operations/archive/zip-reader.ts'
import { readAudience } from './audience.ts'
import {
  authorNotes,
  decodeText,
  maxTextBytes,
  PostFileError,
  parseDate,
  reasonToHide,
  type SourcePost,
  writtenDay,
} from './source-post.ts'

const text = z.union([z.string(), z.number()]).transform(String).nullish().catch(null)
const frontMatterSchema = z.object({
  id: text,
  title: text,
  slug: text,
  excerpt: text,
  description: text,
  subtitle: text,
  date: z.unknown().optional(),
  published_at: z.unknown().optional(),
  publishdate: z.unknown().optional(),
  publish_date: z.unknown().optional(),
  author: z.unknown().optional(),
  authors: z.unknown().optional(),
  tags: z
    .union([z.array(z.unknown()), z.string()])
    .nullish()
    .catch(null),
})

/** One Markdown file with front matter in YAML or TOML, as static site generators and our own archive write it. */
export function readMarkdownPost(path: string, source: string): SourcePost {
  const { fields, body } = splitFrontMatter(source)
  const frontMatter = frontMatterSchema.parse({ ...fields, title: fields.title ?? fields.subject })
  // Hugo: first-post/index.md
  const file = path.replace(/\.(md|markdown)$/i, '').replace(/(?<=[^/])\/index$/i, '')
  const name = file.slice(file.lastIndexOf('/') + 1)
  // Jekyll: 2025-06-30-the-title.md
  const [, day, rest] = /^(\d{4}-\d\d?-\d\d?)-(.+)$/.exec(name) ?? []
  const [heading = '', title = ''] = /^# (.+)\n*/.exec(body) ?? []
  const isInDrafts = /(^|\/)[._]?drafts?\//i.test(path)
  // Buttondown's files say "sent" of each email, Ghost's of those that had no page.
  const state = fields.email_type && fields.status === 'sent' ? { status: 'published' } : {}
  const hiddenBecause = isInDrafts ? 'it’s in a folder of drafts' : reasonToHide({ ...fields, ...state })
  const { publishdate, publish_date, date: written, published_at } = frontMatter
  const dated = [publishdate, publish_date, written, published_at, day].find((given) => parseDate(given) !== null)
  const date = parseDate(dated)
  return {
    id: frontMatter.id || frontMatter.slug || path,
    title: frontMatter.title || title,
    slug: frontMatter.slug || rest || name,
    publishedAt: hiddenBecause === null ? date : null,
    day: writtenDay(dated),
    hiddenBecause,
    audience: readAudience(fields),
    excerpt: frontMatter.excerpt || frontMatter.description || frontMatter.subtitle || '',
    tags: (Array.isArray(frontMatter.tags) ? frontMatter.tags : (frontMatter.tags ?? '').split(',')).map(String),
    folder: path.slice(0, path.lastIndexOf('/') + 1),
    notes: authorNotes([frontMatter.author, frontMatter.authors].flatMap(namesIn)),
    // A first heading that is the title would be there twice.
    read: async () => ({
      markdown: !frontMatter.title || frontMatter.title === title ? body.slice(heading.length) : body,
    }),
  }
}

/** Names of authors, which may be objects with a name. */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (typeof value === 'object' && value !== null && 'name' in value) return namesIn(value.name)
  return typeof value === 'string' && value.trim() ? [value.trim()] : []
}

/** Names are lowercase. @throws PostFileError if it can't be read: it may say that the post is a draft */
function splitFrontMatter(source: string): { fields: Record<string, unknown>; body: string } {
  const text = source
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .replace(/^\n+/, '')
  const [whole = '', fence, written = ''] = /^(---|\+\+\+)[ \t]*\n([\s\S]*?)(?:^|\n)\1[ \t]*(?:\n|$)/.exec(text) ?? []
  const language = fence === '+++' ? 'TOML' : 'YAML'
  if (!fence && /^(---[ \t]*\n[\w-]+:|\+\+\+[ \t]*\n)/.test(text)) {
    throw new PostFileError('The front matter has no closing line')
  }
  try {
    // YAML of strangers: no custom tags, and few aliases, against expansion.
    const parsed: unknown =
      language === 'TOML' ? parseToml(written) : parse(written, { schema: 'core', maxAliasCount: 20 })
    const fields = z.record(z.string(), z.unknown()).parse(parsed ?? {})
    const lowercase = Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value])
    return { fields: Object.fromEntries(lowercase), body: text.slice(whole.length).trim() }
  } catch {
    throw new PostFileError(`The front matter isn’t valid ${language}`)
  }
}

export async function readMarkdownZip(zip: ZipFile, paths: readonly string[]): Promise<SourcePost[]> {
  const posts: SourcePost[] = []
  for (const path of paths) {
    try {
      posts.push(readMarkdownPost(path, decodeText(await zip.read(path, maxTextBytes), path)))
    } catch (error) {
      posts.push(unreadable(path, error))
    }
  }
  return posts
}

const unreadable = (path: string, error: unknown): SourcePost => ({
  id: path,
  title: path,
  slug: '',
  publishedAt: null,
  hiddenBecause: null,
  audience: 'limited',
  excerpt: '',
  tags: [],
  folder: '',
  notes: [],
  read: () => Promise.reject(error instanceof PostFileError ? error : new PostFileError('The file can’t be read')),
})
