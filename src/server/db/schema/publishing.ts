import { bigint, bigserial, boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/**
 * The latest saved text of each issue, prompt pack, guide and tool. Publishing copies it to the tables of content.ts,
 * which readers see.
 */
export const contentDocument = pgTable(
  'content_document',
  {
    /** `issue`, `prompt-pack`, `guide` or `tool`. */
    kind: text('kind').notNull(),
    id: text('id').notNull(),
    document: jsonb('document').notNull(),
    /** Incremented by every save. A save names the version it is based on. */
    version: integer('version').notNull(),
    /** Version that readers see; null if they can't see any. */
    publishedVersion: integer('published_version'),
    /** True once it was saved in the admin. The seed then ignores its file in content/. */
    editedInAdmin: boolean('edited_in_admin').notNull().default(false),
    /** Why scheduled publishing failed; cleared when it is published, scheduled or dismissed. */
    publishFailure: jsonb('publish_failure'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    /** Editor's display name; null for content files. */
    updatedBy: text('updated_by'),
    updatedById: uuid('updated_by_id'),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.id] }),
    index('content_document_kind_updated_at_idx').on(t.kind, t.updatedAt),
  ],
)

/** Scheduled publishing; at most one row per document. */
export const contentSchedule = pgTable(
  'content_schedule',
  {
    kind: text('kind').notNull(),
    id: text('id').notNull(),
    version: integer('version').notNull(),
    /** The text at the time of scheduling. */
    document: jsonb('document').notNull(),
    publishAt: instant('publish_at').notNull(),
    createdAt: instant('created_at').notNull(),
    createdBy: text('created_by'),
    createdById: uuid('created_by_id'),
  },
  (t) => [primaryKey({ columns: [t.kind, t.id] }), index('content_schedule_publish_at_idx').on(t.publishAt)],
)

/** Earlier versions, which can be compared and restored. Those of a deleted draft are kept for 30 days. */
export const contentRevision = pgTable(
  'content_revision',
  {
    revision: bigserial('revision', { mode: 'number' }).primaryKey(),
    kind: text('kind').notNull(),
    id: text('id').notNull(),
    version: integer('version').notNull(),
    document: jsonb('document').notNull(),
    /** `saved`, `published`, `restored` or `deleted`. */
    reason: text('reason').notNull(),
    createdAt: instant('created_at').notNull(),
    createdBy: text('created_by'),
    createdById: uuid('created_by_id'),
  },
  (t) => [index('content_revision_kind_id_revision_idx').on(t.kind, t.id, t.revision.desc())],
)

/** Reusable Markdown. Issues reference it as `{{block:id}}`, which is expanded when they are rendered. */
export const contentBlock = pgTable('content_block', {
  id: text('id').primaryKey(),
  title: text('title').notNull(),
  body: text('body').notNull(),
  version: integer('version').notNull(),
  updatedAt: instant('updated_at').notNull(),
  updatedBy: text('updated_by'),
  updatedById: uuid('updated_by_id'),
})

/** Pages that the publisher adds. `path` has no slash: "faq" is shown at /faq. */
export const sitePage = pgTable('site_page', {
  id: uuid('id').primaryKey(),
  path: text('path').notNull().unique(),
  title: text('title').notNull(),
  /** Markdown. */
  body: text('body').notNull(),
  /** `everyone` or `members`. */
  audience: text('audience').notNull(),
  /** Null for a draft. */
  publishedAt: instant('published_at'),
  version: integer('version').notNull(),
  updatedAt: instant('updated_at').notNull(),
  updatedBy: text('updated_by'),
  updatedById: uuid('updated_by_id'),
})

/** Uploaded images, by the SHA-256 of the bytes that are served. */
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

/** Uploaded files of guides. All versions are kept. */
export const guideFile = pgTable(
  'guide_file',
  {
    guideId: text('guide_id').notNull(),
    version: integer('version').notNull(),
    /** SHA-256 of the bytes, and their key in the object store. */
    hash: text('hash').notNull(),
    name: text('name').notNull(),
    contentType: text('content_type').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    /** Plain text of the file, for search; null if it wasn't read. */
    text: text('text'),
    createdAt: instant('created_at').notNull(),
    createdBy: text('created_by'),
    createdById: uuid('created_by_id'),
  },
  (t) => [primaryKey({ columns: [t.guideId, t.version] })],
)
