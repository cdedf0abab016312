import { z } from 'zod'
import { defineCall } from './define-call.ts'
import { documentKinds, orderedKinds, withDocument } from './documents.ts'
import { weeklyDropCall } from './issues.ts'
import { problemSchema } from './publishable.ts'

const id = z.string().regex(/^[a-z0-9-]{1,80}$/)
const instant = z.iso.datetime()
const version = z.number().int().min(0).max(1_000_000_000)
const name = { kind: z.enum(documentKinds), id }

export const documentStates = ['draft', 'published', 'changed'] as const
export type DocumentState = (typeof documentStates)[number]

/** In the order in which readers see them; what they have never seen stands at the end, or by its date. */
export const adminContentCall = defineCall({
  name: 'admin-content',
  audience: 'admin',
  input: z.object({ kind: z.enum(documentKinds) }),
  output: z.object({
    entries: z.array(
      z.object({
        id,
        title: z.string(),
        /** Of a drop: its day, or empty. */
        date: z.string(),
        state: z.enum(documentStates),
        /** Readers have seen it, so it has a place in the order and is kept. */
        hasBeenPublished: z.boolean(),
        updatedAt: instant,
        updatedBy: z.string().nullable(),
        /** When it is published by itself. */
        scheduledAt: instant.nullable(),
        /** It was to be published by itself and wasn't. */
        publishFailed: z.boolean(),
      }),
    ),
  }),
})
export type ContentEntry = z.infer<typeof adminContentCall.output>['entries'][number]

/** Why scheduled publishing failed. A problem without a path is about the server. */
export const publishFailureSchema = z.object({ scheduledAt: instant, at: instant, problems: z.array(problemSchema) })
export type PublishFailure = z.infer<typeof publishFailureSchema>

export const storedDocumentSchema = withDocument({
  id,
  /** A save names the version that it began from. */
  version,
  publishedVersion: version.nullable(),
  hasBeenPublished: z.boolean(),
  updatedAt: instant,
  /** Address of the editor; null for what came with the content folder. */
  updatedBy: z.string().nullable(),
  /** What is published by itself and when: the text of that version, which later edits don't reach. */
  scheduled: z.object({ at: instant, version, by: z.string().nullable() }).nullable(),
  publishFailure: publishFailureSchema.nullable(),
})
export type StoredDocument = z.infer<typeof storedDocumentSchema>

export const adminReadDocumentCall = defineCall({
  name: 'admin-read-document',
  audience: 'admin',
  input: z.object(name),
  output: storedDocumentSchema,
})

export const adminCreateDocumentCall = defineCall({
  name: 'admin-create-document',
  audience: 'admin',
  input: z.object({ kind: z.enum(documentKinds), title: z.string().trim().min(1, 'Give it a name').max(200) }),
  output: storedDocumentSchema,
})

/** Refused with `edit_conflict` and the newer document as `current` when somebody has saved since `version`. */
export const adminSaveDocumentCall = defineCall({
  name: 'admin-save-document',
  audience: 'admin',
  input: withDocument({
    id,
    version,
    /** After a conflict: what is written over stays a version of its own, though the same person may have saved it. */
    apart: z.boolean().optional(),
  }),
  output: storedDocumentSchema,
})

/** A drop as readers would get it, unfinished or not, and what stands in the way of publishing. */
export const adminPreviewDocumentCall = defineCall({
  name: 'admin-preview-document',
  audience: 'admin',
  input: withDocument({ id }),
  output: z.object({
    issue: weeklyDropCall.output.shape.issue.nullable(),
    problems: z.array(problemSchema),
  }),
})
export type DocumentPreview = z.infer<typeof adminPreviewDocumentCall.output>

export const revisionReasons = ['saved', 'published', 'restored'] as const

const revisionSchema = z.object({
  revision: z.number().int(),
  version,
  reason: z.enum(revisionReasons),
  createdAt: instant,
  createdBy: z.string().nullable(),
})
export type Revision = z.infer<typeof revisionSchema>

