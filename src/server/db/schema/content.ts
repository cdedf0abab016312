import { sql } from 'drizzle-orm'
import {
  boolean,
  customType,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  real,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import type { PromptExample } from '#shared/contracts/library/library.ts'
import type { SearchKind } from '#shared/domain/content-items.ts'
import type { FranchiseTopic, ToolCriterion } from '#shared/domain/content-labels.ts'
import type { ItemUse } from '#shared/domain/item-uses.ts'
import type { Vertical } from '#shared/domain/verticals.ts'
import { userId } from './auth.ts'
import { instant, itemColumns } from './columns.ts'

const emptyTextArray = (name: string) => text(name).array().notNull().default(sql`'{}'`)
const emptyText = (name: string) => text(name).notNull().default('')
/** The day its facts were last checked. */
const checkedOn = () => date('checked_on', { mode: 'string' })

/** The last day it is valid, and what changed with its newest version; for the item's history. */
const validity = () => ({ validUntil: date('valid_until', { mode: 'string' }), changeNote: emptyText('change_note') })

/** When it was published; null if readers can't see it. Drafts are in `content_document`. */
const publishedAt = () => instant('published_at').defaultNow()

/** One edition of the newsletter, listed under Weekly Drops. */
export const issues = pgTable(
  'issues',
  {
    id: text('id').primaryKey(),
    slug: text('slug').notNull().unique(),
    title: text('title').notNull(),
    date: date('date', { mode: 'string' }).notNull(),
    preview: text('preview').notNull(),
    tags: text('tags').array().notNull(),
    /** The value of the issue, in Markdown; shown after the opening. */
    worth: emptyText('worth'),
    intro: text('intro').notNull(),
    closing: text('closing').notNull(),
    /** The question that readers answer before the next issue; plain text. */
    question: emptyText('question'),
    /** A poll of one click, and its answers; none if the question is empty. */
    pollQuestion: emptyText('poll_question'),
    pollAnswers: emptyTextArray('poll_answers'),
    /** A few words by the editor, shown signed above the opening; plain text. */
    editorNote: emptyText('editor_note'),
    checkedOn: checkedOn(),
    readingMinutes: integer('reading_minutes').notNull(),
    /** Different sets of topics that its sections touch, as `touchSetsOf`. */
    touchSets: jsonb('touch_sets').$type<FranchiseTopic[][]>().notNull().default([]),
    publishedAt: publishedAt(),
    /** When it was announced to members' devices; null if it wasn't. */
    announcedAt: instant('announced_at'),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  // The archive's order. Without unpublished drops, counting those before one reads the index only.
  (t) => [
    index('issues_date_id_idx').on(t.date.desc().nullsFirst(), t.id).where(sql`published_at is not null`),
    // The issues that came since a reader's last visit.
    index('issues_published_at_idx').on(t.publishedAt),
  ],
)

export const issueSections = pgTable(
  'issue_sections',
  {
    /** Stays the same when the section is edited, moved or republished. Unique across issues. */
    id: text('id').primaryKey(),
    issueId: text('issue_id')
      .notNull()
      .references(() => issues.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    heading: text('heading').notNull(),
    summary: text('summary').notNull(),
    focusAreas: text('focus_areas').array().notNull(),
    /** Null if it's for all levels. */
    aiLevel: text('ai_level'),
    /** Goals and franchise types that the section is for; empty if it's for all of them. */
    goals: emptyTextArray('goals'),
    franchiseTypes: emptyTextArray('franchise_types'),
    minutes: integer('minutes').notNull(),
    /** Steps of the lead are adjacent and keep their order for every reader. */
    partOfLead: boolean('part_of_lead').notNull().default(false),
    /** Anyone may read it, without an account. */
    openToEveryone: boolean('open_to_everyone').notNull().default(false),
    /** One of `sectionKinds`; null for steps of the lead, and if none fits. */
    kind: text('kind'),
    /** Keys of `franchiseTopics` that trying it involves. */
    touches: emptyTextArray('touches'),
    ...validity(),
    /** Markdown. */
    body: text('body').notNull(),
    /** Markdown by trade (`verticals`). */
    examples: jsonb('examples').$type<Partial<Record<Vertical, string>>>().notNull().default({}),
  },
  (t) => [index('issue_sections_issue_id_position_idx').on(t.issueId, t.position)],
)

export const promptCategories = pgTable('prompt_categories', {
  id: text('id').primaryKey(),
  key: text('key').notNull().unique(),
  title: text('title').notNull(),
  summary: text('summary').notNull(),
  position: integer('position').notNull(),
  checkedOn: checkedOn(),
  publishedAt: publishedAt(),
})

export const prompts = pgTable(
  'prompts',
  {
    /** Stays the same when the prompt is edited, moved or republished. */
    id: text('id').primaryKey(),
    categoryId: text('category_id')
      .notNull()
      .references(() => promptCategories.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    title: text('title').notNull(),
    when: text('when').notNull(),
    level: text('level').notNull(),
    /** Including the check of the answer. */
    minutes: integer('minutes'),
    focusAreas: emptyTextArray('focus_areas'),
    dataLabel: text('data_label'),
    /** Keys of `franchiseTopics`. */
    touches: emptyTextArray('touches'),
    ...validity(),
    /** Points to check in the assistant's answer. */
    checks: emptyTextArray('checks'),
    body: text('body').notNull(),
    /** An example answer with a deliberate mistake; null if there is none. */
    example: jsonb('example').$type<PromptExample>(),
  },
  (t) => [index('prompts_category_id_position_idx').on(t.categoryId, t.position)],
)

export const guides = pgTable('guides', {
  id: text('id').primaryKey(),
  position: integer('position').notNull(),
  type: text('type').notNull(),
  title: text('title').notNull(),
  description: text('description').notNull(),
  downloads: integer('downloads').notNull(),
  file: text('file').notNull(),
  format: text('format').notNull(),
  extent: text('extent').notNull(),
  inside: text('inside').array().notNull(),
  /** Year that the file was built in. */
  edition: integer('edition'),
  checkedOn: checkedOn(),
  /** Keys of `franchiseTopics`. */
  touches: emptyTextArray('touches'),
  ...validity(),
  /** Files in content/guides/pages, for thumbnails. */
  pages: emptyTextArray('pages'),
  publishedAt: publishedAt(),
  /** Version in `guide_file`; null for the file from the content folder. */
  fileVersion: integer('file_version'),
  /** Anyone who asks for the free edition may download it. */
  gift: boolean('gift').notNull().default(false),
})

export const tools = pgTable('tools', {
  id: text('id').primaryKey(),
  position: integer('position').notNull(),
  name: text('name').notNull(),
  category: text('category').notNull(),
  /** Null for tools that aren't rated. */
  rating: numeric('rating', { precision: 2, scale: 1, mode: 'number' }),
  verdict: text('verdict').notNull(),
  description: text('description').notNull(),
  useCase: text('use_case').notNull(),
  goodFor: text('good_for').array().notNull(),
  watchOut: text('watch_out').array().notNull(),
  url: text('url').notNull(),
  /** A line for each of `toolCriteria`. */
  criteria: jsonb('criteria').$type<Partial<Record<ToolCriterion, string>>>().notNull().default({}),
  priceNote: emptyText('price_note'),
  skipIf: emptyText('skip_if'),
  checkedOn: checkedOn(),
  /** Keys of `franchiseTopics`. */
  touches: emptyTextArray('touches'),
  ...validity(),
  /** File in content/tools with test inputs and score sheet; null if it has none. */
  testSheet: text('test_sheet'),
  publishedAt: publishedAt(),
  /** When the publisher last tested it. */
  testedOn: date('tested_on', { mode: 'string' }),
})

/** Glossary, safety rules, start path and method page, as their contracts. Loaded from content/ only. */
export const contentPages = pgTable('content_pages', {
  /** `glossary`, `safety`, `start-here` or `method`. */
  id: text('id').primaryKey(),
  /** Texts are Markdown. */
  page: jsonb('page').notNull(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
})

/** Hash of the content files that were loaded last, and which kinds have a custom order. */
export const seedState = pgTable('seed_state', {
  name: text('name').primaryKey(),
  hash: text('hash').notNull(),
  seededAt: instant('seeded_at').notNull().defaultNow(),
})

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/**
 * Every issue, section, prompt, guide, tool and page that was ever published. Rows are never deleted, so that tables of
 * readers can reference (kind, id).
 */
export const contentItems = pgTable(
  'content_items',
  {
    kind: text('kind').$type<SearchKind>().notNull(),
    id: text('id').notNull(),
    /** Heading of a section, name of a tool. */
    title: text('title').notNull(),
    /** Path and anchor in the portal. */
    path: text('path').notNull(),
    /** Issue of a section, category of a prompt; null for other kinds. */
    parentId: text('parent_id'),
    publishedAt: instant('published_at').notNull(),
    /** When it was unpublished or removed; null while readers can open it. */
    removedAt: instant('removed_at'),
    /** When its text last changed. */
    changedAt: instant('changed_at').notNull(),
    /** Incremented by every change of its text. */
    version: integer('version').notNull().default(1),
    /** Hash of the text that `version` counts; null until it is first computed. */
    textHash: text('text_hash'),
    /** The day its facts were last checked. */
    checkedOn: date('checked_on', { mode: 'string' }),
    /** The last day it is valid; null if it doesn't expire. */
    validUntil: date('valid_until', { mode: 'string' }),
    /** Day of the issue, for issues and sections. */
    day: date('day', { mode: 'string' }),
    parentTitle: emptyText('parent_title'),
    /** Plain texts that are searched. The body of a guide is the text of its file. */
    headings: emptyText('headings'),
    summary: emptyText('summary'),
    body: emptyText('body'),
    focusAreas: emptyTextArray('focus_areas'),
    level: text('level'),
    /** Trades it has examples for or is meant for; empty if it's for all. */
    verticals: emptyTextArray('verticals'),
    /** Weights: A title, B headings, C summary, D body. */
    search: tsvector('search').notNull().default(sql`''`),
    /** Weight of a word in the body; less for long texts, which have nearly every word. */
    bodyWeight: real('body_weight').notNull().default(0.1),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.id] }),
    index('content_items_parent_id_kind_idx').on(t.parentId, t.kind),
    index('content_items_search_idx').using('gin', t.search),
    index('content_items_title_search_idx').using('gin', sql`ts_filter(${t.search}, '{a}')`),
    index('content_items_kind_day_idx').on(t.kind, t.day.desc(), t.id),
  ],
)

/** Words of the items that readers can open, to rank by how rare a word is and to find the word that was meant. */
export const searchVocabulary = pgTable(
  'search_vocabulary',
  {
    /** The word as the text has it. The empty word counts all items. */
    word: text('word').primaryKey(),
    /** Stem, as in `content_items.search`; empty for words that aren't indexed. */
    lexeme: text('lexeme').notNull(),
    /** Number of items that contain it. */
    items: integer('items').notNull(),
  },
  (t) => [
    index('search_vocabulary_lexeme_idx').on(t.lexeme),
    index('search_vocabulary_word_trgm_idx').using('gin', t.word.op('gin_trgm_ops')),
    index('search_vocabulary_word_prefix_idx').on(t.word.op('text_pattern_ops')),
  ],
)

/** The change that each version of an item brought. The first version has no row. */
export const itemChanges = pgTable(
  'item_changes',
  {
    ...itemColumns(),
    version: integer('version').notNull(),
    changedAt: instant('changed_at').notNull(),
    /** In the publisher's words; empty if nothing was entered. */
    note: text('note').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.itemId, t.version] }),
    foreignKey({ columns: [t.kind, t.itemId], foreignColumns: [contentItems.kind, contentItems.id] }),
  ],
)

