import { eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { complimentaryAccess } from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import type { BillingOverview, BillingStanding } from '#shared/contracts/billing.ts'
import { entitlement } from '#shared/domain/entitlement.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from './billing-deps.ts'
import { findCustomerId, findLiving } from './customer.ts'
import { readAtStripeOnce } from './overview-cache.ts'
import { knownProductIds, planOfProduct, productsOf } from './plan-ids.ts'
import { hurried } from './stripe-client.ts'
import { describeFailure } from './stripe-errors.ts'
import { findSubscriptionRow, type SubscriptionRow } from './subscription-row.ts'
import { syncCustomer } from './sync-customer.ts'
import { trialDaysFor } from './trial-had.ts'

/**
 * What the billing page shows: from our row what does not need Stripe, so that the page says how things stand while
 * Stripe is away, and from Stripe the money.
 */
export async function readBillingOverview(deps: BillingDeps, who: Reader): Promise<BillingOverview> {
  const stored = await readStored(deps, who)
  const { customerId, row } = stored
  if (!customerId) return describe(deps, who, stored, nothingAtStripe)
  const atStripe = await askStripe(deps, { userId: who.userId, customerId, row })
  if (atStripe !== 'gone') return describe(deps, who, stored, atStripe)
  // Deleted at Stripe, and we had not heard. After this nothing is left to ask there, unless a new customer was made.
  const healed = await heal(deps, customerId)
  const now = healed ? await readStored(deps, who) : stored
  return describe(deps, who, now, now.customerId ? null : nothingAtStripe)
}

type Reader = Pick<Principal, 'userId' | 'email' | 'team'>
type Stored = Awaited<ReturnType<typeof readStored>>

async function readStored(deps: BillingDeps, who: Reader) {
  const { db } = deps.database
  const [customerId, row, [gift]] = await Promise.all([
    findCustomerId(db, who.userId),
    findSubscriptionRow(db, who.userId),
    db.select().from(complimentaryAccess).where(eq(complimentaryAccess.userId, who.userId)),
  ])
  return { customerId, row, gift, trialDays: await trialDaysFor(deps, who.email, row) }
}

function describe(
  deps: BillingDeps,
  who: Reader,
  { customerId, row, gift, trialDays }: Stored,
  atStripe: BillingOverview['atStripe'],
): BillingOverview {
  const now = deps.clock()
  const standing = standingOf(row)
  const runs = standing !== 'none' && standing !== 'ended'
  const grace = standing === 'past_due' ? entitlement(row, now, knownProductIds(deps.config)) : null
  return {
    standing,
    plan: (runs && planOfProduct(deps.config, row?.productId ?? null)) || null,
    periodEnd: runs ? iso(row?.currentPeriodEnd) : null,
    endsAt: standing === 'ending' ? iso(row?.cancelAt) : null,
    accessUntil: iso(grace?.until),
    accessOver: grace?.entitled === false,
    complimentaryUntil: gift && gift.until > now ? iso(gift.until) : null,
    onSeat: entitlement(who.team, now, productsOf(deps.config).team).entitled,
    trialDays,
    hasCustomer: customerId !== null,
    atStripe,
  }
}

export async function readTrialOffer(deps: BillingDeps, who: Omit<Reader, 'team'>): Promise<{ days: number }> {
  const row = deps.config.trialDays > 0 ? await findSubscriptionRow(deps.database.db, who.userId) : null
  return { days: await trialDaysFor(deps, who.email, row) }
}

const nothingAtStripe = { next: null, due: null, card: null, discounts: [], credit: null, invoices: [] }

const iso = (instant: Date | null | undefined) => instant?.toISOString() ?? null

export function standingOf(row: Pick<SubscriptionRow, 'status' | 'cancelAt'> | null): BillingStanding {
  switch (row?.status) {
    case 'active':
    case 'trialing':
      return row.cancelAt ? 'ending' : row.status
    case 'past_due':
      return 'past_due'
    case 'unpaid':
    case 'paused':
      return 'on_hold'
    case 'canceled':
      return 'ended'
    default:
      return 'none'
  }
}

/** Null when Stripe does not answer. */
async function askStripe(deps: BillingDeps, about: Parameters<typeof readAtStripeOnce>[1]) {
  const { customerId } = about
  try {
    return await readAtStripeOnce(deps, about)
  } catch (error) {
    if (error instanceof AppError) throw error
    const refused = error instanceof Stripe.errors.StripeInvalidRequestError
    if (refused && (await isGone(deps, customerId))) return 'gone'
    deps.logger.warn({ customerId, ...describeFailure(error) }, 'the billing page is shown without what Stripe knows')
    return null
  }
}

/** Something else may have vanished in the meantime; only Stripe's word on the customer tells. */
const isGone = (deps: BillingDeps, customerId: string): Promise<boolean> =>
  findLiving(deps, customerId, hurried).then(
    (living) => living === null,
    () => false,
  )

async function heal(deps: BillingDeps, customerId: string): Promise<boolean> {
  deps.logger.warn({ customerId }, 'the Stripe customer is gone; the billing page found out')
  try {
    await syncCustomer(deps, customerId, { inHurry: true })
    return true
  } catch (error) {
    deps.logger.warn({ customerId, ...describeFailure(error) }, 'the look at Stripe failed')
    return false
  }
}
