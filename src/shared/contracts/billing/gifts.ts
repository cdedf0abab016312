import { z } from 'zod'
import { defineAdminCall, defineCall } from '#shared/contracts/define-call.ts'
import { giftStates, maxMessageLength } from '#shared/domain/gifts.ts'

const instant = z.iso.datetime()
const day = z.iso.date()
const cents = z.number().int()
const count = z.number().int().nonnegative()
const token = z.string().min(1).max(200)
const address = z.string().trim().min(1).max(320)
/** Has no line breaks, because it is part of a subject. */
const personName = z
  .string()
  .trim()
  .min(1, 'Enter a name')
  .max(80)
  .regex(/^[^\p{Cc}]*$/u, 'Enter a name')

/** Price of a gift; null if the publication sells none. */
export const giftOfferCall = defineCall({
  name: 'gift-offer',
  audience: 'public',
  input: z.object({}).nullish(),
  output: z.object({
    offer: z
      .object({
        amountCents: cents,
        /** What follows the price: ", plus tax", or empty. */
        tax: z.string(),
        currency: z.string(),
        months: count,
        timeZone: z.string(),
        /** The publication's day: the first on which a gift can arrive. */
        today: day,
        lastDay: day,
      })
      .nullable(),
  }),
})

/** Opens Stripe's checkout page for a gift. Fails with `gifts_unavailable` and `gift_to_yourself`. */
export const buyGiftCall = defineCall({
  name: 'buy-gift',
  audience: 'public',
  input: z.object({
    /** One per form, so that a repeated request opens the same checkout. */
    requestId: z.uuid(),
    giverName: personName,
    giverEmail: address,
    recipientName: personName,
    recipientEmail: address,
    /** In the publication's time zone. */
    deliverOn: day,
    message: z.string().trim().max(maxMessageLength),
    /** The price that the giver saw, so that a changed price isn't charged. */
    amountCents: cents,
  }),
  output: z.object({ url: z.url() }),
})
export type NewGift = z.input<typeof buyGiftCall.input>

/** A gift as its giver sees it, by the link in the receipt. Checks with Stripe while it is unpaid. */
export const giftStatusCall = defineCall({
  name: 'gift-status',
  audience: 'public',
  input: z.object({ token }),
  output: z.object({
    state: z.enum(giftStates),
    recipientName: z.string(),
    recipientEmail: z.string(),
    message: z.string(),
    deliverOn: day,
    amountCents: cents,
    refundedCents: cents,
    currency: z.string(),
    months: count,
    sentAt: instant.nullable(),
    claimUntil: instant.nullable(),
    claimedAt: instant.nullable(),
    /** True if the email to the recipient came back. */
    bounced: z.boolean(),
    canChange: z.boolean(),
    today: day,
    lastDay: day,
  }),
})
export type GiftStatus = z.infer<typeof giftStatusCall.output>

/**
 * Changes where and when an unclaimed gift arrives. A new address of a gift that was sent gets the email at once, and the
 * earlier link stops working.
 */
export const changeGiftCall = defineCall({
  name: 'change-gift',
  audience: 'public',
  invalidates: ['gift-status'],
  input: z.object({ token, recipientEmail: address, deliverOn: day }),
  output: z.object({}),
})

/** A gift as its recipient sees it. Reading claims nothing, since scanners open links too. */
export const receivedGiftCall = defineCall({
  name: 'received-gift',
  audience: 'public',
  input: z.object({ token }),
  output: z.object({
    state: z.enum(['open', 'claimed', 'over', 'refunded']),
    giverName: z.string(),
    recipientName: z.string(),
    recipientEmail: z.string(),
    message: z.string(),
    months: count,
    claimUntil: instant,
  }),
})
export type ReceivedGift = z.infer<typeof receivedGiftCall.output>

/** Effect of a gift on someone who already pays for a plan. */
export const payerChoices = ['credit', 'refund'] as const

/**
 * Claims a gift for the caller's account. For someone who pays for a plan it fails with `gift_already_paying` and the
 * setting as `choice`, until the request repeats that as `accept`. Fails with `address_not_confirmed`, `gift_to_yourself`,
 * `gift_invalid`, `gift_used`, `gift_over` and `gift_refunded`.
 */
export const claimGiftCall = defineCall({
  name: 'claim-gift',
  audience: 'user',
  input: z.object({ token, accept: z.enum(payerChoices).nullable() }),
  output: z.object({
    outcome: z.enum(['access', 'credit', 'refund']),
    accessUntil: instant.nullable(),
    creditCents: cents,
    currency: z.string(),
  }),
})
export type ClaimedGift = z.infer<typeof claimGiftCall.output>

export const giftSettingsSchema = z.object({
  /** The plan whose price for a year a gift costs; null if none are sold. */
  plan: z.string().max(60).nullable(),
  forPayers: z.enum(payerChoices),
  /** After the time to claim: refund at once, or extend it once by the same time. */
  unclaimed: z.enum(['refund', 'extend']),
})
export type GiftSettings = z.infer<typeof giftSettingsSchema>

const listedGift = z.object({
  id: z.uuid(),
  state: z.enum(giftStates),
  giverName: z.string(),
  giverEmail: z.string(),
  recipientName: z.string(),
  recipientEmail: z.string(),
  deliverOn: day,
  paidAt: instant.nullable(),
  claimedAt: instant.nullable(),
  claimUntil: instant.nullable(),
  outcome: z.enum(['access', 'credit']).nullable(),
  refundReason: z.enum(['unclaimed', 'already_paying', 'staff', 'withdrawn']).nullable(),
  bounced: z.boolean(),
  amountCents: cents,
  refundedCents: cents,
  currency: z.string(),
})
export type ListedGift = z.infer<typeof listedGift>

export const adminGiftsCall = defineAdminCall({
  name: 'admin-gifts',
  roles: ['owner', 'viewer'],
  input: z.object({}),
  output: z.object({
    settings: giftSettingsSchema,
    version: z.int32(),
    /** Address of the page where gifts are bought. */
    link: z.url(),
    totals: z.array(
      z.object({ currency: z.string(), sold: count, claimed: count, paidCents: cents, refundedCents: cents }),
    ),
    /** Paid gifts, newest first. Addresses are masked for viewers. */
    items: z.array(listedGift),
  }),
})
export type GiftsPage = z.infer<typeof adminGiftsCall.output>

/** Based on `version`; fails with `edit_conflict`. */
export const adminSaveGiftSettingsCall = defineAdminCall({
  name: 'admin-save-gift-settings',
  roles: ['owner'],
  stepUp: true,
  input: z.object({ settings: giftSettingsSchema, version: z.int32().min(0) }),
  output: z.object({}),
})

/** Refunds a gift in full, which ends its access. */
export const adminRefundGiftCall = defineAdminCall({
  name: 'admin-refund-gift',
  roles: ['owner'],
  stepUp: true,
  invalidates: ['admin-gifts'],
  input: z.object({ id: z.uuid() }),
  output: z.object({}),
})
