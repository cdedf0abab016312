import { sql } from 'drizzle-orm'
import { customType, date, index, integer, pgTable, primaryKey, real, text } from 'drizzle-orm/pg-core'
import type { SearchKind } from '#shared/domain/content-items.ts'
import { instant } from './columns.ts'

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })
const emptyText = (name: string) => text(name).notNull().default('')
const emptyTextArray = (name: string) => text(name).array().notNull().default(sql`'{}'`)

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
