import { desc, eq, getTableColumns } from 'drizzle-orm'
import { readTimeZone } from '#server/db/publication-setting.ts'
import { complimentaryAccess, stripeEvent, subscriptionState, teamSeat, users } from '#server/db/schema/index.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { editorLabel } from '#server/features/identity/auth/security/editor.ts'
import type { EntitlementReport } from '#shared/contracts/billing/admin-billing.ts'
import { formatPrice } from '#shared/domain/subscription-price.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { findSameCard } from '../checkout/trial-usage-of-cards.ts'
import { findCustomerId } from '../customers/stripe-customer-ids.ts'
import { planOfProduct, productsOf } from '../stripe/plan-ids.ts'
import { withStripeErrors } from '../stripe/stripe-errors.ts'
import { storedPrice } from '../sync/stored-price.ts'
import { findSubscriptionRow, type SubscriptionRow } from '../sync/subscription-row.ts'
import { syncCustomer } from '../sync/sync-customer.ts'
import { explainEntitlement } from './explain-entitlement.ts'

const maxEvents = 50

/**
 * Why a user has access or not, for the admin's page about the user.
 * @throws AppError not_found
 */
export async function readEntitlementReport(
  deps: BillingDeps,
  userId: string,
  { seesMoney }: { seesMoney: boolean },
): Promise<EntitlementReport> {
  const describe = (row: SubscriptionRow) => ({ ...describeRow(deps, row), ...(!seesMoney && { price: null }) })
  const { db } = deps.database
  await requireUserEmail(deps, userId)
  const [customerId, subscription, [seat], [complimentary], timeZone] = await Promise.all([
    findCustomerId(db, userId),
    findSubscriptionRow(db, userId),
    db
      .select({ ownerId: teamSeat.ownerId, ownerEmail: users.email, subscription: subscriptionState })
      .from(teamSeat)
      .innerJoin(users, eq(users.id, teamSeat.ownerId))
      .innerJoin(subscriptionState, eq(subscriptionState.userId, teamSeat.ownerId))
      .where(eq(teamSeat.userId, userId)),
    db
      .select({
        ...getTableColumns(complimentaryAccess),
        grantedBy: editorLabel(complimentaryAccess.grantedBy, complimentaryAccess.grantedById),
      })
      .from(complimentaryAccess)
      .where(eq(complimentaryAccess.userId, userId)),
    readTimeZone(db),
  ])
  const sameCard = await findSameCard(db, deps, subscription)
  const facts = { subscription, team: seat?.subscription ?? null, complimentaryUntil: complimentary?.until ?? null }
  const explanation = explainEntitlement(facts, deps.clock(), productsOf(deps.config), timeZone)
  return {
    ...explanation,
    until: iso(explanation.until),
    customerId,
    subscription: subscription && describe(subscription),
    team: seat
      ? {
          ownerId: seat.ownerId,
          ownerEmail: seat.ownerEmail ?? '',
          subscription: describe(seat.subscription),
        }
      : null,
    complimentary: complimentary
      ? {
          until: complimentary.until.toISOString(),
          note: complimentary.note,
          grantedBy: complimentary.grantedBy ?? '',
          grantedAt: complimentary.grantedAt.toISOString(),
        }
      : null,
    sameCard: sameCard && { userId: sameCard.userId, email: sameCard.email },
    events: customerId ? await readEvents(deps, customerId) : [],
  }
}

/** Returns the user's email address, which may be empty. */
async function requireUserEmail(deps: BillingDeps, userId: string): Promise<string> {
  const [user] = await deps.database.db
    .select({ email: users.email, deletedAt: users.deletedAt })
    .from(users)
    .where(eq(users.id, userId))
  if (!user || user.deletedAt) throw new AppError('not_found')
  return user.email ?? ''
}

async function readEvents(deps: BillingDeps, customerId: string): Promise<EntitlementReport['events']> {
  const rows = await deps.database.db
    .select()
    .from(stripeEvent)
    .where(eq(stripeEvent.customerId, customerId))
    .orderBy(desc(stripeEvent.receivedAt), desc(stripeEvent.id))
    .limit(maxEvents)
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    createdAt: row.created.toISOString(),
    receivedAt: row.receivedAt.toISOString(),
    processedAt: iso(row.processedAt),
    attempts: row.attempts,
    error: row.lastError,
  }))
}

const iso = (instant: Date | null) => instant?.toISOString() ?? null

function describeRow(deps: BillingDeps, row: SubscriptionRow) {
  const price = storedPrice(deps.config, row)
  return {
    status: row.status,
    plan: planOfProduct(deps.config, row.productId) ?? null,
    price: price && formatPrice(price),
    productId: row.productId,
    subscriptionId: row.stripeSubscriptionId,
    currentPeriodStart: iso(row.currentPeriodStart),
    currentPeriodEnd: iso(row.currentPeriodEnd),
    cancelAt: iso(row.cancelAt),
    pauseStartsAt: iso(row.pauseStartsAt),
    pauseEndsAt: iso(row.pauseEndsAt),
    endedAt: iso(row.endedAt),
    unpaidSince: iso(row.unpaidSince),
    entitledUntil: iso(row.entitledUntil),
    trialUsed: row.trialUsed,
    testClockTime: iso(row.testClockTime),
    syncedAt: row.syncedAt.toISOString(),
  }
}

/**
 * Syncs a user's customer with Stripe and returns the fields that this corrected.
 * @throws AppError not_found, no_billing_account, stripe_unavailable
 */
export async function syncCustomerForAdmin(deps: BillingDeps, admin: Actor, userId: string) {
  const email = await requireUserEmail(deps, userId)
  const { db } = deps.database
  const customerId = await findCustomerId(db, userId)
  if (!customerId) throw new AppError('no_billing_account')
  const before = await readFields(deps, userId)
  await withStripeErrors(deps, 'admin-sync-customer', () => syncCustomer(deps, customerId))
  const after = await readFields(deps, userId)
  const changes = [...after]
    .map(([field, value]) => ({ field, before: before.get(field) ?? null, after: value }))
    .filter((change) => change.before !== change.after)
  const about = { userId, email }
  await recordAdminEvent(db, admin, { event: 'stripe_checked', about, changes, now: deps.clock() })
  return { changes }
}

/** The row's fields under their column names, the staff log's stored format. Without the sync time and money. */
async function readFields(deps: BillingDeps, userId: string): Promise<Map<string, string | null>> {
  const row = await findSubscriptionRow(deps.database.db, userId)
  if (!row) return new Map()
  const { syncedAt: _at, price: _price, ...fields } = describeRow(deps, row)
  return new Map(
    Object.entries(fields).map(([field, value]) => [toColumnName(field), value === null ? null : String(value)]),
  )
}

const toColumnName = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
