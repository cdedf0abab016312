import { z } from 'zod'
import { planKeySchema } from '#shared/contracts/billing/plan-key.ts'
import { optionKeySchema } from '#shared/contracts/reader/option-key.ts'
import { sendFailureTexts } from '#shared/domain/mailing-alerts.ts'
import { type NewsletterStream, newsletterStream } from '#shared/domain/newsletters.ts'
import { sectionKinds } from '#shared/domain/section-kinds.ts'
import { verticals } from '#shared/domain/verticals.ts'

/*
 * Mailings, deliveries and their content as the database stores them. The calls are in mailings.ts and deliveries.ts.
 */

export const mailingKinds = ['issue', 'digest', 'news', 'follow-up', 'series', 'personal'] as const
export type MailingKind = (typeof mailingKinds)[number]

/** Sent as members' turns come, or to one member. The lists of mailings leave them out. */
export const unlistedKinds: readonly MailingKind[] = ['follow-up', 'series', 'personal']

/** The kinds of email a reader can turn off. Mailings have the first three. Account and billing email belongs to neither. */
export const streams = ['drops', 'news', 'follow-ups', 'assignments', 'replies'] as const
export type Stream = (typeof streams)[number]

/** Personal emails of the staff. Readers can't turn this stream off, since it isn't a newsletter. A complaint turns it off. */
export const personalStream = 'personal'

const streamOfKind: Record<MailingKind, Stream | typeof personalStream> = {
  issue: 'drops',
  digest: 'drops',
  news: 'news',
  'follow-up': 'follow-ups',
  series: 'news',
  personal: personalStream,
}
export const streamOf = (kind: MailingKind): Stream | typeof personalStream => streamOfKind[kind]

/** Any stream, with those of the newsletters that the publisher added. */
export type EmailStream = Stream | typeof personalStream | NewsletterStream
export const emailStreamSchema = z.union([
  z.enum([...streams, personalStream]),
  z.templateLiteral(['newsletter:', z.int()]),
])

/** The stream of a mailing: the newsletter that its audience names, or else that of its kind. */
export const streamOfMailing = (kind: MailingKind, newsletterId: number | null): EmailStream =>
  newsletterId === null ? streamOf(kind) : newsletterStream(newsletterId)

export const mailingStatuses = ['draft', 'scheduled', 'preparing', 'sending', 'paused', 'stopped', 'sent'] as const
export type MailingStatus = (typeof mailingStatuses)[number]

export const deliveryStatuses = [
  'pending',
  'sending',
  'submitted',
  'failed',
  'suppressed',
  'stopped',
  'unknown',
] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** Why a delivery was suppressed, failed, or has an unknown outcome. */
export const deliveryCauses = {
  unsubscribed: 'Unsubscribed from this type of email',
  monthly: 'Gets the monthly digest instead',
  bounced: 'Email to this address bounced',
  complained: 'Marked an email as spam',
  manual: 'Suppressed by the publisher',
  not_entitled: 'No longer has access',
  unconfirmed: 'Email address not confirmed',
  account_gone: 'Account deleted or disabled',
  already_received: 'Already received this drop',
  refused: 'Rejected by the mail server',
  retries_exhausted: 'Gave up after several attempts',
  no_answer: 'Connection lost before the mail server responded',
  sender_lost: 'Sending stopped before the mail server responded',
} as const
export type DeliveryCause = keyof typeof deliveryCauses
export const deliveryCauseSchema = z.enum(Object.keys(deliveryCauses) as [DeliveryCause, ...DeliveryCause[]])

/** Who gets a mailing. An empty list doesn't filter; all filters apply together. */
export const audienceSchema = z.object({
  /** Plans of subscribers and team members. `complimentary` means complimentary access, `free` the free edition. */
  plans: z.array(planKeySchema).max(50),
  focusAreas: z.array(optionKeySchema),
  franchiseTypes: z.array(optionKeySchema),
  /** True if the reader signed in within the last `days`. Null doesn't filter. */
  active: z.object({ within: z.boolean(), days: z.number().int().min(1).max(730) }).nullable(),
  segmentIds: z.array(z.uuid()).max(50),
  /** Members that any of these views of the members list shows. Missing in mailings of earlier versions. */
  viewIds: z.array(z.uuid()).max(20).default([]),
  /** The newsletter whose subscribers get it and can unsubscribe from it; null for everyone whom the kind reaches. */
  newsletterId: z.number().int().positive().max(1_000_000).nullable().default(null),
  /**
   * For a mailing that is sent again: only readers who received this one, allow tracking and haven't opened it, nor clicked
   * in it. Set when the draft is created, and kept.
   */
  unopenedMailingId: z.uuid().nullable().default(null),
})
export type Audience = z.infer<typeof audienceSchema>

