import { sql } from 'drizzle-orm'
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
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { ImportCounts, ImportOptions } from '#shared/contracts/operations/member-import.ts'
import type { ImportMapping, ImportSource } from '#shared/domain/import-fields.ts'
import type { ImportedMember } from '#shared/domain/read-import-row.ts'
import { userId } from './auth.ts'
import { bytea, created, instant, partOf } from './columns.ts'

/** Imports of members from a file. Finished ones stay as a record, without personal data after 30 days. */
export const memberImports = pgTable(
  'member_imports',
  {
    id: uuid('id').primaryKey(),
    fileName: text('file_name').notNull(),
    byteSize: bigint('byte_size', { mode: 'number' }).notNull().default(0),
    /** `utf-8`, `utf-16le`, `utf-16be` or `windows-1252`. */
    encoding: text('encoding').notNull().default('utf-8'),
    delimiter: text('delimiter').notNull().default(','),
    header: jsonb('header').$type<string[]>().notNull().default([]),
    /** The first lines, for choosing columns. Emptied when the import ends. */
    samples: jsonb('samples').$type<string[][]>().notNull().default([]),
    source: text('source').$type<ImportSource>().notNull().default('other'),
    mapping: jsonb('mapping').$type<ImportMapping>().notNull().default({}),
    options: jsonb('options').$type<ImportOptions>(),
    /** `uploading`, `uploaded`, `checking`, `checked`, `running`, `finished` or `canceled`. */
    status: text('status').notNull(),
    /** Raised by each check, so that an earlier check stops. */
    attempt: integer('attempt').notNull().default(0),
    /** True if the check has read the whole file. */
    linesRead: integer('lines_read').notNull().default(0),
    /** The last line of the file; null until it has been read. */
    lastLine: integer('last_line'),
    /** The last line that the current step has processed. */
    cursor: integer('cursor').notNull().default(0),
    counts: jsonb('counts').$type<ImportCounts>(),
    createdBy: text('created_by'),
    createdById: uuid('created_by_id'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    finishedAt: instant('finished_at'),
  },
  (t) => [index('member_imports_created_at_idx').on(t.createdAt.desc(), t.id.desc())],
)

const importId = () => partOf('import_id', () => memberImports.id)

/** The uploaded file, readable by every node. Deleted when the import ends. */
export const memberImportChunks = pgTable(
  'member_import_chunks',
  { importId: importId(), position: integer('position').notNull(), bytes: bytea('bytes').notNull() },
  (t) => [primaryKey({ columns: [t.importId, t.position] })],
)

/** The file's lines. When the import ends, only refused ones stay, for 30 days. */
export const memberImportRows = pgTable(
  'member_import_rows',
  {
    importId: importId(),
    line: integer('line').notNull(),
    email: text('email').notNull(),
    /** Null for a refused line. */
    member: jsonb('member').$type<ImportedMember>(),
    /** Why the line is refused. */
    problem: text('problem'),
    /** `new`, `changed` or `unchanged`: planned by the check, then what the import did. */
    outcome: text('outcome'),
    /** Fields that the line changes, or would change if the options allowed it. */
    changes: text('changes').array(),
  },
  (t) => [
    primaryKey({ columns: [t.importId, t.line] }),
    index('member_import_rows_import_id_email_idx').on(t.importId, t.email),
    index('member_import_rows_email_idx').on(t.email),
  ],
)

/** Stripe customers as imported files name them. Unverified: adopting from Stripe checks them. */
export const importedStripeCustomer = pgTable('imported_stripe_customer', {
  userId: userId().primaryKey(),
  stripeCustomerId: text('stripe_customer_id').notNull(),
})

/** Files with posts of another publication. The file is kept until the day after, in parts in the object store. */
export const postImports = pgTable(
  'post_imports',
  {
    id: uuid('id').primaryKey(),
    fileName: text('file_name').notNull(),
    /** One of `postSources` of the contract; null until the file was read. */
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
    ...created(),
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
    importId: partOf('import_id', () => postImports.id),
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
    /** When its comments were imported; null before. */
    commentsAt: instant('comments_at'),
  },
  (t) => [primaryKey({ columns: [t.source, t.sourceId] }), index('imported_posts_slug_idx').on(t.slug)],
)

/** Archives of everything that owners asked for. The file is kept for a day, in parts in the object store. */
export const archives = pgTable(
  'archives',
  {
    id: uuid('id').primaryKey(),
    /** `queued`, `building`, `ready`, `failed` or `deleted`. */
    status: text('status').notNull(),
    /** Steps that are done, of `total`. */
    done: integer('done').notNull().default(0),
    total: integer('total').notNull().default(0),
    /** Used by nodes of earlier versions only, during an update. */
    heartbeatAt: instant('heartbeat_at'),
    parts: integer('parts').notNull().default(0),
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    sha256: text('sha256'),
    /** Files that the object store didn't have. */
    missing: jsonb('missing').$type<string[]>().notNull().default([]),
    ...created(),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    index('archives_created_at_idx').on(t.createdAt.desc()),
    // One at a time.
    uniqueIndex('archives_open_key').on(sql`(true)`).where(sql`status in ('queued', 'building')`),
  ],
)

/** Backups of this instance. Not part of a backup itself. */
export const backups = pgTable(
  'backups',
  {
    id: uuid('id').primaryKey(),
    /** File name at the destination. */
    name: text('name').notNull().unique(),
    /** Folder or s3:// address. */
    destination: text('destination').notNull(),
    /** `schedule`, `admin`, `command`, or `found` for one that was already at the destination. */
    origin: text('origin').notNull(),
    /** `running`, `done` or `failed`. */
    status: text('status').notNull(),
    /** For people, if it failed. */
    error: text('error'),
    startedAt: instant('started_at').notNull(),
    finishedAt: instant('finished_at'),
    bytes: bigint('bytes', { mode: 'number' }),
    /** Rows of all tables. */
    rows: bigint('rows', { mode: 'number' }),
    files: integer('files'),
    /** Files that the database refers to and the file store doesn't have. */
    missingFiles: integer('missing_files'),
    /** The newest drill: when it ended, whether the restored rows were the same, and if not, why. */
    drilledAt: instant('drilled_at'),
    drillPassed: boolean('drill_passed'),
    drillError: text('drill_error'),
    /** When retention deleted the file, or it was found missing. */
    deletedAt: instant('deleted_at'),
  },
  (t) => [index('backups_started_at_idx').on(t.startedAt.desc(), t.id.desc())],
)

/** Work on many rows that a migration left to the running servers. The migration inserts the row. */
export const backfills = pgTable('backfills', {
  id: uuid('id').primaryKey().defaultRandom(),
  /** Used by `jobs/backfills.ts`. */
  name: text('name').notNull().unique(),
  /** `open` or `done`. */
  status: text('status').notNull().default('open'),
  /** The last row that was handled; null before the first batch. */
  cursor: text('cursor'),
  handledRows: bigint('handled_rows', { mode: 'number' }).notNull().default(0),
  createdAt: instant('created_at').notNull().defaultNow(),
  /** When the last batch was stored. */
  updatedAt: instant('updated_at').notNull().defaultNow(),
})

/** Keys of the public API. Only a hash of each key is stored. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    /** The first characters, by which people recognize a key. */
    prefix: text('prefix').notNull(),
    keyHash: text('key_hash').notNull(),
    scopes: text('scopes').array().notNull(),
    /** Display name of the owner who created it. */
    createdBy: text('created_by').notNull(),
    createdById: uuid('created_by_id'),
    createdAt: instant('created_at').notNull(),
    /** Null for a key that doesn't expire. */
    expiresAt: instant('expires_at'),
    /** To the minute. */
    lastUsedAt: instant('last_used_at'),
    revokedAt: instant('revoked_at'),
  },
  (t) => [uniqueIndex('api_keys_key_hash_key').on(t.keyHash), index('api_keys_created_by_id_idx').on(t.createdById)],
)

