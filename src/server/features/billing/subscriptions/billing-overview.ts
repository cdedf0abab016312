import { eq } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import Stripe from 'stripe'
import { complimentaryAccess } from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import { maskEmail } from '#server/mail/mask-email.ts'
import type { BillingOverview, BillingStatus } from '#shared/contracts/billing/billing.ts'
import { entitlement, isPaused } from '#shared/domain/entitlement.ts'
import { formatPrice } from '#shared/domain/subscription-price.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from './billing-deps.ts'
import { mostTrialDays, trialDaysFor } from './checkout/trial-usage.ts'
import { findSameCard } from './checkout/trial-usage-of-cards.ts'
import { fetchCustomer, findCustomerId } from './customers/stripe-customer-ids.ts'
import { findPriceChange, type PriceChange } from './price-change.ts'
import { knownProductIds, planOfProduct, productsOf } from './stripe/plan-ids.ts'
import { mayBeVisitingStripe, takeStripeCalls } from './stripe/stripe-call-budget.ts'
import { describeFailure } from './stripe/stripe-errors.ts'
import { fetchStripeOverview, interactiveRequest } from './stripe/stripe-overview.ts'
import { storedPrice } from './sync/stored-price.ts'
import { findSubscriptionRow, type SubscriptionRow } from './sync/subscription-row.ts'
import { syncCustomer } from './sync/sync-customer.ts'

type StripeOverview = NonNullable<BillingOverview['stripe']> | 'deleted'
type Entry = { version: string; at: number; result: Promise<StripeOverview> }

const ttlMs = 3_000
const callsPerFetch = 5

/** One cache per database, so that two servers in one process don't share entries. */
const caches = new WeakMap<object, LRUCache<string, Entry>>()

/**
 * `fetchStripeOverview`, cached for a few seconds. Each sync on any node raises the row's `syncSeq`, which invalidates
 * the entry. Users who may be on Stripe's own pages, or have an invoice to pay there, always get fresh data.
 * @throws AppError over_request_rate_limit; errors from Stripe
 */
async function readStripeOverviewCached(
  deps: BillingDeps,
  {
    userId,
    customerId,
    row,
    priceChange,
  }: { userId: string; customerId: string; row: SubscriptionRow | null; priceChange: PriceChange | null },
): Promise<StripeOverview> {
  const cache = caches.get(deps.database) ?? new LRUCache<string, Entry>({ max: 5_000 })
  caches.set(deps.database, cache)
  const version = `${customerId} ${row?.syncSeq} ${priceChange?.pendingPriceId}`
  const needsFresh = Boolean(row?.invoiceDueAt) || (await mayBeVisitingStripe(deps, userId))
  const now = deps.clock().getTime()
  const cached = cache.get(userId)
  if (!needsFresh && cached?.version === version && Math.abs(now - cached.at) < ttlMs) return cached.result
  const result = takeStripeCalls(deps, userId, callsPerFetch).then(() =>
    fetchStripeOverview(deps, customerId, row, priceChange),
  )
  cache.set(userId, { version, at: now, result })
  result.catch(() => {
    if (cache.peek(userId)?.result === result) cache.delete(userId)
  })
  return result
}

type Viewer = Pick<Principal, 'userId' | 'email' | 'team'>
type Stored = Awaited<ReturnType<typeof readStored>>

/** Data of the billing page: the plan from our database, so it shows during a Stripe outage, and payments from Stripe. */
export async function readBillingOverview(deps: BillingDeps, who: Viewer): Promise<BillingOverview> {
  const stored = await readStored(deps, who)
  const { customerId, row, priceChange } = stored
  if (!customerId) return toOverview(deps, who, stored, emptyStripeOverview)
  const stripe = await readStripeOverview(deps, { userId: who.userId, customerId, row, priceChange })
  if (stripe !== 'deleted') return toOverview(deps, who, stored, stripe)
  // The customer was deleted at Stripe before its webhook arrived. The sync usually detaches it.
  const isSynced = await syncDeletedCustomer(deps, customerId)
  const current = isSynced ? await readStored(deps, who) : stored
  return toOverview(deps, who, current, current.customerId ? null : emptyStripeOverview)
}

async function readStored(deps: BillingDeps, who: Viewer) {
  const { db } = deps.database
  const [customerId, row, [complimentary]] = await Promise.all([
    findCustomerId(db, who.userId),
    findSubscriptionRow(db, who.userId),
    db.select().from(complimentaryAccess).where(eq(complimentaryAccess.userId, who.userId)),
  ])
  const [trialDays, sameCard, priceChange] = await Promise.all([
    trialDaysFor(deps, who.email, row),
    findSameCard(db, deps, row),
    findPriceChange(deps, db, row),
  ])
  return { customerId, row, complimentary, trialDays, sameCard, priceChange }
}

