import { z } from 'zod'
import { defineAdminCall, defineCall } from '#shared/contracts/define-call.ts'

const instant = z.iso.datetime()
const day = z.iso.date()
const count = z.number().int().nonnegative()
const token = z.string().min(1).max(200)

export const maxGiftLinkMonths = 24
export const maxGiftLinkUses = 100_000
export const giftLinkStates = ['open', 'used_up', 'ended', 'retired'] as const

/** A gift link of the publisher, before it is used. Reading uses nothing. Fails with `gift_invalid`. */
export const giftLinkCall = defineCall({
  name: 'gift-link',
  audience: 'public',
  input: z.object({ token }),
  output: z.object({
    state: z.enum(['open', 'used_up', 'ended']),
    months: count,
    /** In the publication's time zone. */
    lastDay: day,
  }),
})
export type PublicGiftLink = z.infer<typeof giftLinkCall.output>

/**
 * Gives the caller the link's months, once per person. The same account can repeat it. Fails with `address_not_confirmed`,
 * `gift_invalid`, `gift_used`, `gift_over` and, for someone whose plan renews, `gift_already_paying`.
 */
export const applyGiftLinkCall = defineCall({
  name: 'use-gift-link',
  audience: 'user',
  input: z.object({ token }),
  output: z.object({ accessUntil: instant }),
})

const adminGiftLinkSchema = z.object({
  id: z.uuid(),
  note: z.string(),
  /** Null for viewers. */
  link: z.url().nullable(),
  state: z.enum(giftLinkStates),
  months: count,
  uses: count,
  maxUses: count,
  lastDay: day,
  createdAt: instant,
})
export type AdminGiftLink = z.infer<typeof adminGiftLinkSchema>

export const adminGiftLinksCall = defineAdminCall({
  name: 'admin-gift-links',
  roles: ['owner', 'viewer'],
  input: z.object({}),
  output: z.object({
    timeZone: z.string(),
    /** Newest first. */
    items: z.array(adminGiftLinkSchema),
  }),
})

export const adminGiftLinkUsesCall = defineAdminCall({
  name: 'admin-gift-link-uses',
  roles: ['owner'],
  input: z.object({ id: z.uuid() }),
  output: z.object({
    /** The newest 200. Without a user if the account was deleted. */
    items: z.array(
      z.object({ userId: z.uuid().nullable(), email: z.string().nullable(), usedAt: instant, accessUntil: instant }),
    ),
  }),
})
export type GiftLinkUse = z.infer<typeof adminGiftLinkUsesCall.output>['items'][number]

export const adminCreateGiftLinkCall = defineAdminCall({
  name: 'admin-create-gift-link',
  roles: ['owner'],
  stepUp: true,
  invalidates: ['admin-gift-links'],
  input: z.object({
    /** One per form, so that a repeated request creates one link. */
    requestId: z.uuid(),
    note: z.string().trim().min(1, 'Enter who the link is for').max(100),
    months: z.number().int().min(1).max(maxGiftLinkMonths),
    maxUses: z.number().int().min(1).max(maxGiftLinkUses),
    /** In the publication's time zone. */
    lastDay: day,
  }),
  output: z.object({ id: z.uuid(), link: z.url() }),
})
export type NewGiftLink = z.input<typeof adminCreateGiftLinkCall.input>

/** Nobody can use the link anymore. People who used it keep their access. */
export const adminRetireGiftLinkCall = defineAdminCall({
  name: 'admin-retire-gift-link',
  roles: ['owner'],
  invalidates: ['admin-gift-links'],
  input: z.object({ id: z.uuid() }),
  output: z.object({}),
})
