import { z } from 'zod'
import { maxPosts, PostFileError, parseDate, reasonToHide, type SourcePost } from './source-post.ts'

const id = z.union([z.string(), z.number()]).transform(String)
const text = z.string().nullish().catch(null)
const postSchema = z.object({
  id,
  title: text,
  slug: text,
  html: text,
  lexical: text,
  mobiledoc: text,
  feature_image: text,
  type: text,
  page: z.union([z.boolean(), z.number()]).nullish(),
  status: z.unknown().optional(),
  visibility: z.unknown().optional(),
  custom_excerpt: text,
  published_at: z.union([z.string(), z.number()]).nullish().catch(null),
})
/** Entries that have what is needed. A broken one costs itself, not the whole file. */
const readable = <Item extends z.ZodType>(item: Item) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((entries) =>
      entries.flatMap((entry) => {
        const { success, data } = item.safeParse(entry)
        return success ? [data] : []
      }),
    )
const dataSchema = z.object({
  posts: z.array(z.unknown()),
  tags: readable(z.object({ id, name: z.string() })),
  posts_tags: readable(z.object({ post_id: id, tag_id: z.unknown().optional() })),
  posts_meta: readable(z.object({ post_id: id, feature_image_alt: text })),
})

/** Posts of Ghost's export, with or without `db` around them. Pages are left out. */
export function readGhost(json: string): SourcePost[] {
  const data = findData(json)
  const names = new Map(data.tags.map((tag) => [tag.id, tag.name]))
  const tagsOf = Map.groupBy(data.posts_tags, ({ post_id }) => post_id)
  const altOf = new Map(data.posts_meta.map((meta) => [meta.post_id, meta.feature_image_alt]))
  if (data.posts.length > maxPosts) throw new PostFileError(`The file has more than ${maxPosts} posts`)
  return data.posts.flatMap((given, index): SourcePost[] => {
    const parsed = postSchema.safeParse(given)
    if (!parsed.success) return [brokenPost(given, index)]
    const post = parsed.data
    if (post.type === 'page' || post.page === true || post.page === 1) return []
    const tags = tagsOf.get(post.id) ?? []
    const hiddenBecause = hides(post)
    const named = tags.flatMap(({ tag_id }) => names.get(String(tag_id)) ?? [])
    const lost = tags.length - named.length
    const alt = altOf.get(post.id)
    return [
      {
        id: post.id,
        title: post.title ?? '',
        slug: post.slug ?? '',
        publishedAt: hiddenBecause === null ? parseDate(post.published_at) : null,
        hiddenBecause,
        excerpt: post.custom_excerpt ?? '',
        tags: named,
        folder: '',
        notes: lost > 0 ? [`Tags that the file doesn’t name: ${lost}`] : [],
        read: async () => {
          const html = post.html ?? requireNoCards(post.lexical ?? post.mobiledoc ?? '')
          const cover = post.feature_image
            ? `<img src="${escapeAttribute(post.feature_image)}" alt="${escapeAttribute(alt ?? '')}">`
            : ''
          return { html: cover + html }
        },
      },
    ]
  })
}

/** A missing status is unknown too. Visibility may be a filter, such as "label:vip", of members who can read it. */
function hides({ status, visibility }: { status?: unknown; visibility?: unknown }): string | null {
  if (status === 'draft') return 'it’s a draft at the source'
  const audience = String(visibility ?? '').includes(':') ? null : visibility
  return status ? reasonToHide({ status, visibility: audience }) : 'the file has no status for it'
}

const escapeAttribute = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

function findData(json: string) {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw new PostFileError('The JSON in this file is broken or was cut off. Export it again')
  }
  const { db } = (value ?? {}) as { db?: { data?: unknown }[] }
  const data = dataSchema.safeParse((Array.isArray(db) ? db[0] : (value as { data?: unknown }))?.data)
  if (!data.success) throw new PostFileError('This JSON file isn’t an export of Ghost: it has no posts')
  return data.data
}

const brokenPost = (given: unknown, index: number): SourcePost => ({
  id: `broken-${index + 1}`,
  title: String((given as { title?: unknown } | null)?.title ?? `Post ${index + 1}`),
  slug: '',
  publishedAt: null,
  hiddenBecause: null,
  excerpt: '',
  tags: [],
  folder: '',
  notes: [],
  read: () => Promise.reject(new PostFileError('The post’s data is incomplete')),
})

/** Ghost's own formats aren't read. Its exports have the HTML beside them. */
function requireNoCards(source: string): string {
  if (source) throw new PostFileError('The post has no HTML. Export it from Ghost again')
  return ''
}
