import { and, asc, eq, gt, isNull } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Tx } from '#server/db/database.ts'
import {
  billingCustomer,
  type ListedPrice,
  type stripeAdoption,
  stripeAdoptionSubscription,
  users,
} from '#server/db/schema/index.ts'
import { type BillingDeps, idOf } from '#server/features/billing/subscriptions/billing-deps.ts'
import { trialOfferMetadata } from '#server/features/billing/subscriptions/checkout/trial-usage-of-cards.ts'
import { waitForStripeCalls } from '#server/features/billing/subscriptions/stripe/stripe-call-budget.ts'
import { loadAdoptedPrices } from '#server/features/billing/subscriptions/sync/plan-subscriptions.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { createUser } from '#server/features/identity/auth/users/create-user.ts'
import { readActiveRole } from '#server/features/identity/auth/users/staff-roles.ts'
import type { Run, RunStep } from '#server/jobs/runs.ts'
import { normalizeEmail } from '#shared/domain/email-address.ts'
import { adoptionRun, endAdoption } from './adoptions.ts'
import { type PlannedCustomer, planAdoption } from './plan-adoption.ts'

type Adoption = typeof stripeAdoption.$inferSelect

/** A sync reads subscriptions, invoices, charges and the customer. */
const callsPerSync = 4

/** Lists a page of subscriptions in a step, or adopts a customer. */
export const adoptionSteps = (deps: BillingDeps): Run<typeof stripeAdoption> => ({
  kind: adoptionRun,
  step: async (run) => {
    if (run.row.status === 'listing') return listPage(deps, run)
    await loadAdoptedPrices(deps, 0)
    await adoptNext(deps, run)
  },
})

const takeCalls = (deps: BillingDeps, found: Adoption, calls: number): Promise<void> =>
  waitForStripeCalls(deps, found.createdById ?? found.id, calls)

async function listPage(deps: BillingDeps, { row: found, commit }: RunStep<Adoption>): Promise<void> {
  await takeCalls(deps, found, 2)
  const page = await deps.stripe.subscriptions.list({
    limit: 100,
    expand: ['data.customer'],
    ...(found.cursor && { starting_after: found.cursor }),
  })
  const names = await readProductNames(deps, page.data)
  const rows = page.data.map((one) => toRow(found.id, one, names))
  await commit(async (tx) => {
    if (rows.length > 0) await tx.insert(stripeAdoptionSubscription).values(rows).onConflictDoNothing()
    const listed = await tx.$count(stripeAdoptionSubscription, eq(stripeAdoptionSubscription.adoptionId, found.id))
    const isLast = !page.has_more || page.data.length === 0
    const next = isLast ? { status: 'listed', cursor: '' } : { cursor: page.data.at(-1)?.id ?? found.cursor }
    return { ...next, listed, updatedAt: deps.clock() }
  })
}

async function readProductNames(deps: BillingDeps, page: readonly Stripe.Subscription[]) {
  const ids = [...new Set(page.flatMap(({ items }) => items.data.map(({ price }) => idOf(price.product) ?? '')))]
  if (ids.length === 0) return new Map<string, string>()
  const { data } = await deps.stripe.products.list({ ids: ids.slice(0, 100), limit: 100 })
  return new Map(data.map(({ id, name }) => [id, name]))
}

function toRow(adoptionId: string, one: Stripe.Subscription, names: ReadonlyMap<string, string>) {
  const { customer } = one
  const known = typeof customer === 'object' && !customer.deleted ? customer : null
  return {
    adoptionId,
    subscriptionId: one.id,
    stripeCustomer: idOf(customer) ?? '',
    address: normalizeEmail(known?.email ?? ''),
    name: known?.name?.slice(0, 100) ?? null,
    status: one.status,
    isTrialOffer: one.status === 'trialing' && one.metadata.trial_offer === trialOfferMetadata.trial_offer,
    prices: one.items.data.map(({ price }): ListedPrice => {
      const productId = idOf(price.product) ?? ''
      const { interval = 'once', interval_count: every = 1 } = price.recurring ?? {}
      return {
        id: price.id,
        productId,
        name: names.get(productId) ?? productId,
        amountCents: price.unit_amount ?? 0,
        currency: price.currency,
        interval: every === 1 ? interval : `${every} ${interval}s`,
      }
    }),
  }
}

