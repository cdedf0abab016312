import { z } from 'zod'
import { readerSchema } from '../domain/reader.ts'
import { defineCall } from './define-call.ts'
import {
  audienceSchema,
  deliveryCauses,
  deliveryStatuses,
  mailingContentSchema,
  mailingKinds,
  mailingStatuses,
  sendFailureSchema,
  sendingLimitsSchema,
} from './newsletter.ts'

const instant = z.iso.datetime().nullable()
const count = z.number().int().nonnegative()
const cause = z.enum(Object.keys(deliveryCauses) as [keyof typeof deliveryCauses, ...(keyof typeof deliveryCauses)[]])

/** Where the members of the frozen audience stand: the seven add up to `total`, always. */
const progressSchema = z.object({
  total: count,
  statuses: z.record(z.enum(deliveryStatuses), count),
  /** Failed, suppressed and unknown, each by cause. */
  causes: z.array(z.object({ status: z.enum(deliveryStatuses), cause, count })),
  hard_bounces: count,
  soft_bounces: count,
  complaints: count,
  opened: count,
  clicked: count,
  /** By programs, and in none of the two above unless the reader did as well. */
  bot_opened: count,
  bot_clicked: count,
})
export type MailingProgress = z.infer<typeof progressSchema>

const summarySchema = z.object({
  id: z.uuid(),
  kind: z.enum(mailingKinds),
  issue_id: z.string().nullable(),
  subject: z.string(),
  status: z.enum(mailingStatuses),
  pause_reason: z.string().nullable(),
  /** Why it did not go out and is a draft again; else null. */
  sendFailure: sendFailureSchema.nullable(),
  created_at: z.iso.datetime(),
  scheduled_at: instant,
  started_at: instant,
  finished_at: instant,
  progress: progressSchema,
})
export type MailingSummary = z.infer<typeof summarySchema>

/** Why a mailing waits and when the limits let its last email out. */
const estimateSchema = z.object({
  /** Null while emails can go out. */
  waitsFor: z.enum(['warmUp', 'hour', 'domains', 'retry']).nullable(),
  /** The limit that is used up, for `warmUp` and `hour`. */
  limit: count.nullable(),
  /** Some of the receiving domains that have reached their hourly limit. */
  fullDomains: z.array(z.string()),
  resumesAt: instant,
  /** Null if that is more than a year away. */
  finishesAt: instant,
})
export type MailingEstimate = z.infer<typeof estimateSchema>

/** Newest first, keyset pages. */
export const adminMailingsCall = defineCall({
  name: 'admin-mailings',
  audience: 'admin',
  input: z.object({ cursor: z.string().max(200).nullish(), limit: z.number().int().min(1).max(100).optional() }),
  output: z.object({
    mailings: z.array(summarySchema),
    next_cursor: z.string().nullable(),
    /** Issues that readers see and that no mailing carries yet, newest first. */
    unsent_issues: z.array(z.object({ id: z.string(), title: z.string(), date: z.iso.date() })),
  }),
})

/** The newest mailing that carries an issue; null where none does, or the last was stopped. */
export const adminIssueMailingCall = defineCall({
  name: 'admin-issue-mailing',
  audience: 'admin',
  input: z.object({ issueId: z.string().max(200) }),
  output: z.object({ mailing: z.object({ id: z.uuid(), status: z.enum(mailingStatuses) }).nullable() }),
})

const mailingId = z.object({ id: z.uuid() })

export const adminMailingCall = defineCall({
  name: 'admin-mailing',
  audience: 'admin',
  input: mailingId,
  output: summarySchema.extend({
    preheader: z.string(),
    audience: audienceSchema,
    /** Whether opens and clicks of this mailing are counted. Always false while the settings don't allow it. */
    tracked: z.boolean(),
    /** Whether the newsletter settings allow counting at all. */
    tracking_allowed: z.boolean(),
    /** Goes up with each save; a save names the one that it began from. */
    version: z.number().int(),
    /** What is sent; for a draft of an issue, as readers see it now. */
    content: mailingContentSchema,
    /** IANA name of the publication's zone, in which a time is chosen. */
    timeZone: z.string(),
    /** How the frozen text of a scheduled mailing stands to what is published now; else null. */
    frozen: z
      .object({
        at: z.iso.datetime(),
        /** Update to latest would change the text. */
        hasNewer: z.boolean(),
        /** A drop in it is unpublished: as it is, it won't go out. */
        hasMissingPages: z.boolean(),
      })
      .nullable(),
    /** While it is being sent, where a limit is set or a mail server asked to be tried again; else null. */
    estimate: estimateSchema.nullable(),
  }),
})
export type Mailing = z.infer<typeof adminMailingCall.output>

