import { z } from 'zod'
import { ownsItem } from '#server/features/billing/purchases/owned-items.ts'
import { listDrops, readOpenDrop } from '#server/features/publishing/public-pages/open-drops.ts'
import { searchCall } from '#shared/contracts/library/search.ts'
import { savedItemsCall } from '#shared/contracts/reader/saved.ts'
import { markdownText } from '#shared/domain/markdown-text.ts'
import { searchWords } from '#shared/domain/search-words.ts'
import { type Assistant, asContent, defineTool, idOf, itemId, partOf, refOf } from '../assistant.ts'
import { orderedItems, orderedKinds } from '../ordered-items.ts'
import { fillPrompt } from '../prompts.ts'
import { howToGet, readItem } from '../read-item.ts'

const resultSchema = z.object({
  id: z.string().describe('For fetch and other tools; empty for a page'),
  title: z.string(),
  /** The part of the text that fits best. */
  text: z.string(),
  url: z.string(),
  partOf: z.string().describe('Its drop, pack, type or category'),
})

/** Beyond this, an assistant asks for the next page. */
const pageSize = 20
const nextCursor = z.string().nullable().describe('For the next page; null on the last one')
const cursor = z.string().max(300).nullish().describe('`nextCursor` of the previous page')
const note = z.string().describe('What isn’t open, and how to get it; empty if everything is')

const search = defineTool({
  name: 'search',
  title: 'Search the library',
  description:
    'Searches drops, their sections, prompts, guides with the text of their files, tools and pages, best matches first. Quotes search a phrase, a minus excludes a word. Use fetch for the text of a result.',
  right: 'library:read',
  input: z.object({
    query: z.string().min(1).max(1_000),
    kinds: z
      .array(z.enum(['drop', 'section', 'prompt', 'guide', 'tool', 'page']))
      .max(6)
      .default([]),
    saved: z.boolean().default(false).describe('Only what the person saved'),
    tried: z.boolean().default(false).describe('Only what the person tried'),
    limit: z.int().min(1).max(pageSize).default(10),
    cursor,
  }),
  output: z.object({
    results: z.array(resultSchema),
    corrections: z.array(z.object({ from: z.string(), to: z.string() })).describe('Words read as another word'),
    nextCursor,
    note,
  }),
  async run({ kinds, cursor, ...wanted }, assistant) {
    const open = assistant.hasAccess ? null : await searchOpenDrops(assistant, wanted.query, wanted.limit)
    if (open && !(await ownsItem(assistant.deps.database.db, assistant.who.userId))) return open
    const found = await assistant.call(searchCall, {
      ...wanted,
      kinds: kinds.map((kind) => (kind === 'drop' ? 'issue' : kind)),
      cursor: cursor ?? null,
    })
    const items = found.items.map(({ kind, id, path, title, excerpt, parentTitle }) => ({
      id: kind === 'page' ? '' : idOf({ kind, id }),
      title: title.text,
      text: excerpt.text,
      url: assistant.link(path),
      partOf: parentTitle,
    }))
    return {
      // What someone without a plan bought comes before what is open to everyone.
      results: open ? [...items, ...(cursor ? [] : open.results)] : items,
      corrections: found.corrections,
      nextCursor: found.nextCursor,
      note: open?.note ?? '',
    }
  },
})

/** The newest drops whose open text has most of the words. What is closed isn't searched, so it can't be guessed either. */
async function searchOpenDrops(assistant: Assistant, query: string, limit: number) {
  const { db } = assistant.deps.database
  const words = searchWords(query)
  const { drops } = await listDrops(db, {}, 1)
  const found = await Promise.all(
    drops.map(async ({ slug, title, preview }) => {
      const open = await readOpenDrop(db, slug)
      const text = [title, preview, open?.introHtml, ...(open?.sections ?? []).flatMap(({ html }) => html ?? [])].join(
        ' ',
      )
      const known = new Set(searchWords(markdownText(text)))
      return { slug, title, preview, hits: words.filter((word) => known.has(word)).length }
    }),
  )
  return {
    results: found
      .filter(({ hits }) => hits > 0 && hits >= words.length / 2)
      .toSorted((a, b) => b.hits - a.hits)
      .slice(0, limit)
      .map(({ slug, title, preview }) => ({
        id: `drop:${slug}`,
        title,
        text: preview,
        url: assistant.link(`/drops/${slug}`),
        partOf: '',
      })),
    corrections: [],
    nextCursor: null,
    note: `Only what is open to everyone was searched. ${howToGet(assistant)}`,
  }
}

