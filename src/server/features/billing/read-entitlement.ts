import { desc, eq } from 'drizzle-orm'
import { complimentaryAccess, stripeEvent, subscriptionState, teamSeat, users } from '#server/db/schema/index.ts'
import { type Actor, recordAdminEvent } from '#server/features/auth/security/admin-event.ts'
import type { EntitlementReport } from '#shared/contracts/admin-billing.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from './billing-deps.ts'
import { findCustomerId } from './customer.ts'
import { explainEntitlement } from './explain-entitlement.ts'
import { planOfProduct, productsOf } from './plan-ids.ts'
import { askingStripe } from './stripe-errors.ts'
import { findSubscriptionRow, type SubscriptionRow } from './subscription-row.ts'
import { syncCustomer } from './sync-customer.ts'

const eventsShown = 50

/** @throws AppError not_found */
export async function readEntitlement(deps: BillingDeps, userId: string): Promise<EntitlementReport> {
  const { db } = deps.database
  await requireUser(deps, userId)
  const [customerId, subscription, [seat], [gift]] = await Promise.all([
    findCustomerId(db, userId),
    findSubscriptionRow(db, userId),
    db
      .select({ ownerId: teamSeat.ownerId, ownerEmail: users.email, subscription: subscriptionState })
      .from(teamSeat)
      .innerJoin(users, eq(users.id, teamSeat.ownerId))
      .innerJoin(subscriptionState, eq(subscriptionState.userId, teamSeat.ownerId))
      .where(eq(teamSeat.userId, userId)),
    db.select().from(complimentaryAccess).where(eq(complimentaryAccess.userId, userId)),
  ])
  const access = { subscription, team: seat?.subscription ?? null, complimentaryUntil: gift?.until ?? null }
  const verdict = explainEntitlement(access, deps.clock(), productsOf(deps.config))
  return {
    ...verdict,
    until: iso(verdict.until),
    customer_id: customerId,
    subscription: subscription && factsOf(deps, subscription),
    team: seat
      ? {
          owner_id: seat.ownerId,
          owner_email: seat.ownerEmail ?? '',
          subscription: factsOf(deps, seat.subscription),
        }
      : null,
    gift: gift
      ? {
          until: gift.until.toISOString(),
          note: gift.note,
          granted_by: gift.grantedBy,
          granted_at: gift.grantedAt.toISOString(),
        }
      : null,
    events: customerId ? await readLedger(deps, customerId) : [],
  }
}

/** Their address, which may be empty. */
async function requireUser(deps: BillingDeps, userId: string): Promise<string> {
  const [user] = await deps.database.db
    .select({ email: users.email, deletedAt: users.deletedAt })
    .from(users)
    .where(eq(users.id, userId))
  if (!user || user.deletedAt) throw new AppError('not_found')
  return user.email ?? ''
}

async function readLedger(deps: BillingDeps, customerId: string): Promise<EntitlementReport['events']> {
  const lines = await deps.database.db
    .select()
    .from(stripeEvent)
    .where(eq(stripeEvent.customerId, customerId))
    .orderBy(desc(stripeEvent.receivedAt), desc(stripeEvent.id))
    .limit(eventsShown)
  return lines.map((line) => ({
    id: line.id,
    type: line.type,
    created_at: line.created.toISOString(),
    received_at: line.receivedAt.toISOString(),
    processed_at: iso(line.processedAt),
    attempts: line.attempts,
    error: line.lastError,
  }))
}

const iso = (instant: Date | null) => instant?.toISOString() ?? null

const factsOf = (deps: BillingDeps, row: SubscriptionRow) => ({
  status: row.status,
  plan: planOfProduct(deps.config, row.productId) ?? null,
  product_id: row.productId,
  subscription_id: row.stripeSubscriptionId,
  current_period_start: iso(row.currentPeriodStart),
  current_period_end: iso(row.currentPeriodEnd),
  cancel_at: iso(row.cancelAt),
  ended_at: iso(row.endedAt),
  unpaid_since: iso(row.unpaidSince),
  entitled_until: iso(row.entitledUntil),
  trial_used: row.trialUsed,
  test_clock_time: iso(row.testClockTime),
  synced_at: row.syncedAt.toISOString(),
})

/** What an admin need not be told of: that a look was taken changes nothing. */
const unsaid: ReadonlySet<string> = new Set(['synced_at'])

/**
 * Looks at Stripe for somebody and says what our row had wrong.
 * @throws AppError not_found, no_billing_account, stripe_unavailable
 */
export async function checkStripe(deps: BillingDeps, admin: Actor, userId: string) {
  const email = await requireUser(deps, userId)
  const { db } = deps.database
  const customerId = await findCustomerId(db, userId)
  if (!customerId) throw new AppError('no_billing_account')
  const before = await findSubscriptionRow(db, userId)
  await askingStripe(deps, 'admin-check-stripe', () => syncCustomer(deps, customerId))
  const after = await findSubscriptionRow(db, userId)
  const told = (row: SubscriptionRow | null) => (row ? new Map(Object.entries(factsOf(deps, row))) : new Map())
  const [old, present] = [told(before), told(after)]
  const text = (value: unknown) => (value === null || value === undefined ? null : String(value))
  const changes = [...present]
    .map(([field, value]) => ({ field, before: text(old.get(field)), after: text(value) }))
    .filter(({ field, before: then, after: now }) => then !== now && !unsaid.has(field))
  const about = { userId, email }
  await recordAdminEvent(db, admin, { event: 'stripe_checked', about, changes, now: deps.clock() })
  return { changes }
}
