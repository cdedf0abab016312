import { sql } from 'drizzle-orm'
import { date, index, integer, numeric, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

const emptyTextArray = (name: string) => text(name).array().notNull().default(sql`'{}'`)

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
    intro: text('intro').notNull(),
    closing: text('closing').notNull(),
    readingMinutes: integer('reading_minutes').notNull(),
    publishedAt: publishedAt(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [index('issues_date_idx').on(t.date.desc())],
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
    aiLevel: text('ai_level').notNull(),
    /** Goals and franchise types that the section is for; empty if it's for all of them. */
    goals: emptyTextArray('goals'),
    franchiseTypes: emptyTextArray('franchise_types'),
    minutes: integer('minutes').notNull(),
    /** Markdown. */
    body: text('body').notNull(),
  },
  (t) => [index('issue_sections_issue_id_position_idx').on(t.issueId, t.position)],
)

export const promptCategories = pgTable('prompt_categories', {
  id: text('id').primaryKey(),
  key: text('key').notNull().unique(),
  title: text('title').notNull(),
  summary: text('summary').notNull(),
  position: integer('position').notNull(),
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
    body: text('body').notNull(),
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
  publishedAt: publishedAt(),
  /** Version in `guide_file`; null for the file from the content folder. */
  fileVersion: integer('file_version'),
})

export const tools = pgTable('tools', {
  id: text('id').primaryKey(),
  position: integer('position').notNull(),
  name: text('name').notNull(),
  category: text('category').notNull(),
  rating: numeric('rating', { precision: 2, scale: 1, mode: 'number' }).notNull(),
  verdict: text('verdict').notNull(),
  description: text('description').notNull(),
  useCase: text('use_case').notNull(),
  goodFor: text('good_for').array().notNull(),
  watchOut: text('watch_out').array().notNull(),
  url: text('url').notNull(),
  publishedAt: publishedAt(),
  /** When the publisher last tested it. */
  testedOn: date('tested_on', { mode: 'string' }),
})

/** Hash of the content files that were loaded last, and which kinds have a custom order. */
export const seedState = pgTable('seed_state', {
  name: text('name').primaryKey(),
  hash: text('hash').notNull(),
  seededAt: instant('seeded_at').notNull().defaultNow(),
})