export const adminCreateMailingCall = defineCall({
  name: 'admin-create-mailing',
  audience: 'admin',
  input: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('issue'), issue_id: z.string().max(200) }),
    z.object({ kind: z.literal('digest') }),
    z.object({ kind: z.literal('news') }),
  ]),
  output: mailingId,
})

/**
 * Only while it is a draft. News carry their own text; an issue's is written on the content pages. Refused with
 * `tracking_not_allowed` if `tracked` is true while the settings don't allow counting.
 */
export const adminSaveMailingCall = defineCall({
  name: 'admin-save-mailing',
  audience: 'admin',
  input: mailingId.extend({
    version: z.number().int(),
    subject: z.string().trim().max(400, 'The subject has more than 400 characters'),
    preheader: z.string().trim().max(400, 'The preview line has more than 400 characters'),
    audience: audienceSchema,
    tracked: z.boolean(),
    news: z
      .object({
        title: z.string().trim().max(200, 'The title has more than 200 characters'),
        body: z.string().max(50_000, 'The text has more than 50,000 characters'),
      })
      .optional(),
  }),
  output: z.object({ version: z.number().int() }),
})

export const adminDeleteMailingCall = defineCall({
  name: 'admin-delete-mailing',
  audience: 'admin',
  input: mailingId,
  output: z.object({}),
})

/** Counted now, by the rules that freeze the audience. */
export const adminCountAudienceCall = defineCall({
  name: 'admin-count-audience',
  audience: 'admin',
  input: mailingId.extend({ audience: audienceSchema }),
  output: z.object({
    total: count,
    receiving: count,
    suppressed: z.array(z.object({ cause, count })),
  }),
})

/** How many orders there are, and what stands first for whom. */
export const adminMailingOrdersCall = defineCall({
  name: 'admin-mailing-orders',
  audience: 'admin',
  input: mailingId,
  output: z.object({
    readers: count,
    orders: count,
    items: count,
    /** Readers whose order holds every item exactly once: all of them, or there is a mistake. */
    complete_readers: count,
    /** The largest groups of readers first. */
    groups: z.array(
      z.object({ reader: readerSchema, readers: count, first: z.string(), reason: z.string().nullable() }),
    ),
  }),
})

export type MailingOrders = z.output<typeof adminMailingOrdersCall.output>

/** What one member will see: by their id, or somebody with these answers. */
export const adminPreviewMailingCall = defineCall({
  name: 'admin-preview-mailing',
  audience: 'admin',
  input: mailingId.extend({ as: z.union([z.object({ user_id: z.uuid() }), z.object({ reader: readerSchema })]) }),
  output: z.object({
    subject: z.string(),
    html: z.string(),
    text: z.string(),
    bytes: count,
    headings: z.array(z.string()),
    reason: z.string().nullable(),
    /** Of a member by id: whether they get this mailing; without a cause they are not in its audience. */
    member: z.object({ receives: z.boolean(), cause: cause.nullable() }).nullable(),
  }),
})
export type PreviewedMember = NonNullable<z.output<typeof adminPreviewMailingCall.output>['member']>

/** One mail, marked as a test in its subject, to an address of the admin's choice. */
export const adminTestMailingCall = defineCall({
  name: 'admin-test-mailing',
  audience: 'admin',
  input: mailingId.extend({
    to: z.email().max(320),
    as: z.union([z.object({ user_id: z.uuid() }), z.object({ reader: readerSchema })]),
  }),
  output: z.object({ to: z.string() }),
})

const line = z.number().int().positive().nullable()

/** The field to change, and the line in it: of the mailing itself, of a drop (`sections.1.body`), or of a block. */
const problemTargetSchema = z.discriminatedUnion('in', [
  z.object({ in: z.literal('mailing'), field: z.enum(['subject', 'preheader', 'title', 'body']), line }),
  z.object({ in: z.literal('drop'), id: z.string(), field: z.string(), line }),
  z.object({ in: z.literal('block'), id: z.string(), line }),
])
export type ProblemTarget = z.infer<typeof problemTargetSchema>

