import {
  bigint,
  bigserial,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'

const instant = (name: string) => timestamp(name, { withTimezone: true })

/**
 * What the publisher is writing, one document for each drop, prompt pack, guide and tool. Readers see the tables of
 * content.ts, which publishing writes from here.
 */
export const contentDocument = pgTable(
  'content_document',
  {
    /** `issue`, `prompt-pack`, `guide` or `tool`. */
    kind: text('kind').notNull(),
    id: text('id').notNull(),
    document: jsonb('document').notNull(),
    /** Goes up with each save; a save names the version that it began from. */
    version: integer('version').notNull(),
    /** The version that readers see; null while they see none. */
    publishedVersion: integer('published_version'),
    /** Once somebody has saved it here, the files in content/ change it no more. */
    editedInAdmin: boolean('edited_in_admin').notNull().default(false),
    /** Why scheduled publishing failed, until somebody has seen to it. */
    publishFailure: jsonb('publish_failure'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    /** The editor's address at the time, for display; null for what came from the files. */
    updatedBy: text('updated_by'),
    /** The editor's account, which export and deletion go by: an address may pass to someone else. */
    updatedById: uuid('updated_by_id'),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.id] }),
    index('content_document_kind_updated_at_idx').on(t.kind, t.updatedAt),
  ],
)

/** Versions that are published by themselves at a time to come; at most one of each document. */
export const contentSchedule = pgTable(
  'content_schedule',
  {
    kind: text('kind').notNull(),
    id: text('id').notNull(),
    version: integer('version').notNull(),
    /** The text as it was when it was scheduled. */
    document: jsonb('document').notNull(),
    publishAt: instant('publish_at').notNull(),
    createdAt: instant('created_at').notNull(),
    createdBy: text('created_by'),
    createdById: uuid('created_by_id'),
  },
  (t) => [primaryKey({ columns: [t.kind, t.id] }), index('content_schedule_publish_at_idx').on(t.publishAt)],
)

/** Earlier versions, to look at and to restore. */
export const contentRevision = pgTable(
  'content_revision',
  {
    revision: bigserial('revision', { mode: 'number' }).primaryKey(),
    kind: text('kind').notNull(),
    id: text('id').notNull(),
    version: integer('version').notNull(),
    document: jsonb('document').notNull(),
    /** `saved`, `published` or `restored`. */
    reason: text('reason').notNull(),
    createdAt: instant('created_at').notNull(),
    createdBy: text('created_by'),
    createdById: uuid('created_by_id'),
  },
  (t) => [index('content_revision_kind_id_revision_idx').on(t.kind, t.id, t.revision.desc())],
)

/** Markdown that several drops use, such as a note on how we test. A drop names it; it is set in when the drop is rendered. */
export const contentBlock = pgTable('content_block', {
  id: text('id').primaryKey(),
  title: text('title').notNull(),
  body: text('body').notNull(),
  version: integer('version').notNull(),
  updatedAt: instant('updated_at').notNull(),
  updatedBy: text('updated_by'),
  updatedById: uuid('updated_by_id'),
})

/** Pictures, by the SHA-256 of the bytes that are served. */
export const mediaImage = pgTable(
  'media_image',
  {
    hash: text('hash').primaryKey(),
    contentType: text('content_type').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    bytes: integer('bytes').notNull(),
    originalName: text('original_name').notNull(),
    createdAt: instant('created_at').notNull(),
    createdBy: text('created_by'),
    createdById: uuid('created_by_id'),
  },
  (t) => [index('media_image_created_at_idx').on(t.createdAt.desc(), t.hash.desc())],
)

/** The files of a guide, version by version; earlier ones stay. */
export const guideFile = pgTable(
  'guide_file',
  {
    guideId: text('guide_id').notNull(),
    version: integer('version').notNull(),
    /** SHA-256 of the bytes, and their name in the store. */
    hash: text('hash').notNull(),
    name: text('name').notNull(),
    contentType: text('content_type').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    createdAt: instant('created_at').notNull(),
    createdBy: text('created_by'),
    createdById: uuid('created_by_id'),
  },
  (t) => [primaryKey({ columns: [t.guideId, t.version] })],
)
