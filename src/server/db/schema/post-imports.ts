import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** Files with posts of another publication. The file is kept until the day after, in parts in the object store. */
export const postImports = pgTable(
  'post_imports',
  {
    id: uuid('id').primaryKey(),
    fileName: text('file_name').notNull(),
    /** `ghost`, `substack` or `markdown`; null until the file was read. */
    source: text('source'),
    /** `uploading`, `checking`, `checked`, `importing`, `finished`, `failed` or `canceled`. */
    status: text('status').notNull(),
    /** True if posts that were published are published here as well, with their date. */
    publish: boolean('publish').notNull().default(false),
    /** Where images that the file lacks are fetched. */
    siteAddress: text('site_address'),
    done: integer('done').notNull().default(0),
    total: integer('total').notNull().default(0),
    /** Why the file can't be read. */
    problem: text('problem'),
    /** Used by nodes of earlier versions only, during an update. */
    heartbeatAt: instant('heartbeat_at'),
    parts: integer('parts').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    createdAt: instant('created_at').notNull(),
    createdBy: text('created_by'),
    createdById: uuid('created_by_id'),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    index('post_imports_created_at_idx').on(t.createdAt.desc()),
    // Two imports at once would fetch the same images and create the same posts.
    uniqueIndex('post_imports_open_key').on(sql`(true)`).where(sql`status in ('checking', 'importing')`),
  ],
)

/** The posts of a file and what happened to each. */
export const postImportItems = pgTable(
  'post_import_items',
  {
    importId: uuid('import_id')
      .notNull()
      .references(() => postImports.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    title: text('title').notNull(),
    /** `new`, `known`, `imported`, `published` or `failed`. */
    result: text('result').notNull(),
    documentId: text('document_id'),
    /** `everyone`, `part` or `members`; null if it isn't imported. */
    readers: text('readers'),
    /** Losses, changes and the reason of a failure, in words for people. */
    notes: jsonb('notes').$type<string[]>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.position] })],
)

/** Which post became which drop, so that a repeated import adds none twice. */
export const importedPosts = pgTable(
  'imported_posts',
  {
    source: text('source').notNull(),
    sourceId: text('source_id').notNull(),
    documentId: text('document_id').notNull(),
    /** The end of its address there, in lowercase; null for imports of earlier versions. */
    slug: text('slug'),
    importedAt: instant('imported_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.source, t.sourceId] }), index('imported_posts_slug_idx').on(t.slug)],
)
