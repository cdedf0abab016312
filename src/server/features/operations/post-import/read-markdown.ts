import { parse } from 'yaml'
import { z } from 'zod'
import type { ZipFile } from '#server/features/operations/archive/zip-reader.ts'
import { decodeText, maxTextBytes, PostFileError, parseDate, type SourcePost } from './source-post.ts'

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
  status: text,
  draft: z.boolean().nullish().catch(null),
  tags: z
    .union([z.array(z.unknown()), z.string()])
    .nullish()
    .catch(null),
})

/** One Markdown file with YAML front matter, as static site generators and our own archive write it. */
export function readMarkdownPost(path: string, source: string): SourcePost {
  const { frontMatter, body } = splitFrontMatter(source)
  const name =
    path
      .split('/')
      .at(-1)
      ?.replace(/\.(md|markdown)$/i, '') ?? path
  // Jekyll: 2025-06-30-the-title.md
  const [, day, rest] = /^(\d{4}-\d\d-\d\d)-(.+)$/.exec(name) ?? []
  const [heading = '', title = ''] = /^# (.+)\n*/.exec(body) ?? []
  const isDraft = frontMatter.draft === true || frontMatter.status === 'draft' || /(^|\/)_?drafts\//.test(path)
  const date = parseDate(frontMatter.date) ?? parseDate(frontMatter.published_at) ?? parseDate(day)
  return {
    id: frontMatter.id || frontMatter.slug || path,
    title: frontMatter.title || title,
    slug: frontMatter.slug || rest || name,
    publishedAt: isDraft ? null : date,
    excerpt: frontMatter.excerpt || frontMatter.description || frontMatter.subtitle || '',
    tags: (Array.isArray(frontMatter.tags) ? frontMatter.tags : (frontMatter.tags ?? '').split(',')).map(String),
    folder: path.slice(0, path.lastIndexOf('/') + 1),
    notes: [],
    // A first heading that is the title would be there twice.
    read: async () => ({
      markdown: !frontMatter.title || frontMatter.title === title ? body.slice(heading.length) : body,
    }),
  }
}

function splitFrontMatter(source: string) {
  const text = source.replace(/^﻿/, '').replaceAll('\r\n', '\n')
  const [whole, yaml = ''] = /^---\n([\s\S]*?)\n---(?:\n|$)/.exec(text) ?? ['']
  try {
    // YAML of strangers: no custom tags, and few aliases, against expansion.
    const parsed: unknown = yaml ? parse(yaml, { schema: 'core', maxAliasCount: 20 }) : {}
    const frontMatter = frontMatterSchema.parse(parsed ?? {})
    return { frontMatter, body: text.slice((whole ?? '').length).trim() }
  } catch {
    throw new PostFileError('The front matter isn’t valid YAML')
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
  excerpt: '',
  tags: [],
  folder: '',
  notes: [],
  read: () => Promise.reject(error instanceof PostFileError ? error : new PostFileError('The file can’t be read')),
})