/** Answers to writes with an `Idempotency-Key`, for a day. */
export const apiRequests = pgTable(
  'api_requests',
  {
    keyId: partOf('key_id', () => apiKeys.id),
    idempotencyKey: text('idempotency_key').notNull(),
    /** Hash of method, path and body. */
    requestHash: text('request_hash').notNull(),
    /** Null while the first request is running. */
    answer: jsonb('answer'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.keyId, t.idempotencyKey] }), index('api_requests_created_at_idx').on(t.createdAt)],
)

/** Addresses that get events. */
export const webhookEndpoints = pgTable('webhook_endpoints', {
  id: uuid('id').primaryKey(),
  url: text('url').notNull(),
  events: text('events').array().notNull(),
  /** Encrypted with the server's secret. */
  sealedSecret: text('sealed_secret').notNull(),
  /** Signs too until `formerSecretUntil`, so that the receiver has time to change it. */
  formerSealedSecret: text('former_sealed_secret'),
  formerSecretUntil: instant('former_secret_until'),
  createdAt: instant('created_at').notNull(),
  /** Set by an owner, or automatically with a reason. */
  disabledAt: instant('disabled_at'),
  /** `failures` or `gone` if disabled automatically. */
  disabledReason: text('disabled_reason'),
})

/** Written by triggers in the transaction of the change, only while an endpoint wants the event. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    type: text('type').notNull(),
    /** Id of the member, drop or mailing. */
    subject: text('subject').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [index('webhook_events_subject_idx').on(t.subject), index('webhook_events_created_at_idx').on(t.createdAt)],
)