function toOverview(
  deps: BillingDeps,
  who: Viewer,
  { customerId, row, complimentary, trialDays, sameCard, priceChange }: Stored,
  stripe: BillingOverview['stripe'],
): BillingOverview {
  const now = deps.clock()
  const status = billingStatusOf(row, now)
  const hasPlan = status !== 'none' && status !== 'ended'
  const grace = status === 'past_due' ? entitlement(row, now, knownProductIds(deps.config)) : null
  return {
    status,
    plan: (hasPlan && planOfProduct(deps.config, row?.productId ?? null)) || null,
    price: priceChange?.from ?? (hasPlan && row ? storedPrice(deps.config, row) : null),
    priceChange: priceChange && { price: priceChange.to, at: priceChange.at.toISOString() },
    periodEnd: hasPlan ? iso(row?.currentPeriodEnd) : null,
    endsAt: status === 'ending' ? iso(row?.cancelAt) : null,
    pause: row?.pauseStartsAt ? { startsAt: row.pauseStartsAt.toISOString(), endsAt: iso(row.pauseEndsAt) } : null,
    otherAddressOnCard: sameCard && maskEmail(sameCard.email),
    accessUntil: iso(grace?.until),
    graceEnded: grace?.entitled === false,
    complimentaryUntil: complimentary && complimentary.until > now ? iso(complimentary.until) : null,
    isGift: complimentary?.source.startsWith('gift') ?? false,
    isPaidOnce: complimentary?.source === 'purchase',
    hasTeamAccess: entitlement(who.team, now, productsOf(deps.config).team).entitled,
    trialDays,
    hasCustomer: customerId !== null,
    stripe,
  }
}

export async function readTrialOffer(deps: BillingDeps, who: Omit<Viewer, 'team'>): Promise<{ days: number }> {
  const row = mostTrialDays(deps.config) > 0 ? await findSubscriptionRow(deps.database.db, who.userId) : null
  return { days: await trialDaysFor(deps, who.email, row) }
}

/** For the plan cards, which otherwise show what new members pay. */
export async function readOwnPrice(deps: BillingDeps, userId: string): Promise<{ price: string | null }> {
  const row = await findSubscriptionRow(deps.database.db, userId)
  const status = billingStatusOf(row, deps.clock())
  const hasPlan = row && status !== 'none' && status !== 'ended'
  const change = await findPriceChange(deps, deps.database.db, row)
  const price = change?.from ?? (hasPlan ? storedPrice(deps.config, row) : null)
  return { price: price && formatPrice(price) }
}

const emptyStripeOverview = {
  nextPayment: null,
  amountDue: null,
  card: null,
  discounts: [],
  paysByInvoice: false,
  credit: null,
  invoices: [],
}

const iso = (instant: Date | null | undefined) => instant?.toISOString() ?? null

type StatusFacts = Pick<SubscriptionRow, 'status' | 'cancelAt' | 'pauseStartsAt' | 'testClockTime'>

export function billingStatusOf(row: StatusFacts | null, now: Date): BillingStatus {
  switch (row?.status) {
    case 'active':
    case 'trialing':
      if (isPaused(row, now)) return 'paused'
      return row.cancelAt ? 'ending' : row.status
    case 'past_due':
      return 'past_due'
    case 'paused':
      return 'paused'
    case 'unpaid':
      return 'on_hold'
    case 'canceled':
      return 'ended'
    default:
      return 'none'
  }
}

/** Returns null when Stripe doesn't answer. */
async function readStripeOverview(deps: BillingDeps, of: Parameters<typeof readStripeOverviewCached>[1]) {
  const { customerId } = of
  try {
    return await readStripeOverviewCached(deps, of)
  } catch (error) {
    if (error instanceof AppError) throw error
    const isRefused = error instanceof Stripe.errors.StripeInvalidRequestError
    if (isRefused && (await isDeleted(deps, customerId))) return 'deleted'
    deps.logger.warn({ customerId, ...describeFailure(error) }, 'billing page shown without data from Stripe')
    return null
  }
}

/** Retrieves the customer itself: a missing subscription or invoice doesn't prove that the customer was deleted. */
const isDeleted = (deps: BillingDeps, customerId: string): Promise<boolean> =>
  fetchCustomer(deps, customerId, interactiveRequest).then(
    (customer) => customer === null,
    () => false,
  )

async function syncDeletedCustomer(deps: BillingDeps, customerId: string): Promise<boolean> {
  deps.logger.warn({ customerId }, 'billing page found that the Stripe customer was deleted')
  try {
    await syncCustomer(deps, customerId, { interactive: true })
    return true
  } catch (error) {
    deps.logger.warn({ customerId, ...describeFailure(error) }, 'customer sync failed')
    return false
  }
}
