import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { maxNewsletters, newsletterLimits } from '#shared/domain/newsletters.ts'
import { fieldLine } from '#shared/domain/read-field-value.ts'
import { replyToSchema } from './sending-settings.ts'

const newsletterIdSchema = z.number().int().positive().max(1_000_000)
const text = z.string()
const line = (what: string, max: number) => fieldLine(max, `Use at most ${max} characters for the ${what}`)

const storedNewsletterSchema = z.object({
  id: newsletterIdSchema,
  name: text,
  description: text,
  /** Empty for the publication's own, as are the address and Reply-To. */
  senderName: text,
  senderAddress: text,
  replyTo: text,
  membersOnly: z.boolean(),
  subscribesNewMembers: z.boolean(),
  retiredAt: z.iso.datetime().nullable(),
  version: z.number().int(),
  updatedAt: z.iso.datetime(),
  updatedBy: text.nullable(),
})
export type StoredNewsletter = z.output<typeof storedNewsletterSchema>

const newslettersOutput = z.object({ items: z.array(storedNewsletterSchema) })

/** All newsletters that the publisher added, in order, retired ones included. */
export const adminNewslettersCall = defineAdminCall({
  name: 'admin-newsletters',
  roles: ['owner', 'editor', 'support'],
  input: z.object({}),
  output: newslettersOutput,
})

const count = z.number().int().nonnegative()

/** Readers and mailings of each newsletter, and whom a new one could be sent to. */
export const adminNewsletterFiguresCall = defineAdminCall({
  name: 'admin-newsletter-figures',
  roles: ['owner', 'editor'],
  input: z.object({}),
  output: z.object({
    items: z.array(
      z.object({
        id: newsletterIdSchema,
        subscribed: count,
        unsubscribed: count,
        /** Mailings whose sending has begun. */
        sent: count,
        lastSentAt: z.iso.datetime().nullable(),
      }),
    ),
    /** Members that a new newsletter can be given to: all except those who turned off drops and news. */
    everyone: count,
    /** The publication's sender. A newsletter's own address is at this domain. */
    sender: z.object({ name: text, address: text }),
  }),
})
export type NewsletterFigures = z.output<typeof adminNewsletterFiguresCall.output>

/**
 * Creates or changes a newsletter. `subscribesExisting` subscribes today's members to a new one, except those who turned
 * off drops and news. Fails with `edit_conflict` if someone else has saved it.
 */
export const adminSaveNewsletterCall = defineAdminCall({
  name: 'admin-save-newsletter',
  roles: ['owner'],
  stepUp: true,
  invalidates: ['admin-newsletter-figures'],
  input: z.object({
    /** Null for a new one. */
    id: newsletterIdSchema.nullable(),
    /** The version that was edited; 0 for a new one. */
    version: z.number().int().nonnegative(),
    name: line('name', newsletterLimits.name).refine(Boolean, 'Enter a name'),
    description: line('description', newsletterLimits.description),
    senderName: line('sender’s name', newsletterLimits.name),
    senderAddress: replyToSchema.transform((address) => address.toLowerCase()),
    replyTo: replyToSchema,
    membersOnly: z.boolean(),
    subscribesNewMembers: z.boolean(),
    /** Settings that only a new one takes. */
    subscribesExisting: z.boolean(),
  }),
  output: newslettersOutput,
})
export type NewsletterToSave = z.output<typeof adminSaveNewsletterCall.input>

/** Ends a newsletter or puts it back in use. Subscriptions and mailings stay. */
export const adminRetireNewsletterCall = defineAdminCall({
  name: 'admin-retire-newsletter',
  roles: ['owner'],
  stepUp: true,
  invalidates: ['admin-newsletter-figures'],
  input: z.object({ id: newsletterIdSchema, version: z.number().int(), retired: z.boolean() }),
  output: newslettersOutput,
})

/** Stores the order. Names all newsletters that aren't retired. */
export const adminOrderNewslettersCall = defineAdminCall({
  name: 'admin-order-newsletters',
  roles: ['owner'],
  invalidates: ['admin-newsletter-figures'],
  input: z.object({ ids: z.array(newsletterIdSchema).max(maxNewsletters) }),
  output: newslettersOutput,
})
