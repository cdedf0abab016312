import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'
import { maxStoredNewsletters } from '#shared/domain/newsletters.ts'
import { emailStreamSchema } from './newsletter.ts'

export const dropsChoices = ['weekly', 'monthly', 'off'] as const
export type DropsChoice = (typeof dropsChoices)[number]

/** When readers are told about replies to their answers under drops. */
export const repliesChoices = ['at-once', 'daily', 'off'] as const
export type RepliesChoice = (typeof repliesChoices)[number]

const newsletterId = z.number().int().positive().max(1_000_000)

/** A newsletter as readers see it. */
const readerNewsletterSchema = z.object({
  id: newsletterId,
  name: z.string(),
  description: z.string(),
  /** True if only members get it. */
  membersOnly: z.boolean(),
  subscribed: z.boolean(),
})
export type ReaderNewsletter = z.output<typeof readerNewsletterSchema>

/** Choices of a reader. Newsletters that aren't named stay as they are. */
const newsletterChoicesSchema = z
  .array(z.object({ id: newsletterId, subscribed: z.boolean() }))
  .max(maxStoredNewsletters)
export type NewsletterChoices = z.output<typeof newsletterChoicesSchema>

/** Choices per stream. Account and billing emails are always sent. */
const choices = {
  drops: z.enum(dropsChoices),
  news: z.boolean(),
  followUps: z.boolean(),
  /** About assignments of the reader's team. */
  assignments: z.boolean(),
  replies: z.enum(repliesChoices),
}
export type EmailChoices = {
  drops: DropsChoice
  news: boolean
  followUps: boolean
  assignments: boolean
  replies: RepliesChoice
}

/** Clients of earlier versions don't send all choices. Those left out stay as they are. */
const savedChoices = {
  ...choices,
  followUps: choices.followUps.optional(),
  assignments: choices.assignments.optional(),
  replies: choices.replies.optional(),
  newsletters: newsletterChoicesSchema.optional(),
}
export type SavedEmailChoices = Pick<EmailChoices, 'drops' | 'news'> & {
  followUps?: boolean | undefined
  assignments?: boolean | undefined
  replies?: RepliesChoice | undefined
  newsletters?: NewsletterChoices | undefined
}

/** When drops arrive: with everyone else, at the hour at which the reader usually reads, or at an hour of the day. */
const dropTime = z.union([z.enum(['publication', 'usual']), z.int().min(0).max(23)])

const token = z.string().min(1).max(200)

/** Reads the unsubscribe page for the token in an email link. Needs no session. */
export const unsubscribePageCall = defineCall({
  name: 'unsubscribe-page',
  audience: 'public',
  input: z.object({ token }),
  output: z.object({
    /** Stream of the email with the link. */
    stream: emailStreamSchema,
    /** The newsletter of that stream, if the publisher added it. */
    newsletter: z.object({ name: z.string(), isRetired: z.boolean() }).nullable(),
    /** Masked, such as `m•••@example.com`. Empty if the account was deleted. */
    address: z.string(),
    choices: z.object(choices),
    /** Newsletters that the reader is or was subscribed to. */
    newsletters: z.array(readerNewsletterSchema),
    /** The reader’s own active plan, which unsubscribing doesn’t cancel. */
    plan: z.object({ name: z.string(), paidUntil: z.iso.datetime().nullable(), ends: z.boolean() }).nullable(),
  }),
})
export type UnsubscribePage = z.infer<typeof unsubscribePageCall.output>

/**
 * Saves choices with the token of an email link. Undo is the same call with the previous choices. Newsletters that the
 * reader never got can't be turned on: links are forwarded with their emails.
 */
export const saveByLinkCall = defineCall({
  name: 'save-email-choices-by-link',
  audience: 'public',
  input: z.object({ token, ...savedChoices }),
  output: z.object({ choices: z.object(choices), newsletters: z.array(readerNewsletterSchema) }),
})

/** Why an address currently receives no email. */
export const blockReasons = ['bounced', 'complained', 'manual'] as const

const emailPreferences = z.object({
  ...choices,
  /** Those in use that the reader may get, and those that they get. */
  newsletters: z.array(readerNewsletterSchema),
  /** True if the reader gets the free edition while they have no access. */
  freeEdition: z.boolean(),
  hasAccess: z.boolean(),
  /** True if the reader is on a team, where things are assigned. */
  isOnTeam: z.boolean(),
  dropTime,
  /** True if the publication sends drops at readers' hours at all. */
  dropTimeOffered: z.boolean(),
  /** The hour at which the reader usually reads; null while too little is known. */
  usualHour: z.int().min(0).max(23).nullable(),
  /** The time zone that the reader's browser last reported; null if unknown. */
  timeZone: z.string().nullable(),
  /** True if the reader allows open and click tracking. */
  allowsTracking: z.boolean(),
  /** True if the publication has tracking on at all. */
  trackingOffered: z.boolean(),
  /** Suppressions that stop a stream regardless of the choices. */
  blocked: z.array(
    z.object({
      stream: z.union([emailStreamSchema, z.literal('all')]),
      reason: z.enum(blockReasons),
      since: z.iso.datetime(),
    }),
  ),
})
export type EmailPreferences = z.infer<typeof emailPreferences>

export const emailPreferencesCall = defineCall({
  name: 'email-preferences',
  audience: 'user',
  input: z.object({}),
  output: emailPreferences,
})

/**
 * Turning a stream on also lifts its suppression after a spam complaint. `timeZone` is that of the reader's browser, in
 * which an hour is meant; an unknown one is ignored.
 */
export const saveEmailPreferencesCall = defineCall({
  name: 'save-email-preferences',
  audience: 'user',
  input: z.object({
    ...savedChoices,
    allowsTracking: z.boolean(),
    freeEdition: z.boolean().optional(),
    dropTime: dropTime.optional(),
    timeZone: z.string().min(1).max(64).optional(),
  }),
  output: emailPreferences,
})

/** Lifts the suppression after bounces, with the six-digit code emailed to the address. */
export const tryAddressAgainCall = defineCall({
  name: 'try-address-again',
  audience: 'user',
  input: z.object({ code: z.string().trim().min(6).max(10) }),
  output: emailPreferences,
})