/** One event for one endpoint. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    eventId: partOf('event_id', () => webhookEvents.id),
    endpointId: partOf('endpoint_id', () => webhookEndpoints.id),
    /** `pending`, `succeeded` or `failed`. */
    status: text('status').notNull().default('pending'),
    attempts: integer('attempts').notNull().default(0),
    /** Null once finished. While an attempt runs, when another node may take it over. */
    nextAttemptAt: instant('next_attempt_at').default(sql`'epoch'::timestamptz`),
  },
  (t) => [
    uniqueIndex('webhook_deliveries_event_id_endpoint_id_key').on(t.eventId, t.endpointId),
    index('webhook_deliveries_endpoint_id_id_idx').on(t.endpointId, t.id.desc()),
    index('webhook_deliveries_next_attempt_at_idx').on(t.nextAttemptAt),
  ],
)

export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    deliveryId: bigint('delivery_id', { mode: 'number' })
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: 'cascade' }),
    at: instant('at').notNull(),
    /** HTTP status; null if there was no answer. */
    status: integer('status'),
    /** The beginning of the answer, or why there was none. */
    excerpt: text('excerpt').notNull(),
    durationMs: integer('duration_ms').notNull(),
  },
  (t) => [index('webhook_attempts_delivery_id_idx').on(t.deliveryId)],
)

/**
 * Dashboard counts, maintained by triggers: all users (`users_total`), sign-ups per hour (`users_by_hour`), live
 * subscriptions (`subscriptions_live`). Counted by the email preferences: readers who turned a stream off per day
 * (`unsubscribes`).
 */
export const counters = pgTable(
  'counters',
  {
    name: text('name').notNull(),
    bucket: instant('bucket').notNull(),
    value: bigint('value', { mode: 'number' }).notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.name, t.bucket] })],
)

/** Counters of all rate limits and lockouts, shared by all nodes. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    key: text('key').primaryKey(),
    points: bigint('points', { mode: 'number' }).notNull().default(0),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('rate_limits_expires_at_idx').on(t.expiresAt)],
)

/** Locks that a node holds across calls to other services. A row past its expiry is free. */
export const leases = pgTable('leases', {
  name: text('name').primaryKey(),
  /** Random, so that only the holder renews and releases it. */
  token: bigint('token', { mode: 'number' }).notNull(),
  expiresAt: instant('expires_at').notNull(),
})