const mailingProblemSchema = z.object({
  severity: z.enum(['error', 'warning']),
  check: z.string(),
  message: z.string(),
  /** Where in the text, in words: "Section 2, line 4"; null for the mail as a whole. */
  place: z.string().nullable(),
  /** Null for what is written nowhere, such as the title of a digest, or not there any more. */
  target: problemTargetSchema.nullable(),
})
export type MailingProblem = z.infer<typeof mailingProblemSchema>

/** What a problem is called where somebody agrees to it: two in one place are two. */
export const problemInWords = ({ message, place }: Pick<MailingProblem, 'message' | 'place'>) =>
  place ? `${place}: ${message}` : message

export const adminCheckMailingCall = defineCall({
  name: 'admin-check-mailing',
  audience: 'admin',
  input: mailingId,
  output: z.object({ problems: z.array(mailingProblemSchema) }),
})

/**
 * `at`: an instant, or null for now. Only a draft of this very version. Needs a fresh proof of identity. Refused with
 * `mailing_has_errors` and all of them as `errors` while the checks find one that is not named in `despite`.
 */
export const adminSendMailingCall = defineCall({
  name: 'admin-send-mailing',
  audience: 'admin',
  input: mailingId.extend({
    version: z.number().int(),
    at: z.iso.datetime({ offset: true }).nullable(),
    /** Errors, in their words, that the publisher has seen and sends with. */
    despite: z.array(z.string().max(10_000)).max(1_000).optional(),
  }),
  output: z.object({ status: z.enum(mailingStatuses) }),
})

/**
 * Gives a scheduled mailing the text that is published now, after the checks: refused like a sending while they find an
 * error that is not named in `despite`. Needs a fresh proof of identity.
 */
export const adminUpdateScheduledMailingCall = defineCall({
  name: 'admin-update-scheduled-mailing',
  audience: 'admin',
  input: mailingId.extend({
    version: z.number().int(),
    despite: z.array(z.string().max(10_000)).max(1_000).optional(),
  }),
  output: z.object({ version: z.number().int() }),
})

/** What comes with the refusal `mailing_has_errors`. */
export const mailingErrorsSchema = z.object({ errors: z.array(mailingProblemSchema) })

/** Mailings that did not go out or paused automatically, newest first, for the dashboard. */
export const adminMailingAlertsCall = defineCall({
  name: 'admin-mailing-alerts',
  audience: 'admin',
  input: z.object({}),
  output: z.object({
    items: z.array(
      z.object({
        id: z.uuid(),
        subject: z.string(),
        at: z.iso.datetime(),
        sendFailure: sendFailureSchema.nullable(),
        pauseReason: z.string().nullable(),
      }),
    ),
  }),
})
export type MailingAlert = z.infer<typeof adminMailingAlertsCall.output>['items'][number]

/**
 * `unschedule` makes a scheduled mailing a draft again; `dismiss` takes the note off a draft that did not go out. What was
 * stopped cannot be taken up again.
 */
export const adminSteerMailingCall = defineCall({
  name: 'admin-steer-mailing',
  audience: 'admin',
  input: mailingId.extend({ action: z.enum(['pause', 'resume', 'stop', 'unschedule', 'dismiss']) }),
  output: z.object({ status: z.enum(mailingStatuses) }),
})

/** A list behind a figure of the progress. */
export const deliveryFilterSchema = z.object({
  status: z.enum(deliveryStatuses).nullish(),
  cause: cause.nullish(),
  /** What came back, or was seen, instead of a status. */
  feedback: z
    .enum(['hard_bounce', 'soft_bounce', 'complaint', 'opened', 'clicked', 'bot_opened', 'bot_clicked'])
    .nullish(),
})
export type DeliveryFilter = z.infer<typeof deliveryFilterSchema>

export const adminDeliveriesCall = defineCall({
  name: 'admin-deliveries',
  audience: 'admin',
  input: deliveryFilterSchema.extend({
    mailing_id: z.uuid(),
    cursor: z.string().max(200).nullish(),
    limit: z.number().int().min(1).max(200).optional(),
  }),
  output: z.object({
    deliveries: z.array(
      z.object({
        id: z.string(),
        user_id: z.uuid(),
        /** Null once the account is deleted. */
        email: z.string().nullable(),
        status: z.enum(deliveryStatuses),
        cause: cause.nullable(),
        attempts: count,
        response: z.string().nullable(),
        changed_at: instant,
      }),
    ),
    next_cursor: z.string().nullable(),
  }),
})
export type DeliveriesPage = z.infer<typeof adminDeliveriesCall.output>

