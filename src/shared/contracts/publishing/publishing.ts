import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { weeklyDropCall } from '#shared/contracts/library/issues.ts'
import { maxSubjectLength } from '#shared/domain/subject-test.ts'
import { documentKinds, orderedKinds, withDocument } from './documents.ts'
import { draftFields } from './drafts.ts'
import { audienceSchema } from './newsletter.ts'
import { problemSchema } from './publishable.ts'

const id = z.string().regex(/^[a-z0-9-]{1,80}$/)
const instant = z.iso.datetime()
const version = z.number().int().min(0).max(1_000_000_000)
const name = { kind: z.enum(documentKinds), id }

export const documentStates = ['draft', 'published', 'changed'] as const
export type DocumentState = (typeof documentStates)[number]

/** In the order that readers see. Unpublished ones are last, or sorted by date (issues). */
export const adminContentCall = defineAdminCall({
  name: 'admin-content',
  roles: ['owner', 'editor'],
  input: z.object({ kind: z.enum(documentKinds) }),
  output: z.object({
    items: z.array(
      z.object({
        id,
        title: z.string(),
        /** Date of an issue, or empty. */
        date: z.string(),
        state: z.enum(documentStates),
        /** True even if it is unpublished now. Such documents have a place in the order and can't be deleted. */
        hasBeenPublished: z.boolean(),
        updatedAt: instant,
        updatedBy: z.string().nullable(),
        /** When it will be published. */
        scheduledAt: instant.nullable(),
        /** Scheduled publishing failed. */
        publishFailed: z.boolean(),
      }),
    ),
  }),
})
export type ContentEntry = z.infer<typeof adminContentCall.output>['items'][number]

/** Why scheduled publishing failed. A problem with an empty path is an error on our end. */
export const publishFailureSchema = z.object({ scheduledAt: instant, at: instant, problems: z.array(problemSchema) })
export type PublishFailure = z.infer<typeof publishFailureSchema>

export const storedDocumentSchema = withDocument({
  id,
  /** A save names the version it is based on. */
  version,
  publishedVersion: version.nullable(),
  hasBeenPublished: z.boolean(),
  updatedAt: instant,
  /** Email of the editor; null for content files. */
  updatedBy: z.string().nullable(),
  /** Scheduled publishing of `version`; later edits aren't included. `email` is sent once a drop is published. */
  scheduled: z
    .object({
      at: instant,
      version,
      by: z.string().nullable(),
      email: z
        .object({
          id: z.uuid(),
          subject: z.string(),
          preheader: z.string(),
          audience: audienceSchema,
          readerHours: z.boolean(),
          /** Errors of the checks that were accepted with it. */
          acceptedErrors: z.array(z.string()),
        })
        .nullable(),
    })
    .nullable(),
  publishFailure: publishFailureSchema.nullable(),
})
export type StoredDocument = z.infer<typeof storedDocumentSchema>

export const adminReadDocumentCall = defineAdminCall({
  name: 'admin-read-document',
  roles: ['owner', 'editor'],
  input: z.object(name),
  output: storedDocumentSchema,
})

export const adminCreateDocumentCall = defineAdminCall({
  name: 'admin-create-document',
  roles: ['owner', 'editor'],
  input: z
    .object({
      kind: z.enum(documentKinds),
      /** May be empty for a drop, whose title is written in the editor. */
      title: z.string().trim().max(200),
      /** Day of a drop. Default: the next free day of a weekly rhythm, if there is one. */
      date: z.iso.date().optional(),
      fields: draftFields.optional(),
    })
    .refine(({ kind, title }) => kind === 'issue' || title !== '', { message: 'Enter a title', path: ['title'] }),
  output: storedDocumentSchema,
})

/** Fails with `edit_conflict`, and the newer document as `current`, if `version` isn't the latest. */
export const adminSaveDocumentCall = defineAdminCall({
  name: 'admin-save-document',
  roles: ['owner', 'editor'],
  input: withDocument({
    id,
    version,
    /** After a conflict: records the overwritten text as a separate revision. */
    apart: z.boolean().optional(),
  }),
  output: storedDocumentSchema,
})

/** An issue draft rendered as readers would see it, and the problems of any draft that prevent publishing. */
export const adminPreviewDocumentCall = defineAdminCall({
  name: 'admin-preview-document',
  roles: ['owner', 'editor'],
  input: withDocument({ id }),
  output: z.object({
    issue: weeklyDropCall.output.shape.issue.nullable(),
    problems: z.array(problemSchema),
  }),
})
export type DocumentPreview = z.infer<typeof adminPreviewDocumentCall.output>

export const revisionReasons = ['saved', 'published', 'restored', 'deleted'] as const

const revisionSchema = z.object({
  revision: z.int32(),
  version,
  reason: z.enum(revisionReasons),
  createdAt: instant,
  createdBy: z.string().nullable(),
})
export type Revision = z.infer<typeof revisionSchema>

/** Newest first. */
export const adminRevisionsCall = defineAdminCall({
  name: 'admin-revisions',
  roles: ['owner', 'editor'],
  input: z.object({ ...name, cursor: z.string().max(200).nullish() }),
  output: z.object({ items: z.array(revisionSchema), nextCursor: z.string().nullable() }),
})

