import { z } from 'zod'
import { defineCall } from './define-call.ts'
import { streams } from './newsletter.ts'

export const dropsChoices = ['weekly', 'monthly', 'off'] as const
export type DropsChoice = (typeof dropsChoices)[number]

/** What a reader may choose for each stream. Account and billing mail is no choice: it always comes. */
const choices = { drops: z.enum(dropsChoices), news: z.boolean() }
export type EmailChoices = { drops: DropsChoice; news: boolean }

const token = z.string().min(1).max(200)

/** What the unsubscribe page shows to whoever holds the link of a mail, signed in or not. Changes nothing. */
export const unsubscribePageCall = defineCall({
  name: 'unsubscribe-page',
  audience: 'public',
  input: z.object({ token }),
  output: z.object({
    /** What the mail that brought the link was. */
    stream: z.enum(streams),
    /** Enough for its owner to know it: `m•••@example.com`. Empty once the account is gone. */
    address: z.string(),
    choices: z.object(choices),
    /** A running plan of their own: what stays paid for, whatever they get by mail. */
    plan: z.object({ name: z.string(), paid_until: z.iso.datetime().nullable(), ends: z.boolean() }).nullable(),
  }),
})
export type UnsubscribePage = z.infer<typeof unsubscribePageCall.output>

/** By the link of a mail alone. Undo is the same call with what was there before. */
export const saveByLinkCall = defineCall({
  name: 'save-mail-choices-by-link',
  audience: 'public',
  input: z.object({ token, ...choices }),
  output: z.object({ choices: z.object(choices) }),
})

/** Why nothing is written to somebody's address at the moment. */
export const blockReasons = ['bounced', 'complained', 'manual'] as const

const emailPreferences = z.object({
  ...choices,
  /** Whether the reader allows open and click tracking. */
  allowsTracking: z.boolean(),
  /** Whether the publication has tracking on at all. */
  trackingOffered: z.boolean(),
  /** What stops a stream beside the choices above. */
  blocked: z.array(
    z.object({ stream: z.enum(['drops', 'news', 'all']), reason: z.enum(blockReasons), since: z.iso.datetime() }),
  ),
})
export type EmailPreferences = z.infer<typeof emailPreferences>

export const emailPreferencesCall = defineCall({
  name: 'mail-preferences',
  audience: 'user',
  input: z.object({}),
  output: emailPreferences,
})

/** Turning a stream on again also takes back that one of its mails was called spam: the member asks for it by name. */
export const saveEmailPreferencesCall = defineCall({
  name: 'save-mail-preferences',
  audience: 'user',
  input: z.object({ ...choices, allowsTracking: z.boolean() }),
  output: emailPreferences,
})

/** After mail came back: the six digits that reached the address show that it works again. */
export const tryAddressAgainCall = defineCall({
  name: 'try-address-again',
  audience: 'user',
  input: z.object({ code: z.string().trim().min(6).max(10) }),
  output: emailPreferences,
})
