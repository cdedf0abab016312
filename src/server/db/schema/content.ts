import { sql } from 'drizzle-orm'
import { boolean, date, index, integer, jsonb, numeric, pgTable, text } from 'drizzle-orm/pg-core'
import type { PromptExample } from '#shared/contracts/library/library.ts'
import type { FranchiseTopic, ToolCriterion } from '#shared/domain/content-labels.ts'
import type { Vertical } from '#shared/domain/verticals.ts'
import { instant } from './columns.ts'

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
