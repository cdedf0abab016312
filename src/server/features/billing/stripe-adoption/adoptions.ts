import { desc, eq, inArray, lt, sql } from 'drizzle-orm'
import { type Db, queryRows, type Tx } from '#server/db/database.ts'
import { adoptedPrice, stripeAdoption, stripeAdoptionSubscription, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { planOfProduct } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { loadAdoptedPrices, planOfStripePrice } from '#server/features/billing/subscriptions/sync/plan-subscriptions.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { createdBy } from '#server/features/identity/auth/security/editor.ts'
import { defineRunKind } from '#server/jobs/runs.ts'
import {
  type AdoptablePrice,
  type AdoptionOutcome,
  adoptionOutcomes,
  type StripeAdoption,
} from '#shared/contracts/billing/stripe-adoption.ts'
import { type PlanKey, planOf } from '#shared/domain/plans.ts'
import { AppError } from '#shared/errors.ts'
import { planAdoption } from './plan-adoption.ts'

type AdoptionDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'enqueue'>

export const adoptionRun = defineRunKind({
  name: 'run-stripe-adoption',
  table: stripeAdoption,
  openStatuses: ['listing', 'running'],
})

const examplesPerOutcome = 8

/** The latest adoption. Plans are computed anew, since members and prices change. */
export async function readAdoption(deps: Pick<AdoptionDeps, 'config' | 'database'>): Promise<StripeAdoption | null> {
  const { db } = deps.database
  const [found] = await db
    .select()
    .from(stripeAdoption)
    .orderBy(desc(stripeAdoption.createdAt), desc(stripeAdoption.id))
    .limit(1)
  if (!found) return null
  await loadAdoptedPrices(deps, 0)
  const planned = found.status === 'listing' ? [] : await planAdoption(db, deps, found.id)
  const done = new Map((await readOutcomes(db, found.id)).map(({ customer, outcome }) => [customer, outcome]))
  const shown = planned.map((one) => ({ ...one, outcome: done.get(one.customerId) ?? one.outcome }))
  return {
    id: found.id,
    status: found.status as StripeAdoption['status'],
    listed: found.listed,
    createdAt: found.createdAt.toISOString(),
    prices: await listPrices(db, deps, found.id),
    counts: Object.fromEntries(
      adoptionOutcomes.map((outcome) => [outcome, shown.filter((one) => one.outcome === outcome).length]),
    ) as StripeAdoption['counts'],
    examples: adoptionOutcomes.flatMap((outcome) =>
      shown
        .filter((one) => one.outcome === outcome)
        .slice(0, examplesPerOutcome)
        .map(({ customerId, email, plan, detail }) => ({ customerId, email, plan, detail, outcome })),
    ),
  }
}

const readOutcomes = (db: Db, adoptionId: string) =>
  queryRows<{ customer: string; outcome: AdoptionOutcome }>(
    db,
    sql`select stripe_customer as customer, min(outcome) as outcome from stripe_adoption_subscription
      where adoption_id = ${adoptionId}::uuid and outcome is not null group by 1`,
  )

async function listPrices(db: Db, deps: Pick<AdoptionDeps, 'config'>, adoptionId: string): Promise<AdoptablePrice[]> {
  const rows = await queryRows<Omit<AdoptablePrice, 'plan' | 'isOwn'>>(
    db,
    sql`select p.price ->> 'id' as id, min(p.price ->> 'productId') as "productId", min(p.price ->> 'name') as name,
        min((p.price ->> 'amountCents')::bigint)::int as "amountCents", min(p.price ->> 'currency') as currency,
        min(p.price ->> 'interval') as interval, count(*)::int as subscriptions
      from stripe_adoption_subscription s, jsonb_array_elements(s.prices) as p (price)
      where s.adoption_id = ${adoptionId}::uuid group by 1 order by count(*) desc, 1`,
  )
  return rows.map((row) => ({
    ...row,
    plan: planOfStripePrice(deps, { id: row.id, product: row.productId }) ?? null,
    isOwn: planOfProduct(deps.config, row.productId) !== undefined,
  }))
}

/** Starts listing, unless one adoption is open. */
export async function startListing({ database, clock, enqueue }: AdoptionDeps, who: Actor): Promise<void> {
  const now = clock()
  await database.db.transaction(async (tx) => {
    const id = crypto.randomUUID()
    const [started] = await tx
      .insert(stripeAdoption)
      .values({ id, status: 'listing', createdAt: now, updatedAt: now, ...createdBy(who) })
      .onConflictDoNothing()
      .returning({ id: stripeAdoption.id })
    if (!started) return
    await recordAdminEvent(tx, who, { event: 'stripe_subscriptions_listed', now })
    await enqueue(tx, adoptionRun, { id })
  })
}

/** @throws AppError validation_failed for a price of our own products */
export async function mapPrice(
  deps: AdoptionDeps,
  who: Actor,
  { priceId, plan }: { priceId: string; plan: PlanKey | null },
): Promise<void> {
  const { db } = deps.database
  const now = deps.clock()
  const open = await readAdoption(deps)
  const price = open?.prices.find(({ id }) => id === priceId)
  if (!price || price.isOwn) throw new AppError('validation_failed', { message: 'The plan of this price is fixed' })
  await db.transaction(async (tx) => {
    if (plan === null) await tx.delete(adoptedPrice).where(eq(adoptedPrice.priceId, priceId))
    else {
      await tx
        .insert(adoptedPrice)
        .values({ priceId, plan, createdAt: now, ...createdBy(who) })
        .onConflictDoUpdate({ target: adoptedPrice.priceId, set: { plan, createdAt: now, ...createdBy(who) } })
    }
    const { publication } = deps.config.settings
    const before = price.plan && planOf(publication, price.plan).name
    const changes = [{ field: price.name, before, after: plan && planOf(publication, plan).name }]
    await recordAdminEvent(tx, who, { event: 'stripe_price_mapped', changes, now })
  })
  await loadAdoptedPrices(deps, 0)
}

/** A second call changes nothing. @throws AppError import_ended */
export async function startAdoption({ database, clock, enqueue }: AdoptionDeps, who: Actor, id: string): Promise<void> {
  await database.db.transaction(async (tx) => {
    const now = clock()
    const [found] = await tx.select().from(stripeAdoption).where(eq(stripeAdoption.id, id)).for('update')
    if (found?.status === 'running' || found?.status === 'finished') return
    if (found?.status !== 'listed') throw new AppError('import_ended')
    await tx
      .update(stripeAdoption)
      // The staff log names the person who started it.
      .set({ status: 'running', cursor: '', updatedAt: now, ...createdBy(who) })
      .where(eq(stripeAdoption.id, id))
    await recordAdminEvent(tx, who, { event: 'stripe_adoption_started', now })
    await enqueue(tx, adoptionRun, { id })
  })
}

export async function cancelAdoption({ database, clock }: AdoptionDeps, who: Actor, id: string): Promise<void> {
  await database.db.transaction(async (tx) => {
    const [found] = await tx.select().from(stripeAdoption).where(eq(stripeAdoption.id, id)).for('update')
    if (!found || found.status === 'finished' || found.status === 'canceled') return
    const ended = await endAdoption(tx, id, 'canceled', clock())
    await tx.update(stripeAdoption).set(ended).where(eq(stripeAdoption.id, id))
    await recordAdminEvent(tx, who, { event: 'stripe_adoption_canceled', now: clock() })
  })
}

/** Deletes the list of a canceled adoption, since it contains addresses. @returns what to store in its row */
export async function endAdoption(tx: Tx, id: string, status: 'finished' | 'canceled', now: Date) {
  if (status === 'canceled') {
    await tx.delete(stripeAdoptionSubscription).where(eq(stripeAdoptionSubscription.adoptionId, id))
  }
  return { status, updatedAt: now, finishedAt: now }
}

/** Removes a deleted account's address from lists of subscriptions. */
export async function forgetListedAddress(tx: Tx, userId: string): Promise<void> {
  const address = tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
  await tx.delete(stripeAdoptionSubscription).where(inArray(stripeAdoptionSubscription.address, address))
}

const keptMs = 30 * 24 * 60 * 60_000

/** Deletes lists after 30 days. */
export async function deleteOldAdoptions({ database: { db }, clock }: AdoptionDeps): Promise<void> {
  await db.delete(stripeAdoption).where(lt(stripeAdoption.updatedAt, new Date(clock().getTime() - keptMs)))
}
