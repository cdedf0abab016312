import { z } from 'zod'
import { storableText } from '#shared/domain/storable-text.ts'
import type { Audience } from './audience.ts'
import { htmlToMarkdown } from './html-to-markdown.ts'
import type { SourceComment } from './import-comments.ts'
import {
  authorNotes,
  emailOnly,
  escapeAttribute,
  maxPosts,
  PostFileError,
  parseDate,
  reasonToHide,
  type SourcePost,
  sourcePage,
} from './source-post.ts'

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
  author_id: id.nullish().catch(null),
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
  posts_meta: readable(
    z.object({ post_id: id, feature_image_alt: text, feature_image_caption: text, email_only: z.unknown().optional() }),
  ),
  users: readable(z.object({ id, name: z.string() })),
  posts_authors: readable(z.object({ post_id: id, author_id: id, sort_order: z.number().catch(0) })),
  products: readable(z.object({ id, name: z.string() })),
  posts_products: readable(z.object({ post_id: id, product_id: id })),
  comments: readable(
    z.object({
      ...{ id, post_id: id, parent_id: id.nullish(), member_id: id.nullish(), status: z.string(), html: text },
      ...{ created_at: z.unknown(), edited_at: z.unknown().optional() },
    }),
  ),
  members: readable(z.object({ id, email: z.string(), name: text })),
})
type Data = z.output<typeof dataSchema>

/** Posts of Ghost's export, with or without `db` around them. Pages are named as left out. */
export function readGhost(json: string): SourcePost[] {
  const data = findData(json)
  const names = new Map(data.tags.map((tag) => [tag.id, tag.name]))
  const tagsOf = Map.groupBy(data.posts_tags, ({ post_id }) => post_id)
  const metaOf = new Map(data.posts_meta.map((meta) => [meta.post_id, meta]))
  const people = new Map(data.users.map((user) => [user.id, user.name]))
  const authorsOf = Map.groupBy(
    data.posts_authors.toSorted((a, b) => a.sort_order - b.sort_order),
    ({ post_id }) => post_id,
  )
  const commentsOf = Map.groupBy(data.comments, ({ post_id }) => post_id)
  const members = new Map(data.members.map((member) => [member.id, member]))
  const tiers = new Map(data.products.map((tier) => [tier.id, tier.name]))
  const tiersOf = Map.groupBy(data.posts_products, ({ post_id }) => post_id)
  if (data.posts.length > maxPosts) throw new PostFileError(`The file has more than ${maxPosts} posts`)
  return data.posts.flatMap((given, index): SourcePost[] => {
    const parsed = postSchema.safeParse(given)
    if (!parsed.success) return [brokenPost(given, index)]
    const post = parsed.data
    if (post.type === 'page' || post.page === true || post.page === 1) return [sourcePage(post.id, post.title ?? '')]
    const tags = tagsOf.get(post.id) ?? []
    const meta = metaOf.get(post.id)
    const isEmail =
      Boolean(meta?.email_only) && String(meta?.email_only) !== '0' && String(meta?.email_only) !== 'false'
    const hiddenBecause = hides(post) ?? (isEmail ? emailOnly : null)
    const visibility = String(post.visibility ?? '')
      .trim()
      .toLowerCase()
    // Before Ghost 1.22, a post had one author.
    const authors = authorsOf.get(post.id)?.map(({ author_id }) => author_id) ?? [post.author_id ?? '']
    const named = tags.flatMap(({ tag_id }) => names.get(String(tag_id)) ?? [])
    const lost = tags.length - named.length
    return [
      {
        id: post.id,
        title: post.title ?? '',
        slug: post.slug ?? '',
        publishedAt: hiddenBecause === null ? parseDate(post.published_at) : null,
        hiddenBecause,
        audience: audiences[visibility] ?? 'closed',
        excerpt: post.custom_excerpt ?? '',
        tags: named,
        folder: '',
        notes: [
          ...readersNotes(
            visibility,
            (tiersOf.get(post.id) ?? []).flatMap(({ product_id }) => tiers.get(product_id) ?? []),
          ),
          ...authorNotes(authors.flatMap((author) => people.get(author) ?? [])),
          ...(lost > 0 ? [`Tags that the file doesn’t name: ${lost}`] : []),
        ],
        readComments: () => (commentsOf.get(post.id) ?? []).flatMap((each) => toComment(each, members)),
        read: async () => {
          const html = post.html ?? requireNoCards(post.lexical ?? post.mobiledoc ?? '')
          return { html, cover: post.feature_image ? coverOf(post.feature_image, meta) : '' }
        },
      },
    ]
  })
}

/** Nothing if its text can't be read. */
function toComment(
  { id: sourceId, parent_id, member_id, status, html, created_at, edited_at }: Data['comments'][number],
  members: ReadonlyMap<string, Data['members'][number]>,
): SourceComment[] {
  const createdAt = parseDate(created_at)
  const text = status === 'deleted' ? '' : commentText(html ?? '')
  if (!createdAt || (text === '' && status !== 'deleted')) return []
  const member = members.get(member_id ?? '')
  return [
    {
      ...{ id: sourceId, parentId: parent_id ?? null, text, createdAt, editedAt: parseDate(edited_at) },
      email: member?.email.trim().toLowerCase() ?? '',
      name: storableText(member?.name ?? '')
        .replaceAll(/\s+/g, ' ')
        .trim()
        .slice(0, 60),
      // A status that we don't know is not for everyone.
      state: status === 'published' ? 'visible' : status === 'deleted' ? 'deleted' : 'hidden',
    },
  ]
}

function commentText(html: string): string {
  try {
    return storableText(htmlToMarkdown(html.replaceAll(/<img\b[^>]*>/gi, '')).markdown).trim()
  } catch {
    return ''
  }
}

const audiences: Readonly<Record<string, Audience>> = { public: 'public', members: 'limited', paid: 'limited' }

/** Readers whose access changes. */
function readersNotes(visibility: string, tiers: readonly string[]): string[] {
  if (visibility === 'members') return ['For free members too at the source; here, only paying members can read it']
  if (visibility !== 'tiers' && !visibility.includes(':')) return []
  const names = tiers.length > 0 ? tiers.join(', ') : visibility.includes(':') ? visibility : 'some tiers'
  return [`For ${names} at the source; here, every paying member can read it`]
}

type Meta = { feature_image_alt?: string | null; feature_image_caption?: string | null }

/** Ghost shows the picture of a post to everyone. */
const coverOf = (address: string, meta: Meta | undefined) =>
  `<figure><img src="${escapeAttribute(address)}" alt="${escapeAttribute(meta?.feature_image_alt ?? '')}">${
    meta?.feature_image_caption ? `<figcaption>${meta.feature_image_caption}</figcaption>` : ''
  }</figure>`

/** A missing status is unknown too. Visibility may be a filter, such as "label:vip", of members who can read it. */
function hides({ status, visibility }: { status?: unknown; visibility?: unknown }): string | null {
  if (status === 'draft') return 'it’s a draft at the source'
  const audience = String(visibility ?? '').includes(':') ? null : visibility
  return status ? reasonToHide({ status, visibility: audience }) : 'the file has no status for it'
}

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
  audience: 'limited',
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
