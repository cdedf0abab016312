import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { type CustomImportField, importFieldNames, importSources } from '#shared/domain/import-fields.ts'
import { memberTagSchema } from './member-tags.ts'

/** About 300,000 members. */
export const maxImportBytes = 100 * 1024 * 1024

export const importOptionsSchema = z.object({
  /** Fills in names, tags, notes and answers that existing members lack. */
  fillExisting: z.boolean(),
  /** Applies unsubscribes, bounces and complaints to existing members. */
  unsubscribeExisting: z.boolean(),
  /** End of complimentary access for lines that are complimentary and name no date; null gives none. */
  complimentaryUntil: z.iso.date().nullable(),
  /** The publisher vouches that subscribed addresses were confirmed at the other service. */
  vouchConfirmed: z.boolean(),
  /** Gives new, subscribed members the free edition, once their address is confirmed. Earlier imports had none. */
  freeEdition: z.boolean().optional(),
  /** Emails an invitation to each new, subscribed member. */
  invite: z.boolean(),
  /** Whether dates such as 05/04/2023 begin with the month or the day. Without it, the dates of the file decide. */
  dateOrder: z.enum(['month-first', 'day-first']).optional(),
  /** Columns that seem to say who gets email and don't. Without them the check asks. */
  leftOut: z.array(z.int().min(0).max(999)).max(1_000).optional(),
  /** Added to each new member. */
  tag: memberTagSchema.nullable(),
})
export type ImportOptions = z.infer<typeof importOptionsSchema>

const count = z.int().nonnegative()

/** What becomes of a newsletter for a new member, those who get it first. */
export const emailOutcomes = [
  'gets',
  'free',
  'unconfirmed',
  'unlinked',
  'no_free_edition',
  'not_named',
  'not_for_everyone',
  'no_access',
  'unsubscribed',
  'pending',
  'suppressed',
] as const
export type EmailOutcome = (typeof emailOutcomes)[number]

const countsSchema = z.object({
  lines: count,
  new: count,
  changed: count,
  unchanged: count,
  refused: count,
  /** Existing members that differ from the file and are left as they are. */
  differing: count,
  /** Counts new members only. */
  subscribed: count,
  unsubscribed: count,
  pending: count,
  suppressed: count,
  confirmed: count,
  /** New or existing. */
  complimentary: count,
  invited: count,
  /** New members who get the free edition now, because their address is confirmed. Earlier imports didn't count them. */
  freeReaders: count.default(0),
  /** New or existing members who pay through Stripe as far as the file says. Earlier imports didn't count them. */
  paying: count.default(0),
  /** New or existing members whose plan isn't charged through Stripe, so that there is nothing to link. */
  unlinkable: count.default(0),
  /** New members by newsletter. Earlier imports didn't count them. */
  newsletters: z
    .array(z.object({ name: z.string(), outcomes: z.array(z.object({ outcome: z.enum(emailOutcomes), count })) }))
    .default([]),
})
export type ImportCounts = z.infer<typeof countsSchema>

export const importStatuses = [
  'uploading',
  'uploaded',
  'checking',
  'checked',
  'running',
  'finished',
  'canceled',
] as const
export type ImportStatus = (typeof importStatuses)[number]

const mappedField = z.union([
  z.enum(importFieldNames),
  z.custom<CustomImportField>((name) => typeof name === 'string' && /^field:\d{1,7}$/.test(name)),
])
const mappingSchema = z.partialRecord(mappedField, z.int().min(0).max(999))

const importSchema = z.object({
  id: z.uuid(),
  fileName: z.string(),
  byteSize: z.number(),
  encoding: z.string(),
  delimiter: z.string(),
  header: z.array(z.string()),
  samples: z.array(z.array(z.string())),
  source: z.enum(importSources),
  mapping: mappingSchema,
  options: importOptionsSchema.nullable(),
  status: z.enum(importStatuses),
  linesRead: count,
  lastLine: count.nullable(),
  cursor: count,
  counts: countsSchema.nullable(),
  createdBy: z.string().nullable(),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
})
export type MemberImport = z.infer<typeof importSchema>

const exampleSchema = z.object({
  line: count,
  email: z.string(),
  outcome: z.enum(['new', 'changed', 'unchanged', 'refused']),
  detail: z.string(),
})
export type ImportExample = z.infer<typeof exampleSchema>

/** Stores a CSV file and recognizes its source. */
export const adminUploadMembersCall = defineAdminCall({
  name: 'admin-upload-members',
  roles: ['owner'],
  file: { maxBytes: maxImportBytes, streamed: true },
  input: z.object({ name: z.string().trim().min(1).max(200) }),
  output: importSchema,
})

/** The latest imports, newest first. */
export const adminMemberImportsCall = defineAdminCall({
  name: 'admin-member-imports',
  roles: ['owner'],
  input: z.object({}),
  output: z.object({ items: z.array(importSchema) }),
})

/** One import; after its check, with examples of what its lines will do. */
export const adminMemberImportCall = defineAdminCall({
  name: 'admin-member-import',
  roles: ['owner'],
  input: z.object({ id: z.uuid() }),
  output: importSchema.extend({ examples: z.array(exampleSchema) }),
})

/** Starts the dry run, which changes no member. */
export const adminCheckMembersCall = defineAdminCall({
  name: 'admin-check-members',
  roles: ['owner'],
  input: z.object({
    id: z.uuid(),
    source: z.enum(importSources),
    mapping: mappingSchema.refine(
      (mapping) => mapping.email !== undefined,
      'Choose the column with the email addresses',
    ),
    options: importOptionsSchema,
  }),
  output: importSchema,
})

export const adminImportMembersCall = defineAdminCall({
  name: 'admin-import-members',
  roles: ['owner'],
  stepUp: true,
  invalidates: ['admin-member-imports'],
  input: z.object({ id: z.uuid() }),
  output: importSchema,
})

/** Stops a check or an import. Members that were imported stay. */
export const adminCancelMembersImportCall = defineAdminCall({
  name: 'admin-cancel-members-import',
  roles: ['owner'],
  invalidates: ['admin-member-imports'],
  input: z.object({ id: z.uuid() }),
  output: importSchema,
})

/** Refused lines as CSV: line, address, reason. With `all`, each line and what it does; after the import only those refused. */
export const adminMemberImportErrorsCall = defineAdminCall({
  name: 'admin-member-import-errors',
  roles: ['owner'],
  input: z.object({ id: z.uuid(), all: z.boolean().default(false) }),
  output: z.object({ csv: z.string(), isComplete: z.boolean() }),
})