/** A link that gives the whole list as CSV for some minutes. */
export const adminExportDeliveriesCall = defineCall({
  name: 'admin-export-deliveries',
  audience: 'admin',
  input: deliveryFilterSchema.extend({ mailing_id: z.uuid() }),
  output: z.object({ url: z.string() }),
})

/** Sends again to members whose mail may have arrived already: by hand alone, noted in the log. */
export const adminResendUnknownCall = defineCall({
  name: 'admin-resend-unknown',
  audience: 'admin',
  input: z.object({
    mailing_id: z.uuid(),
    delivery_ids: z
      .array(z.string().regex(/^\d{1,18}$/))
      .min(1)
      .max(500),
  }),
  output: z.object({ resent: count }),
})

export const adminSegmentsCall = defineCall({
  name: 'admin-segments',
  audience: 'admin',
  input: z.object({}),
  output: z.object({ segments: z.array(z.object({ id: z.uuid(), name: z.string(), members: count })) }),
})

/** Without an id it makes one. Addresses that belong to nobody are answered and not kept. */
export const adminSaveSegmentCall = defineCall({
  name: 'admin-save-segment',
  audience: 'admin',
  input: z.object({
    id: z.uuid().nullish(),
    name: z.string().trim().min(1, 'Please give it a name').max(80),
    add: z.array(z.string().trim().max(320)).max(5_000),
    remove: z.array(z.string().trim().max(320)).max(5_000),
  }),
  output: z.object({ id: z.uuid(), members: count, unknown: z.array(z.string()) }),
})

export const adminDeleteSegmentCall = defineCall({
  name: 'admin-delete-segment',
  audience: 'admin',
  input: mailingId,
  output: z.object({}),
})

/** Line breaks as \n, no empty lines, and none of the characters that an email can't show. */
const asAddressLines = (text: string): string =>
  text
    .toWellFormed()
    .split(/\r\n?|\n/)
    .map((line) =>
      line
        .replaceAll(/[\p{Cc}\p{Co}]/gu, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .filter(Boolean)
    .join('\n')

export const postalAddressLimits = { characters: 300, lines: 6 } as const

/** Empty for none. */
const postalAddressSchema = z
  .string()
  .max(1_000)
  .transform(asAddressLines)
  .refine((text) => text === '' || text.length >= 10, 'That is too short for a postal address')
  .refine((text) => text.length <= postalAddressLimits.characters, 'Use at most 300 characters')
  .refine((text) => text.split('\n').length <= postalAddressLimits.lines, 'Use at most 6 lines')

/** Empty for none. The characters that a header would need to quote are refused. */
const replyToSchema = z
  .string()
  .trim()
  .max(254)
  .refine(
    (text) =>
      text === '' || (z.email().safeParse(text).success && /^[!-~]+$/.test(text) && !/[<>(),;:\\"[\]]/.test(text)),
    'Enter a valid email address',
  )

export const sendingSettingsSchema = z.object({
  /** IANA name, such as America/New_York. */
  timeZone: z.string().max(80),
  limits: sendingLimitsSchema,
  /** Whether opens and clicks may be counted, for members who agree. */
  tracking: z.boolean(),
  /** What becomes of the digest that is made on the first of a month: a draft, also where nothing is said, or sent. */
  digest: z.enum(['draft', 'send']).optional(),
  /** Where replies to list email go; empty for the sender's own address. A save without it keeps what is there. */
  replyTo: replyToSchema.optional(),
  /** Printed in the footer of every list email; empty for none. A save without it keeps what is there. */
  postalAddress: postalAddressSchema.optional(),
})
export type SendingSettings = z.infer<typeof sendingSettingsSchema>

export const adminSendingSettingsCall = defineCall({
  name: 'admin-sending-settings',
  audience: 'admin',
  /** Without `save` it reads. */
  input: z.object({ save: sendingSettingsSchema.optional() }),
  output: sendingSettingsSchema.extend({
    /** Used while `postalAddress` is empty; null where list email isn't sent without one. */
    samplePostalAddress: z.string().nullable(),
    /** Address in From. */
    senderAddress: z.string(),
  }),
})
export type SendingSettingsPage = z.infer<typeof adminSendingSettingsCall.output>
