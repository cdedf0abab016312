import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { isEmailAddress } from '#shared/domain/email-address.ts'

/** The part of an address after the @, in lower case. */
const domainName = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/

/** A receiving domain; `*` applies to every domain that isn't listed. */
export const receivingDomainSchema = z
  .string()
  .trim()
  .toLowerCase()
  .refine((text) => text === '*' || domainName.test(text), 'Enter a domain such as gmail.com, or * for all others')

/** How fast email is sent. Null means no limit. */
export const sendingLimitsSchema = z.object({
  /** At least one email per 10 seconds. A slower rate would delay the next mailing. */
  perSecond: z.number().min(0.1).max(10_000).nullable(),
  perHour: z.number().int().positive().nullable(),
  /** Emails per hour to one receiving domain; `*` applies to every domain that isn't listed. */
  perDomainHour: z.record(receivingDomainSchema, z.number().int().positive()),
  /** A new sending domain starts with `firstDay` emails, multiplied by `growth` each day until a day reaches `end`. */
  warmUp: z
    .object({
      /** Day in the publication's time zone. */
      startedOn: z.iso.date(),
      firstDay: z.number().int().positive(),
      growth: z.number().min(1).max(5),
      end: z.number().int().positive(),
    })
    .nullable(),
})

/** Normalizes line breaks to \n and removes empty lines and characters that an email can't show. */
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
  .refine((text) => text === '' || text.length >= 10, 'Enter a complete postal address')
  .refine((text) => text.length <= postalAddressLimits.characters, 'Use at most 300 characters')
  .refine((text) => text.split('\n').length <= postalAddressLimits.lines, 'Use at most 6 lines')

/** Empty for none. */
export const replyToSchema = z
  .string()
  .trim()
  .max(254)
  .refine((text) => text === '' || isEmailAddress(text.toLowerCase()), 'Enter a valid email address')

export const sendingSettingsSchema = z.object({
  /** IANA name, such as America/New_York. */
  timeZone: z.string().max(80),
  limits: sendingLimitsSchema,
  /** True if opens and clicks may be counted, for readers who allow it. */
  tracking: z.boolean(),
  /** True if drops can reach each reader at their own hour. If missing, a save keeps the current one. Default: false. */
  readerHours: z.boolean().optional(),
  /** Use of the digest created on the first of each month. Default: `draft`. */
  digest: z.enum(['draft', 'send']).optional(),
  /** Where replies to list email go; empty for the sender's own address. If missing, a save keeps the current one. */
  replyTo: replyToSchema.optional(),
  /** In the footer of every list email; empty for none. If missing, a save keeps the current one. */
  postalAddress: postalAddressSchema.optional(),
})
export type SendingSettings = z.infer<typeof sendingSettingsSchema>

const versionedSendingSettingsSchema = sendingSettingsSchema.extend({
  /** 0 until they are saved for the first time. */
  version: z.int32(),
})
export type VersionedSendingSettings = z.infer<typeof versionedSendingSettingsSchema>

export const adminSendingSettingsCall = defineAdminCall({
  name: 'admin-sending-settings',
  // For all roles, since every admin page shows times in the publication's time zone.
  roles: ['owner', 'editor', 'support', 'viewer'],
  saveRoles: ['owner', 'editor'],
  stepUp: 'save',
  /**
   * Reads the settings if `save` is missing. `version` is the one that `save` is based on; without it, `save` replaces any.
   * Fails with `edit_conflict`, and the newer settings as `current`, if it isn't the latest.
   */
  input: z.object({ save: sendingSettingsSchema.optional(), version: z.int32().min(0).optional() }),
  output: versionedSendingSettingsSchema.extend({
    /** Used while `postalAddress` is empty; null where list email isn't sent without one. */
    samplePostalAddress: z.string().nullable(),
    /** True if automatic email waits for an owner, after a restore. */
    isOnHold: z.boolean(),
    senderAddress: z.string(),
  }),
})
export type SendingSettingsPage = z.infer<typeof adminSendingSettingsCall.output>