/** Which items a reader copied or downloaded. */
export const itemUses = pgTable(
  'item_uses',
  {
    userId: userId(),
    ...itemColumns(),
    use: text('use').$type<ItemUse>().notNull(),
    firstAt: instant('first_at').notNull(),
    lastAt: instant('last_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.kind, t.itemId, t.use] }),
    foreignKey({ columns: [t.kind, t.itemId], foreignColumns: [contentItems.kind, contentItems.id] }),
    index('item_uses_item_idx').on(t.kind, t.itemId),
  ],
)

/** The newest version of an item whose change a reader has dismissed on its page. */
export const seenChanges = pgTable(
  'seen_changes',
  {
    userId: userId(),
    ...itemColumns(),
    version: integer('version').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.kind, t.itemId] }),
    foreignKey({ columns: [t.kind, t.itemId], foreignColumns: [contentItems.kind, contentItems.id] }),
  ],
)

/** Which changes a mailing tells a reader about. The status of the delivery says whether it reached them. */
export const emailedChanges = pgTable(
  'emailed_changes',
  {
    userId: userId(),
    ...itemColumns(),
    version: integer('version').notNull(),
    mailingId: uuid('mailing_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.kind, t.itemId, t.version, t.mailingId] }),
    foreignKey({ columns: [t.kind, t.itemId], foreignColumns: [contentItems.kind, contentItems.id] }),
    index('emailed_changes_mailing_idx').on(t.mailingId, t.userId),
  ],
)