/** Newest first; `before` is the last revision of the page before. */
export const adminRevisionsCall = defineCall({
  name: 'admin-revisions',
  audience: 'admin',
  input: z.object({ ...name, before: z.number().int().positive().nullish() }),
  output: z.object({ revisions: z.array(revisionSchema), more: z.boolean() }),
})

export const adminReadRevisionCall = defineCall({
  name: 'admin-read-revision',
  audience: 'admin',
  input: z.object({ ...name, revision: z.number().int().positive() }),
  output: withDocument({ ...revisionSchema.shape, id }),
})

export type RevisionText = z.infer<typeof adminReadRevisionCall.output>

/** Makes an earlier text the newest version; readers see it when it is published. */
export const adminRestoreRevisionCall = defineCall({
  name: 'admin-restore-revision',
  audience: 'admin',
  input: z.object({ ...name, revision: z.number().int().positive(), version }),
  output: storedDocumentSchema,
})

/** Refused with `not_publishable` and the list of `problems`, or with `edit_conflict`. */
export const adminPublishDocumentCall = defineCall({
  name: 'admin-publish-document',
  audience: 'admin',
  input: z.object({ ...name, version }),
  output: storedDocumentSchema,
})

export const scheduledMailingSchema = z.object({
  id: z.uuid(),
  subject: z.string(),
  /** Null for one that is just being prepared. */
  scheduledAt: instant.nullable(),
})

/** Mailings that wait to be sent with this drop in them, the next one first. */
export const adminScheduledMailingsCall = defineCall({
  name: 'admin-scheduled-mailings',
  audience: 'admin',
  input: z.object({ id }),
  output: z.object({ mailings: z.array(scheduledMailingSchema) }),
})

/**
 * Publishes this version at an instant to come. Refused with `not_publishable` and the list of `problems`, with
 * `edit_conflict`, or with `validation_failed` for a time that has passed or is more than a year away.
 */
export const adminScheduleDocumentCall = defineCall({
  name: 'admin-schedule-document',
  audience: 'admin',
  input: z.object({ ...name, version, at: z.iso.datetime({ offset: true }) }),
  output: storedDocumentSchema,
})

/** Takes back a schedule, or dismisses the note that it failed. */
export const adminCancelScheduleCall = defineCall({
  name: 'admin-cancel-schedule',
  audience: 'admin',
  input: z.object(name),
  output: storedDocumentSchema,
})

/** For the dashboard: what was to be published by itself and wasn't. */
export const adminPublishingAlertsCall = defineCall({
  name: 'admin-publishing-alerts',
  audience: 'admin',
  input: z.object({}),
  output: z.object({
    items: z.array(z.object({ ...name, title: z.string(), failure: publishFailureSchema })),
  }),
})
export type PublishingAlert = z.infer<typeof adminPublishingAlertsCall.output>['items'][number]

/** Refused with `mailing_scheduled` and the list of `mailings` while one is scheduled that is not named here. */
export const adminUnpublishDocumentCall = defineCall({
  name: 'admin-unpublish-document',
  audience: 'admin',
  input: z.object({ ...name, acknowledgedMailings: z.array(z.uuid()).max(100).optional() }),
  output: storedDocumentSchema,
})

export const adminDeleteDocumentCall = defineCall({
  name: 'admin-delete-document',
  audience: 'admin',
  input: z.object(name),
  output: z.object({}),
})

/**
 * All that have a place, in the new order. Refused with `order_changed` when there are others by now, or when they stand
 * in another order than `before`, the one that the page showed.
 */
export const adminOrderContentCall = defineCall({
  name: 'admin-order-content',
  audience: 'admin',
  input: z.object({
    kind: z.enum(orderedKinds),
    ids: z.array(id).max(1_000),
    before: z.array(id).max(1_000).optional(),
  }),
  output: z.object({}),
})
