import { eq } from 'drizzle-orm'
import { complimentaryAccess } from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import type { BillingOverview, BillingStanding } from '#shared/contracts/billing.ts'
import { entitlement } from '#shared/domain/entitlement.ts'
import type { BillingDeps } from './billing-deps.ts'
import { findCustomerId } from './customer.ts'
import { readBillingAtStripe } from './overview-at-stripe.ts'
import { knownProductIds, planOfProduct, productsOf } from './plan-ids.ts'
import { describeFailure } from './stripe-errors.ts'
import { findSubscriptionRow, type SubscriptionRow } from './subscription-row.ts'

/**
 * What the billing page shows: from our row what does not need Stripe, so that the page says how things stand while
 * Stripe is away, and from Stripe the money.
 */
export async function readBillingOverview(
  deps: BillingDeps,
  who: Pick<Principal, 'userId' | 'team'>,
): Promise<BillingOverview> {
  const { db } = deps.database
  const [customerId, row, [gift]] = await Promise.all([
    findCustomerId(db, who.userId),
    findSubscriptionRow(db, who.userId),
    db.select().from(complimentaryAccess).where(eq(complimentaryAccess.userId, who.userId)),
  ])
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
    trialDays: row?.trialUsed ? 0 : deps.config.trialDays,
    hasCustomer: customerId !== null,
    atStripe: customerId ? await askStripe(deps, customerId, row) : nothingAtStripe,
  }
}

export async function readTrialOffer(deps: BillingDeps, userId: string): Promise<{ days: number }> {
  const row = deps.config.trialDays > 0 ? await findSubscriptionRow(deps.database.db, userId) : null
  return { days: row?.trialUsed ? 0 : deps.config.trialDays }
}

const nothingAtStripe = { next: null, due: null, card: null, discounts: [], creditCents: 0, invoices: [] }

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

async function askStripe(deps: BillingDeps, customerId: string, row: SubscriptionRow | null) {
  try {
    return await readBillingAtStripe(deps, customerId, row)
  } catch (error) {
    deps.logger.warn({ customerId, ...describeFailure(error) }, 'the billing page is shown without what Stripe knows')
    return null
  }
}
