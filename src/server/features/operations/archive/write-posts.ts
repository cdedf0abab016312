import { asc, eq, max, sql } from 'drizzle-orm'
import { stringify } from 'yaml'
import type { Tx } from '#server/db/database.ts'
import { contentDocument, issueSections, issues } from '#server/db/schema/index.ts'
import { readBlocks } from '#server/features/library/content/read-issues.ts'
import { isListed } from '#server/features/publishing/documents/sample-content.ts'
import { readQuestions } from '#server/features/reader/preferences/question-store.ts'
import { issueDraftSchema } from '#shared/contracts/publishing/documents.ts'
import { expandBlocks } from '#shared/domain/block-references.ts'
import { optionLabels, type Questions } from '#shared/domain/preferences.ts'
import { asGhostHtml, asMarkdown, type PostText, visibilityOf } from './render-post.ts'
import type { Spool } from './spool.ts'

type Post = PostText & {
  id: string
  title: string
  date: string | null
  preview: string
  tags: readonly string[]
  publishedAt: Date | null
  updatedAt: Date
}

/** `posts/` and `drafts/`, and the same posts in the import format of Ghost, at `ghostPath` in the spool. */
export async function spoolPosts(
  tx: Tx,
  spool: Spool,
  { publicUrl, ghostPath }: { publicUrl: string; ghostPath: string },
) {
  const publication = { questions: await readQuestions(tx) }
  const published = await listPublished(tx)
  for (const id of published) {
    const post = await readPublished(tx, id)
    if (post) await spool.write(`posts/${post.slug}.md`, [asMarkdownFile(publication, post, publicUrl)])
  }
  const drafts = await listDrafts(tx)
  for (const id of drafts) {
    await spool.write(`drafts/${id}.md`, [asMarkdownFile(publication, await readDraft(tx, id), publicUrl)])
  }
  const unpublished = drafts.filter((id) => !published.includes(id))
  return spool.write(ghostPath, ghostJson(tx, { publication, published, unpublished, publicUrl }))
}

const listPublished = async (tx: Tx): Promise<string[]> =>
  (
    await tx
      .select({ id: issues.id })
      .from(issues)
      .where(sql`${issues.publishedAt} is not null`)
      .orderBy(asc(issues.date), sql`${issues.id} collate "C"`)
  ).map(({ id }) => id)

/** Drops whose latest text readers don't see. */
const listDrafts = async (tx: Tx): Promise<string[]> =>
  (
    await tx
      .select({ id: contentDocument.id })
      .from(contentDocument)
      .where(
        sql`${contentDocument.kind} = 'issue' and ${isListed}
          and ${contentDocument.publishedVersion} is distinct from ${contentDocument.version}`,
      )
      .orderBy(sql`${contentDocument.id} collate "C"`)
  ).map(({ id }) => id)

async function readPublished(tx: Tx, id: string): Promise<Post | null> {
  const [issue] = await tx.select().from(issues).where(eq(issues.id, id))
  if (!issue) return null
  const sections = await tx
    .select()
    .from(issueSections)
    .where(eq(issueSections.issueId, id))
    .orderBy(asc(issueSections.position))
  return withBlocks(tx, { ...issue, sections })
}

async function readDraft(tx: Tx, id: string): Promise<Post> {
  const [row] = await tx
    .select()
    .from(contentDocument)
    .where(sql`${contentDocument.kind} = 'issue' and ${contentDocument.id} = ${id}`)
  const draft = issueDraftSchema.parse(row?.document)
  return withBlocks(tx, {
    ...draft,
    id,
    slug: draft.slug || id,
    date: draft.date || null,
    publishedAt: null,
    updatedAt: row?.updatedAt ?? new Date(0),
  })
}

async function withBlocks(tx: Tx, post: Post): Promise<Post> {
  const texts = [
    post.worth,
    post.intro,
    post.closing,
    ...post.sections.flatMap(({ body, examples }) => [body, ...Object.values(examples).map((text) => text ?? '')]),
  ]
  const blocks = await readBlocks(tx, texts)
  const expand = (text: string) => expandBlocks(text, blocks)
  return {
    ...post,
    worth: expand(post.worth),
    intro: expand(post.intro),
    closing: expand(post.closing),
    sections: post.sections.map((section) => ({
      ...section,
      body: expand(section.body),
      examples: Object.fromEntries(
        Object.entries(section.examples).map(([vertical, text]) => [vertical, expand(text ?? '')]),
      ),
    })),
  }
}

const asMarkdownFile = (publication: Questions, post: Post, publicUrl: string): string => {
  const frontMatter = {
    id: post.id,
    title: post.title,
    slug: post.slug,
    date: post.date,
    status: post.publishedAt ? 'published' : 'draft',
    visibility: visibilityOf(post),
    excerpt: post.preview,
    tags: optionLabels(publication, 'focusAreas', post.tags),
    published_at: post.publishedAt?.toISOString() ?? null,
    updated_at: post.updatedAt.toISOString(),
  }
  return `---\n${stringify(frontMatter, { lineWidth: 0 })}---\n\n${asMarkdown(post, publicUrl)}`
}

/** Ghost's version that the file is written for. */
const ghostVersion = '5.0.0'
/** Longest excerpt in Ghost. */
const maxExcerptLength = 300

type GhostPosts = {
  publication: Questions
  published: readonly string[]
  unpublished: readonly string[]
  publicUrl: string
}

async function* ghostJson(
  tx: Tx,
  { publication, published, unpublished, publicUrl }: GhostPosts,
): AsyncGenerator<string> {
  // The time of the newest post and not of the export, so that equal posts give an equal file.
  const [newest] = await tx.select({ at: max(issues.updatedAt) }).from(issues)
  const meta = { exported_on: newest?.at?.getTime() ?? 0, version: ghostVersion }
  yield `{"db":[{"meta":${JSON.stringify(meta)},"data":{"posts":[`
  const tagsOfPosts: { post_id: string; tag_id: string }[] = []
  let separator = ''
  for (const [ids, read] of [
    [published, readPublished],
    [unpublished, readDraft],
  ] as const) {
    for (const id of ids) {
      const post = await read(tx, id)
      if (!post) continue
      tagsOfPosts.push(
        ...optionLabels(publication, 'focusAreas', post.tags).map((tag) => ({ post_id: post.id, tag_id: tag })),
      )
      yield `${separator}\n${JSON.stringify(ghostPost(post, publicUrl))}`
      separator = ','
    }
  }
  const names = [...new Set(tagsOfPosts.map(({ tag_id }) => tag_id))].sort()
  const tags = names.map((name) => ({ id: name, name, slug: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-') }))
  yield `\n],"tags":${JSON.stringify(tags)},"posts_tags":${JSON.stringify(tagsOfPosts)}}}]}\n`
}

const ghostPost = (post: Post, publicUrl: string) => {
  const at = post.publishedAt ? `${post.date}T12:00:00.000Z` : null
  return {
    id: post.id,
    title: post.title || 'Untitled',
    slug: post.slug,
    html: asGhostHtml(post, publicUrl),
    type: 'post',
    status: post.publishedAt ? 'published' : 'draft',
    visibility: visibilityOf(post),
    created_at: at ?? post.updatedAt.toISOString(),
    updated_at: post.updatedAt.toISOString(),
    published_at: at,
    custom_excerpt: post.preview.slice(0, maxExcerptLength) || null,
  }
}
