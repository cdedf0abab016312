import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { ImportCounts, ImportOptions } from '#shared/contracts/operations/member-import.ts'
import type { ImportMapping, ImportSource } from '#shared/domain/import-fields.ts'
import type { ImportedMember } from '#shared/domain/read-import-row.ts'
import { userId } from './auth-users.ts'
import { bytea, instant } from './columns.ts'

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

const importId = () =>
  uuid('import_id')
    .notNull()
    .references(() => memberImports.id, { onDelete: 'cascade' })

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