export const adminReadRevisionCall = defineAdminCall({
  name: 'admin-read-revision',
  roles: ['owner', 'editor'],
  input: z.object({ ...name, revision: z.int32().positive() }),
  output: withDocument({ ...revisionSchema.shape, id }),
})

export type RevisionText = z.infer<typeof adminReadRevisionCall.output>

/** Saves an earlier text as the newest version, without publishing it. */
export const adminRestoreRevisionCall = defineAdminCall({
  name: 'admin-restore-revision',
  roles: ['owner', 'editor'],
  input: z.object({ ...name, revision: z.int32().positive(), version }),
  output: storedDocumentSchema,
})

/** Fails with `not_publishable` and the list of `problems`, or with `edit_conflict`. */
export const adminPublishDocumentCall = defineAdminCall({
  name: 'admin-publish-document',
  roles: ['owner', 'editor'],
  input: z.object({ ...name, version }),
  output: storedDocumentSchema,
})

export const scheduledMailingSchema = z.object({
  id: z.uuid(),
  subject: z.string(),
  /** Null while it is being prepared. */
  scheduledAt: instant.nullable(),
})

/** Scheduled mailings that contain this issue, next one first. */
export const adminScheduledMailingsCall = defineAdminCall({
  name: 'admin-scheduled-mailings',
  roles: ['owner', 'editor'],
  input: z.object({ id }),
  output: z.object({ items: z.array(scheduledMailingSchema) }),
})

/**
 * Publishes this version at a later time. Fails with `not_publishable` and the list of `problems`, with `edit_conflict`, or
 * with `validation_failed` for a time in the past or more than a year ahead.
 */
export const adminScheduleDocumentCall = defineAdminCall({
  name: 'admin-schedule-document',
  roles: ['owner', 'editor'],
  input: z.object({ ...name, version, at: z.iso.datetime({ offset: true }) }),
  output: storedDocumentSchema,
})

/** The email of a drop. Its text is the drop. */
const dropEmailSchema = z.object({
  subject: z
    .string()
    .trim()
    .min(1, 'Enter a subject')
    .max(maxSubjectLength, `Use at most ${maxSubjectLength} characters for the subject`),
  preheader: z.string().trim().max(maxSubjectLength, `Use at most ${maxSubjectLength} characters for the preview text`),
  audience: audienceSchema,
  /** True if each reader gets it at their own hour. If missing, as the newsletter settings say. */
  readerHours: z.boolean().optional(),
  /** Errors of the checks that the publisher has seen and accepted, as `problemText` renders them. */
  acceptedErrors: z.array(z.string().max(10_000)).max(1_000).optional(),
})
export type DropEmail = z.infer<typeof dropEmailSchema>

/**
 * Publishes this version of a drop at a later time, or at once if `at` is null, and emails it as soon as it is published;
 * null for no email. With an
 * email it needs a recent reauthentication. Fails as `admin-schedule-document`, with `mailing_has_errors` and the list of
 * `errors`, or with `mailing_not_changeable` if the drop was emailed before.
 */
export const adminScheduleDropCall = defineAdminCall({
  name: 'admin-schedule-drop',
  roles: ['owner', 'editor'],
  input: z.object({ id, version, at: z.iso.datetime({ offset: true }).nullable(), email: dropEmailSchema.nullable() }),
  output: storedDocumentSchema,
})

/**
 * Moves a drop to another day: the time of day stays, and its email and date move with it. A draft gets the date. Fails
 * with `edit_conflict` if the drop isn't as shown, with `mailing_scheduled` if another email than `emailId` would move, with
 * `not_publishable`, or with `validation_failed` for a day in the past.
 */
export const adminMoveDropCall = defineAdminCall({
  name: 'admin-move-drop',
  roles: ['owner', 'editor'],
  input: z.object({
    id,
    version,
    /** When it is published, as shown; null for a draft. */
    from: z.iso.datetime({ offset: true }).nullable(),
    /** The drop's email, as shown; null for none. */
    emailId: z.uuid().nullable(),
    /** Local day of the publication's time zone. */
    to: z.iso.date(),
  }),
  output: storedDocumentSchema,
})

/** Cancels a schedule, or dismisses the failure of the last one. */
export const adminCancelScheduleCall = defineAdminCall({
  name: 'admin-cancel-schedule',
  roles: ['owner', 'editor'],
  input: z.object(name),
  output: storedDocumentSchema,
})

/** A document whose scheduled publishing failed. */
export const publishingAlertSchema = z.object({ ...name, title: z.string(), failure: publishFailureSchema })
export type PublishingAlert = z.infer<typeof publishingAlertSchema>

/** Fails with `mailing_scheduled` and the list of `mailings` unless all of them are acknowledged. */
export const adminUnpublishDocumentCall = defineAdminCall({
  name: 'admin-unpublish-document',
  roles: ['owner', 'editor'],
  input: z.object({ ...name, acknowledgedMailings: z.array(z.uuid()).max(100).optional() }),
  output: storedDocumentSchema,
})

/**
 * All documents that have been published, in the new order. Fails with `order_changed` if the current documents or their
 * order differ from `before`, which is what the page showed.
 */
export const adminOrderContentCall = defineAdminCall({
  name: 'admin-order-content',
  roles: ['owner', 'editor'],
  input: z.object({
    kind: z.enum(orderedKinds),
    ids: z.array(id).max(1_000),
    before: z.array(id).max(1_000).optional(),
  }),
  output: z.object({}),
})
