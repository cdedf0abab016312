import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import {
  maxSubjectLength,
  subjectFiguresSchema,
  subjectMeasures,
  subjectTestResultSchema,
  subjectTestSchema,
} from '#shared/domain/subject-test.ts'
import {
  audienceSchema,
  deliveryCauseSchema,
  deliveryStatuses,
  mailingContentSchema,
  mailingKinds,
  mailingStatuses,
  sendFailureSchema,
} from './newsletter.ts'

/*
 * Mailings in the admin: list, read, write, send and control. Their recipients are in deliveries.ts.
 */

const instant = z.iso.datetime().nullable()
const count = z.number().int().nonnegative()

/** Deliveries by status. The seven statuses always add up to `total`. */
export const progressSchema = z.object({
  total: count,
  statuses: z.record(z.enum(deliveryStatuses), count),
  /** Failed, suppressed and unknown deliveries by cause. */
  causes: z.array(z.object({ status: z.enum(deliveryStatuses), cause: deliveryCauseSchema, count })),
  /** Accepted by the receiving server and not returned since. */
  delivered: count,
  /** Readers who turned the stream off with a link of the email. */
  unsubscribed: count,
  hardBounces: count,
  softBounces: count,
  complaints: count,
  opened: count,
  clicked: count,
  /** Accepted emails to readers who allowed counting then. 0 for mailings sent before this was counted. */
  countable: count,
  /** By bots. Not included in `opened` and `clicked` unless the reader opened or clicked too. */
  botOpened: count,
  botClicked: count,
})
export type MailingProgress = z.infer<typeof progressSchema>

const summarySchema = z.object({
  id: z.uuid(),
  kind: z.enum(mailingKinds),
  issueId: z.string().nullable(),
  /** The newsletter that it goes to; null for everyone whom its kind reaches. */
  newsletterId: z.number().int().nullable(),
  subject: z.string(),
  status: z.enum(mailingStatuses),
  pauseReason: z.string().nullable(),
  /** Why the mailing wasn't sent and is a draft again; otherwise null. */
  sendFailure: sendFailureSchema.nullable(),
  createdAt: z.iso.datetime(),
  scheduledAt: instant,
  startedAt: instant,
  finishedAt: instant,
  progress: progressSchema,
})
export type MailingSummary = z.infer<typeof summarySchema>

/** Why a mailing is waiting, and when the limits let its last email through. */
const estimateSchema = z.object({
  /** Null while emails can be sent. */
  waitsFor: z.enum(['warmUp', 'hour', 'domains', 'retry', 'readerHours']).nullable(),
  /** The limit that is used up, for `warmUp` and `hour`. */
  limit: count.nullable(),
  /** Some of the receiving domains that have reached their hourly limit. */
  fullDomains: z.array(z.string()),
  resumesAt: instant,
  /** Null if that is more than a year away. */
  finishesAt: instant,
})
export type MailingEstimate = z.infer<typeof estimateSchema>

/** Newest first. */
export const adminMailingsCall = defineAdminCall({
  name: 'admin-mailings',
  roles: ['owner', 'editor'],
  input: z.object({
    cursor: z.string().max(200).nullish(),
    limit: z.number().int().min(1).max(100).optional(),
    /** Limits the list to mailings to this newsletter. */
    newsletterId: z.number().int().positive().max(1_000_000).nullish(),
  }),
  output: z.object({
    items: z.array(summarySchema),
    nextCursor: z.string().nullable(),
    /** Published issues without a mailing, newest first. */
    unsentIssues: z.array(z.object({ id: z.string(), title: z.string(), date: z.iso.date() })),
  }),
})

/** The newest mailing of an issue; null if there is none or the last one was stopped. */
export const adminIssueMailingCall = defineAdminCall({
  name: 'admin-issue-mailing',
  roles: ['owner', 'editor'],
  input: z.object({ issueId: z.string().max(200) }),
  output: z.object({ mailing: z.object({ id: z.uuid(), status: z.enum(mailingStatuses) }).nullable() }),
})

export const mailingIdSchema = z.object({ id: z.uuid() })

export const adminMailingCall = defineAdminCall({
  name: 'admin-mailing',
  roles: ['owner', 'editor'],
  input: mailingIdSchema,
  output: summarySchema.extend({
    preheader: z.string(),
    audience: audienceSchema,
    /** True if opens and clicks of this mailing are counted: as the newsletter settings say until it is prepared. */
    tracked: z.boolean(),
    /** True if each reader gets it at their own hour. Always false while the settings don't allow it. */
    readerHours: z.boolean(),
    /** True if the newsletter settings allow readers' hours at all. */
    readerHoursAllowed: z.boolean(),
    /** Emails that wait for their reader's hour, and the next and last of these hours; null without one that waits. */
    waitingForHour: z.object({ count, nextAt: z.iso.datetime(), lastAt: z.iso.datetime() }).nullable(),
    subjectTest: subjectTestSchema.nullable(),
    /** True if replies by email are read, so that they can decide a subject test. */
    repliesRead: z.boolean(),
    /** From the start of the test on. `figures` are as of now until the decision, by subject. */
    subjectTestState: subjectTestResultSchema
      .extend({
        measure: z.enum(subjectMeasures),
        figures: z.array(subjectFiguresSchema),
        /** Readers who replied, but whose reply doesn't name the email and may be forged. */
        uncountedReplies: count,
        decidesAt: instant,
      })
      .nullable(),
    /** True if the mailing was scheduled together with its drop and goes out once the drop is published. */
    waitsForDrop: z.boolean(),
    /** Increases with each save. A save names the version it started from. */
    version: z.int32(),
    /** The text to send; for a draft of an issue, as readers see it now. */
    content: mailingContentSchema,
    /** IANA name of the publication's time zone, in which a time is chosen. */
    timeZone: z.string(),
    /** How the frozen text of a scheduled mailing compares with what is published now; otherwise null. */
    frozen: z
      .object({
        at: z.iso.datetime(),
        /** Update to latest would change the text. */
        hasNewer: z.boolean(),
        /** One of its drops is unpublished, so the mailing can't be sent as it is. */
        hasMissingPages: z.boolean(),
      })
      .nullable(),
    /** While sending with limits or deferred emails; otherwise null. */
    estimate: estimateSchema.nullable(),
  }),
})
export type Mailing = z.infer<typeof adminMailingCall.output>

