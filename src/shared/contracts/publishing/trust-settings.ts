import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { emailSchema } from '#shared/domain/email-address.ts'

export const correctionSchema = z.object({
  date: z.iso.date('Enter a date'),
  /** Title of the item. */
  where: z.string().trim().min(1, 'Say what was corrected').max(200),
  /** Address of the item in the portal; empty for none. */
  path: z
    .string()
    .trim()
    .max(300)
    .regex(/^$|^\/portal\/[\w/#.-]+$/, 'Enter an address of the portal, such as /portal/guides'),
  /** The mistake, and the text that replaced it; plain text. */
  change: z.string().trim().min(1, 'Say what changed').max(1_000),
})
export type Correction = z.infer<typeof correctionSchema>

/** The publisher's part of the editor's page and the corrections page. */
export const trustSettingsSchema = z.object({
  /** Empty if no editor is named. */
  editorName: z.string().trim().max(100),
  /** Markdown. */
  editorBio: z.string().trim().max(3_000),
  /** Where readers write; empty for the address that replies to the newsletter go to. */
  contactEmail: emailSchema.or(z.literal('')),
  corrections: z.array(correctionSchema).max(500),
})
export type TrustSettings = z.infer<typeof trustSettingsSchema>

const versionedTrustSettingsSchema = trustSettingsSchema.extend({
  /** 0 until they are saved for the first time. */
  version: z.int32(),
})
export type VersionedTrustSettings = z.infer<typeof versionedTrustSettingsSchema>

export const adminTrustPagesCall = defineAdminCall({
  name: 'admin-trust-pages',
  roles: ['owner', 'editor'],
  /**
   * Reads the settings if `save` is missing. `version` is the one that `save` is based on; without it, `save` replaces any.
   * Fails with `edit_conflict`, and the newer settings as `current`, if it isn't the latest.
   */
  invalidates: ['trust-pages'],
  input: z.object({ save: trustSettingsSchema.optional(), version: z.int32().min(0).optional() }),
  output: versionedTrustSettingsSchema.extend({
    /** Used while `contactEmail` is empty. */
    replyAddress: z.string(),
  }),
})
export type TrustSettingsPage = z.infer<typeof adminTrustPagesCall.output>