/** Adopts the next customer. The link commits first; a sync that fails is repeated by the next run or the daily one. */
async function adoptNext(deps: BillingDeps, { row: found, commit }: RunStep<Adoption>): Promise<void> {
  const [next] = await deps.database.db
    .select({ customer: stripeAdoptionSubscription.stripeCustomer })
    .from(stripeAdoptionSubscription)
    .where(
      and(
        eq(stripeAdoptionSubscription.adoptionId, found.id),
        gt(stripeAdoptionSubscription.stripeCustomer, found.cursor),
      ),
    )
    .orderBy(asc(stripeAdoptionSubscription.stripeCustomer))
    .limit(1)
  if (!next) return commit((tx) => endAdoption(tx, found.id, 'finished', deps.clock()))
  let isLinked = false
  await commit(async (tx, running) => {
    const now = deps.clock()
    if (!(await isByOwner(tx, running, now))) return stopForLostRole(tx, running, now)
    isLinked = await link(tx, deps, running, next.customer)
    return {}
  })
  if (isLinked) {
    await takeCalls(deps, found, callsPerSync)
    await syncCustomer(deps, next.customer, { isAdoption: true })
  }
  await commit(async () => ({ cursor: next.customer, updatedAt: deps.clock() }))
}

/** @returns whether the customer is to be synced */
async function link(tx: Tx, deps: BillingDeps, found: Adoption, customerId: string): Promise<boolean> {
  const now = deps.clock()
  const [planned] = await planAdoption(tx, deps, found.id, customerId)
  const ofCustomer = and(
    eq(stripeAdoptionSubscription.adoptionId, found.id),
    eq(stripeAdoptionSubscription.stripeCustomer, customerId),
  )
  // Linked by this run before it was killed: sync again.
  const [earlier] = await tx
    .select({ outcome: stripeAdoptionSubscription.outcome })
    .from(stripeAdoptionSubscription)
    .where(ofCustomer)
  if (earlier?.outcome) return earlier.outcome === 'new' || earlier.outcome === 'existing'
  if (!planned) return false
  await tx
    .update(stripeAdoptionSubscription)
    .set({ outcome: planned.outcome })
    .where(and(ofCustomer, isNull(stripeAdoptionSubscription.outcome)))
  if (planned.outcome !== 'new' && planned.outcome !== 'existing') return false
  const userId = planned.userId ?? (await addMember(tx, deps, planned, now))
  await tx
    .insert(billingCustomer)
    .values({ userId, stripeCustomerId: customerId, createdAt: now })
    .onConflictDoUpdate({
      target: billingCustomer.userId,
      set: { stripeCustomerId: customerId },
      setWhere: isNull(billingCustomer.stripeCustomerId),
    })
  const about = { userId, email: planned.email }
  const actor = await actorOf(tx, found)
  await recordAdminEvent(tx, actor, { event: 'stripe_customer_adopted', about, note: customerId, now })
  return true
}

/** The person who started it may have lost the role or been disabled meanwhile. */
const isByOwner = async (tx: Tx, { createdById }: Adoption, now: Date): Promise<boolean> =>
  createdById !== null && (await readActiveRole(tx, createdById, now)) === 'owner'

async function stopForLostRole(tx: Tx, found: Adoption, now: Date): Promise<Partial<Adoption>> {
  const ended = await endAdoption(tx, found.id, 'canceled', now)
  const note = 'Whoever started it is no longer an owner'
  await recordAdminEvent(tx, await actorOf(tx, found), { event: 'stripe_adoption_canceled', note, now })
  return ended
}

/** The account has no password and is unconfirmed, since Stripe's address was never confirmed by email. */
async function addMember(tx: Tx, deps: BillingDeps, { email, name }: PlannedCustomer, now: Date): Promise<string> {
  const data = name ? { full_name: name } : {}
  const { id } = await createUser(tx, deps, { email, passwordHash: null, data, createdByAdmin: true, now })
  return id
}

async function actorOf(tx: Tx, { createdById }: Adoption) {
  const [owner] = createdById
    ? await tx.select({ email: users.email }).from(users).where(eq(users.id, createdById))
    : []
  return { userId: createdById ?? '', email: owner?.email ?? 'deleted account' }
}
