import { z } from 'zod'
import { sendFailureTexts } from '../domain/mailing-alerts.ts'
import { plans } from '../domain/plans.ts'
import { aiLevels, focusAreas, franchiseTypes, goals } from '../domain/preferences.ts'

/*
 * What the sending of a letter is made of, as the database keeps it. The calls of the pages are in admin-newsletter.ts.
 */

export const mailingKinds = ['issue', 'digest', 'news'] as const
export type MailingKind = (typeof mailingKinds)[number]

/** What a reader may turn off. Account and billing mail is in none of them. */
export const streams = ['drops', 'news'] as const
export type Stream = (typeof streams)[number]
export const streamOf = (kind: MailingKind): Stream => (kind === 'news' ? 'news' : 'drops')

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

/** Why a member gets nothing, a mail failed, or its fate is not known. */
export const deliveryCauses = {
  unsubscribed: 'Unsubscribed from this kind of mail',
  monthly: 'Gets the monthly digest instead',
  bounced: 'Mail to this address came back',
  complained: 'Reported a letter as spam',
  manual: 'Taken out by the publisher',
  not_entitled: 'Has no access any more',
  account_gone: 'Account deleted or disabled',
  already_received: 'Had this issue from an earlier mailing',
  refused: 'Refused for good by the receiving server',
  retries_exhausted: 'Refused for now too many times',
  no_answer: 'The connection broke before the answer came',
  sender_lost: 'The sender stopped before the answer came',
} as const
export type DeliveryCause = keyof typeof deliveryCauses

/** Who gets it. Empty lists mean everybody; the conditions of different kinds all hold together. */
export const audienceSchema = z.object({
  /** Plans whose subscribers and team members are meant; complimentary access counts as `complimentary`. */
  plans: z.array(z.enum([...(Object.keys(plans) as [keyof typeof plans, ...(keyof typeof plans)[]]), 'complimentary'])),
  focusAreas: z.array(z.enum(focusAreas)),
  franchiseTypes: z.array(z.enum(franchiseTypes)),
  /** Signed in within so many days, or not; null asks nothing. Opens are off by default, so they decide nothing here. */
  active: z.object({ within: z.boolean(), days: z.number().int().min(1).max(730) }).nullable(),
  /** Hand-picked groups: a member of any of them. */
  segmentIds: z.array(z.uuid()).max(50),
})
export type Audience = z.infer<typeof audienceSchema>

export const everybody: Audience = { plans: [], focusAreas: [], franchiseTypes: [], active: null, segmentIds: [] }

/** One item of a letter. What has no focus area is of interest to all alike. */
export const mailSectionSchema = z.object({
  heading: z.string(),
  summary: z.string(),
  /** Markdown, with reusable blocks set in. */
  body: z.string(),
  focusAreas: z.array(z.enum(focusAreas)),
  aiLevel: z.enum(aiLevels).nullable(),
  goals: z.array(z.enum(goals)),
  franchiseTypes: z.array(z.enum(franchiseTypes)),
  minutes: z.number().int().positive().nullable(),
  /** Where the item is read in the portal, as a path; null when there is no such place. */
  path: z.string().nullable(),
})
export type MailSection = z.infer<typeof mailSectionSchema>

/** What is sent, frozen when the audience is. */
export const mailingContentSchema = z.object({
  kind: z.enum(mailingKinds),
  subject: z.string(),
  preheader: z.string(),
  title: z.string(),
  /** Calendar day of the issue, or null. */
  date: z.iso.date().nullable(),
  /** Markdown; may hold merge fields such as {{first_name|there}}. */
  intro: z.string(),
  sections: z.array(mailSectionSchema),
  closing: z.string(),
  /** Where the whole is read in the portal, as a path; null for news. */
  path: z.string().nullable(),
})
export type MailingContent = z.infer<typeof mailingContentSchema>

/** Why a mailing did not go out. */
export const sendFailureSchema = z.object({
  reason: z.enum(
    Object.keys(sendFailureTexts) as [keyof typeof sendFailureTexts, ...(keyof typeof sendFailureTexts)[]],
  ),
  /** What the checks found, for the reason `checks`. */
  errors: z.array(z.string()),
  /** When it was to go out; null for one that was sent right away. */
  scheduledAt: z.iso.datetime().nullable(),
  at: z.iso.datetime(),
})
export type SendFailure = z.infer<typeof sendFailureSchema>

/** What stands after the @ of an address, in lower case, as deliveries keep it. */
const domainName = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/

/** A domain that mail goes to; `*` stands for every domain not named. */
export const receivingDomainSchema = z
  .string()
  .trim()
  .toLowerCase()
  .refine(
    (text) => text === '*' || domainName.test(text),
    'Please name a domain such as gmail.com, or * for the others',
  )

/** How fast is sent. A null asks nothing. */
export const sendingLimitsSchema = z.object({
  /** Not slower than one in ten seconds: what was spent of it stands between this mailing and the next. */
  perSecond: z.number().min(0.1).max(10_000).nullable(),
  perHour: z.number().int().positive().nullable(),
  /** Mails an hour to one receiving domain. */
  perDomainHour: z.record(receivingDomainSchema, z.number().int().positive()),
  /** A new sending domain begins small: so many on the first day, times `growth` on each day after, until `end`. */
  warmUp: z
    .object({
      startedOn: z.iso.date(),
      firstDay: z.number().int().positive(),
      growth: z.number().min(1).max(5),
      end: z.number().int().positive(),
    })
    .nullable(),
})

/** The share of what was submitted at which a mailing pauses by itself, not before `enough` have been submitted. */
export const pauseRules = { hardBounces: 0.05, complaints: 0.003, enough: 100 } as const