export const everyone: Audience = {
  plans: [],
  focusAreas: [],
  franchiseTypes: [],
  active: null,
  segmentIds: [],
  viewIds: [],
  newsletterId: null,
  unopenedMailingId: null,
}

/** One section of an email. A section without focus areas matches every reader equally. */
export const emailSectionSchema = z.object({
  heading: z.string(),
  summary: z.string(),
  /** Markdown, with content blocks filled in. */
  body: z.string(),
  focusAreas: z.array(optionKeySchema),
  aiLevel: optionKeySchema.nullable(),
  goals: z.array(optionKeySchema),
  franchiseTypes: z.array(optionKeySchema),
  minutes: z.number().int().positive().nullable(),
  /** The issue's own. Missing in mailings of earlier versions. */
  partOfLead: z.boolean().default(false),
  kind: z.enum(sectionKinds).nullable().default(null),
  /** Markdown by trade. */
  examples: z.partialRecord(z.enum(verticals), z.string()).default({}),
  /** Free readers get it too. Mailings of earlier versions had no free readers. */
  openToEveryone: z.boolean().default(false),
  /** Path of the section in the portal, or null. */
  path: z.string().nullable(),
})
export type EmailSection = z.infer<typeof emailSectionSchema>

/** An item that some of a mailing's readers kept and that has changed since. */
const changedItemSchema = z.object({
  /** Names the item and the first change that its readers haven't been told about. */
  key: z.string(),
  title: z.string(),
  /** Path in the portal. */
  path: z.string(),
  /** Changes since then; may be empty. */
  note: z.string(),
})
export type ChangedItem = z.infer<typeof changedItemSchema>

/** The content of a mailing: text with merge fields, before it is rendered for a reader. */
export const mailingContentSchema = z.object({
  kind: z.enum(mailingKinds),
  subject: z.string(),
  /** The other subjects of a subject test. */
  otherSubjects: z.array(z.string()).optional(),
  preheader: z.string(),
  title: z.string(),
  /** Position of the issue by date, among those published when the content was built. */
  number: z.number().int().positive().optional(),
  /** Calendar day of the issue, or null. */
  date: z.iso.date().nullable(),
  /** The issue's worth, after the opening; Markdown. Empty for other kinds, as is the question. */
  worth: z.string().default(''),
  /** A few words by the editor of an issue, before the opening, and who signs them. */
  editorNote: z.string().optional(),
  editor: z.string().optional(),
  /** Who wrote a personal email; missing without a name. */
  sender: z.string().optional(),
  /** Markdown; may hold merge fields such as {{first_name|there}}. */
  intro: z.string(),
  sections: z.array(emailSectionSchema),
  closing: z.string(),
  /** The question that readers answer before the next issue. */
  question: z.string().default(''),
  /** A poll of one click. Only in issues. */
  poll: z.object({ issueId: z.string(), question: z.string(), answers: z.array(z.string()) }).optional(),
  /** Path of the issue in the portal; null for news. */
  path: z.string().nullable(),
  /** Set when the audience is frozen; each reader gets those of the items that they kept. */
  changes: z.array(changedItemSchema).optional(),
  /** Answers of readers to the drop before; set when the audience is frozen. */
  bestAnswers: z
    .object({
      /** Of the drop before. */
      title: z.string(),
      path: z.string(),
      /** True if readers without access can read them. */
      isForEveryone: z.boolean(),
      answers: z.array(z.object({ name: z.string(), words: z.string() })),
    })
    .optional(),
  /** The headings of what members also get; in the free edition of an issue. */
  membersAlsoGet: z.array(z.string()).optional(),
})
export type MailingContent = z.infer<typeof mailingContentSchema>

/** Why a mailing wasn't sent. */
export const sendFailureSchema = z.object({
  reason: z.enum(
    Object.keys(sendFailureTexts) as [keyof typeof sendFailureTexts, ...(keyof typeof sendFailureTexts)[]],
  ),
  /** Errors that the checks found, for the reason `checks`. */
  errors: z.array(z.string()),
  /** When it was scheduled for; null if it was to be sent right away. */
  scheduledAt: z.iso.datetime().nullable(),
  at: z.iso.datetime(),
})
export type SendFailure = z.infer<typeof sendFailureSchema>
