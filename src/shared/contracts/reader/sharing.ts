import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'
import { itemRefSchema } from '#shared/contracts/library/content-items.ts'

/** A receipt's id is its month. */
const shareableKinds = ['section', 'prompt', 'receipt'] as const
export type ShareableKind = (typeof shareableKinds)[number]

/** A link works this long. */
export const shareLinkHours = 72

/** Links that a member can create within 24 hours. */
export const maxShareLinksPerDay = 20

const shareableRefSchema = itemRefSchema.extend({ kind: z.enum(shareableKinds) })

const shareLinkSchema = shareableRefSchema.extend({
  linkId: z.uuid(),
  title: z.string(),
  showsBusiness: z.boolean(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
export type ShareLink = z.infer<typeof shareLinkSchema>

/** Creates a link to one section, prompt or receipt for people without an account. The URL is returned only here. */
export const shareItemCall = defineCall({
  name: 'share-item',
  audience: 'subscriber',
  invalidates: ['share-links'],
  input: shareableRefSchema.extend({ showsBusiness: z.boolean() }),
  output: z.object({ url: z.url(), link: shareLinkSchema }),
})

/** The member's links that still work, newest first. */
export const shareLinksCall = defineCall({
  name: 'share-links',
  audience: 'subscriber',
  input: z.object({}),
  output: z.object({
    links: z.array(shareLinkSchema),
    /** Name of the business on links that name it; null if the profile has no name. */
    businessName: z.string().nullable(),
  }),
})

/** `ended` is false if the link had ended before. */
export const endShareLinkCall = defineCall({
  name: 'end-share-link',
  audience: 'subscriber',
  invalidates: ['share-links'],
  input: z.object({ linkId: z.uuid() }),
  output: z.object({ ended: z.boolean() }),
})
