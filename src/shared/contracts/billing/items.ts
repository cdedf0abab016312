import { z } from 'zod'
import { defineAdminCall, defineCall } from '#shared/contracts/define-call.ts'
import { soldKinds } from '#shared/domain/sold-items.ts'

const cents = z.number().int()
const item = { kind: z.enum(soldKinds), id: z.string().min(1).max(200) }

const soldItemSchema = z.object({
  ...item,
  title: z.string(),
  summary: z.string(),
  /** Titles of the prompts, or what is inside a guide. */
  contents: z.array(z.string()),
  priceCents: cents,
  currency: z.string(),
  /** What follows the price; empty if no tax is collected. */
  taxText: z.string(),
})

/** Published packs and guides that are sold on their own. */
export const soldItemsCall = defineCall({
  name: 'sold-items',
  audience: 'public',
  input: z.object({}),
  output: z.object({ items: z.array(soldItemSchema) }),
})

/**
 * Opens Stripe's checkout for one item. `amountCents` is the price that the page shows; `agreed` as in `create-checkout`.
 * Fails with `plan_unavailable`, `consent_required`, and with `subscription_not_changeable` for someone who can open it.
 */
export const buyItemCall = defineCall({
  name: 'buy-item',
  audience: 'user',
  input: z.object({ ...item, amountCents: cents.positive(), agreed: z.string().max(2000).nullish() }),
  output: z.object({ url: z.url() }),
})

/** The price of an item on its own, in the currency's smallest unit; null if it isn't sold. `save` fails with `edit_conflict`. */
export const adminItemPriceCall = defineAdminCall({
  name: 'admin-item-price',
  roles: ['owner'],
  stepUp: 'save',
  invalidates: ['sold-items', 'admin-item-price'],
  input: z.object({
    ...item,
    save: z.object({ priceCents: cents.nullable(), version: z.int32().min(0) }).optional(),
  }),
  output: z.object({ priceCents: cents.nullable(), currency: z.string(), version: z.int32() }),
})