export const adminCreateMailingCall = defineAdminCall({
  name: 'admin-create-mailing',
  roles: ['owner', 'editor'],
  input: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('issue'), issueId: z.string().max(200) }),
    z.object({ kind: z.literal('digest') }),
    z.object({ kind: z.literal('news') }),
    /** Again, to those who didn't open it: a drop or news that was sent and counted opens, and isn't a resend itself. */
    z.object({ kind: z.literal('resend'), mailingId: z.uuid() }),
  ]),
  output: mailingIdSchema,
})

/** Drafts only. Only news has a text of its own; an issue is written on the content pages. */
export const adminSaveMailingCall = defineAdminCall({
  name: 'admin-save-mailing',
  roles: ['owner', 'editor'],
  input: mailingIdSchema.extend({
    version: z.int32(),
    subject: z.string().trim().max(maxSubjectLength, `Use at most ${maxSubjectLength} characters for the subject`),
    preheader: z
      .string()
      .trim()
      .max(maxSubjectLength, `Use at most ${maxSubjectLength} characters for the preview text`),
    audience: audienceSchema,
    /** A setting of drops. Missing to leave it as it is. */
    readerHours: z.boolean().optional(),
    /** Missing to leave it as it is, null for none. */
    subjectTest: subjectTestSchema.nullable().optional(),
    news: z
      .object({
        title: z.string().trim().max(200, 'Use at most 200 characters for the title'),
        body: z.string().max(50_000, 'Use at most 50,000 characters for the text'),
      })
      .optional(),
  }),
  output: z.object({ version: z.int32() }),
})

export const adminDeleteMailingCall = defineAdminCall({
  name: 'admin-delete-mailing',
  roles: ['owner', 'editor'],
  input: mailingIdSchema,
  output: z.object({}),
})

/** Counts the recipients of a mailing, or of the email of a drop, as of now, by the rules that freeze the audience. */
export const adminCountAudienceCall = defineAdminCall({
  name: 'admin-count-audience',
  roles: ['owner', 'editor'],
  input: z.object({ of: z.union([mailingIdSchema, z.object({ issueId: z.string() })]), audience: audienceSchema }),
  output: z.object({
    total: count,
    receiving: count,
    /** Those of them who get the free edition. */
    free: count,
    suppressed: z.array(z.object({ cause: deliveryCauseSchema, count })),
  }),
})

/** Errors of the checks that the publisher has seen and accepted, as `problemText` renders them. */
const acceptedErrors = z.array(z.string().max(10_000)).max(1_000).optional()

/**
 * Sends a draft now (`at` is null) or schedules it. Needs a recent reauthentication. Rejected with `mailing_has_errors`
 * and the list of errors while the checks find one that isn't in `acceptedErrors`.
 */
export const adminSendMailingCall = defineAdminCall({
  name: 'admin-send-mailing',
  roles: ['owner', 'editor'],
  stepUp: true,
  input: mailingIdSchema.extend({
    version: z.int32(),
    at: z.iso.datetime({ offset: true }).nullable(),
    acceptedErrors,
  }),
  output: z.object({ status: z.enum(mailingStatuses) }),
})

/**
 * Gives a scheduled mailing the text that is published now, after the same checks as for sending. Needs a recent
 * reauthentication.
 */
export const adminUpdateScheduledMailingCall = defineAdminCall({
  name: 'admin-update-scheduled-mailing',
  roles: ['owner', 'editor'],
  stepUp: true,
  invalidates: ['admin-mailing', 'admin-mailings'],
  input: mailingIdSchema.extend({ version: z.int32(), acceptedErrors }),
  output: z.object({ version: z.int32() }),
})

/** A mailing that wasn't sent, or that paused automatically. */
export const mailingAlertSchema = z.object({
  id: z.uuid(),
  subject: z.string(),
  at: z.iso.datetime(),
  sendFailure: sendFailureSchema.nullable(),
  pauseReason: z.string().nullable(),
})
export type MailingAlert = z.infer<typeof mailingAlertSchema>

/**
 * `unschedule` turns a scheduled mailing back into a draft; `dismiss` removes the send failure from a draft. A stopped
 * mailing can't be resumed.
 */
export const adminMailingActionCall = defineAdminCall({
  name: 'admin-mailing-action',
  roles: ['owner', 'editor'],
  invalidates: ['admin-mailing', 'admin-mailings'],
  input: mailingIdSchema.extend({ action: z.enum(['pause', 'resume', 'stop', 'unschedule', 'dismiss']) }),
  output: z.object({ status: z.enum(mailingStatuses) }),
})