const fetchTool = defineTool({
  name: 'fetch',
  title: 'Read an item',
  description:
    'Reads a drop in the person’s own order, a section, a prompt, a guide with the text of its file, or a tool, as Markdown. Drops and sections that it reads count as read.',
  right: 'library:read',
  input: z.object({
    id: itemId,
    offset: z.int().min(0).max(1_000_000).default(0).describe('`nextOffset` of the previous part of a long text'),
  }),
  output: z.object({
    id: z.string(),
    title: z.string(),
    text: z.string(),
    url: z.string(),
    isOpen: z.boolean().describe('False if a part isn’t open to the person; the text says how to get it'),
    nextOffset: z.int().nullable(),
  }),
  async run({ id, offset }, assistant) {
    const { title, path, text, isOpen } = await readItem(assistant, refOf(id))
    const part = partOf(text, offset)
    return { id, title, text: asContent(part.text), url: assistant.link(path), isOpen, nextOffset: part.nextOffset }
  },
})

const myOrder = defineTool({
  name: 'my_order',
  title: 'What comes first for me',
  description: 'Lists drops, prompts, guides or tools in the person’s own order, and says why that order.',
  right: 'library:read',
  input: z.object({ kind: z.enum(orderedKinds), cursor }),
  output: z.object({
    why: z.array(z.string()),
    items: z.array(z.object({ id: z.string(), title: z.string(), about: z.string(), url: z.string() })),
    nextCursor,
    note,
  }),
  async run({ kind, cursor }, assistant) {
    const { items, why } = await orderedItems(assistant, kind)
    const from = Number.parseInt(cursor ?? '0', 10) || 0
    const next = from + pageSize
    return {
      why,
      items: items.slice(Math.max(0, from), next).map(({ path, ...item }) => ({ ...item, url: assistant.link(path) })),
      nextCursor: items.length > next ? String(next) : null,
      note: assistant.hasAccess ? '' : howToGet(assistant),
    }
  },
})

const fillPromptTool = defineTool({
  name: 'fill_prompt',
  title: 'Fill in a prompt',
  description:
    'Fills the blanks of a prompt from the person’s business, the named store and `answers`, and lists the blanks that are still open. Comes with the franchisor’s rules that touch it and the check of the answer. Ask the person about open blanks; never make up figures or names.',
  right: 'business:read',
  input: z.object({
    id: itemId,
    store: z.string().max(100).nullish().describe('Name of one of the person’s stores'),
    answers: z
      .record(z.string().max(300), z.string().max(4_000))
      .default({})
      .describe('By the name of the blank, as `open` lists it'),
  }),
  output: z.object({
    title: z.string(),
    text: z.string().describe('The prompt, ready to use'),
    open: z.array(z.object({ name: z.string(), label: z.string(), suggestion: z.string().nullable() })),
    checks: z.array(z.string()).describe('Go through these with the person before the answer is used'),
    rules: z.string().describe('What the person’s franchisor says about it; empty if no rule touches it'),
    stores: z.array(z.string()),
    url: z.string(),
  }),
  run: ({ id, store, answers }, assistant) => fillPrompt(assistant, refOf(id), store ?? null, answers),
})

const mySaved = defineTool({
  name: 'my_saved',
  title: 'What I saved',
  description: 'Lists what the person saved, newest first.',
  right: 'library:read',
  input: z.object({ cursor: z.string().max(1_000).nullish() }),
  output: z.object({
    items: z.array(z.object({ id: z.string(), title: z.string(), savedAt: z.string(), url: z.string().nullable() })),
    nextCursor,
  }),
  async run({ cursor }, { call, link }) {
    const { items, nextCursor } = await call(savedItemsCall, { cursor: cursor ?? null, limit: pageSize })
    return {
      items: items.map(({ kind, id, title, savedAt, path }) => ({
        id: idOf({ kind, id }),
        title,
        savedAt,
        url: path === null ? null : link(path),
      })),
      nextCursor,
    }
  },
})

export const libraryTools = [search, fetchTool, myOrder, fillPromptTool, mySaved]
