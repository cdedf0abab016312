import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { subscriptionPriceSchema } from '#shared/domain/subscription-price.ts'
import { planKeySchema } from './plan-key.ts'

/** A day, so that the price is at Stripe before the renewal. */
export const minNoticeDays = 1
export const maxNoticeDays = 90
export const usualNoticeDays = 30

const count = z.number().int().nonnegative()
const cents = z.number().int()

/** Why a member isn't moved. */
export const reasonsToStay = {
  canceled: 'Canceled: the plan ends before it renews.',
  paused: 'Paused: move them once they’re back.',
  payment_failed: 'Payment failed: move them once it’s paid.',
  other_currency: 'Pays in another currency, which Stripe can’t change for a running plan.',
  other_interval: 'Pays by another interval. They can switch on their billing page.',
  unknown_price: 'The price isn’t one amount, such as a tiered price.',
  ended: 'The plan ended, or belongs to another account now.',
  other_plan: 'Switched to another plan.',
  billed_together: 'Billed together with another product. Change the price at Stripe.',
  refused: 'Stripe refused the change. Look at the subscription at Stripe.',
} as const
export type ReasonToStay = keyof typeof reasonsToStay
export const reasonsToStayKeys = Object.keys(reasonsToStay) as [ReasonToStay, ...ReasonToStay[]]

export const moveStates = ['planned', 'announced', 'moved', 'left', 'kept'] as const

const memberSchema = z.object({
  userId: z.uuid(),
  email: z.string(),
  name: z.string().nullable(),
  /** Per interval, before discounts. */
  oldCents: cents,
  newCents: cents,
  /** The first renewal at the new price. */
  at: z.iso.datetime(),
})
export type MovingMember = z.infer<typeof memberSchema>

/** Preview of a move. Also sent with its start, which is refused if it isn't the same any more. */
const totalsSchema = z.object({
  members: count,
  /** The members' monthly payment; a yearly price counts as a twelfth. */
  beforeCents: cents,
  afterCents: cents,
})

const moveSchema = z.object({
  id: z.uuid(),
  status: z.enum(['announcing', 'announced', 'moving', 'finished', 'canceling', 'canceled']),
  price: subscriptionPriceSchema,
  noticeDays: count,
  createdAt: z.iso.datetime(),
  createdBy: z.string().nullable(),
  counts: z.record(z.enum(moveStates), count),
  /** The next members to be moved, then the others. */
  members: z.array(memberSchema.extend({ state: z.enum(moveStates), reason: z.enum(reasonsToStayKeys).nullable() })),
})
export type PriceMove = z.infer<typeof moveSchema>

const output = z.object({
  price: subscriptionPriceSchema,
  version: z.number().int(),
  /** The newest move of the plan. */
  move: moveSchema.nullable(),
  totals: totalsSchema,
  /** The first members by address. */
  members: z.array(memberSchema),
  /** Members on another price who can't be moved. */
  stay: z.array(z.object({ reason: z.enum(reasonsToStayKeys), members: count, examples: z.array(z.string()) })),
})
export type PriceMovePreview = z.infer<typeof output>

const noticeDays = z.number().int().min(minNoticeDays).max(maxNoticeDays)

/** The newest move of a plan's members to its price, and what another one would change. Changes nothing. */
export const adminPriceMoveCall = defineAdminCall({
  name: 'admin-price-move',
  roles: ['owner'],
  input: z.object({ plan: planKeySchema, noticeDays }),
  output,
})

/**
 * Emails the members, and gives them the plan's price at their first renewal after the notice.
 * Fails with `edit_conflict` if the plan or what the owner agreed to has changed.
 */
export const adminStartPriceMoveCall = defineAdminCall({
  name: 'admin-start-price-move',
  roles: ['owner'],
  stepUp: true,
  invalidates: ['admin-price-move', 'admin-plans'],
  input: z.object({
    plan: planKeySchema,
    version: z.number().int(),
    noticeDays,
    totals: totalsSchema,
    /** One per page, so that a second click starts one move. */
    requestId: z.uuid(),
  }),
  output,
})

/** Members who haven't been moved keep their price, and are told so. */
export const adminCancelPriceMoveCall = defineAdminCall({
  name: 'admin-cancel-price-move',
  roles: ['owner'],
  stepUp: true,
  invalidates: ['admin-price-move', 'admin-plans'],
  input: z.object({ id: z.uuid() }),
  output,
})
