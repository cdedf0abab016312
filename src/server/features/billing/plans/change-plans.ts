import { and, eq, gt, max, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { plan, subscriptionState, teamSeat } from '#server/db/schema/index.ts'
import type { BillingDeps } from '#server/features/billing/subscriptions/billing-deps.ts'
import { applyPlans, type PlanRow, readPlanRows } from '#server/features/billing/subscriptions/plan-store.ts'
import {
  ensureAtStripe,
  ensureTrialAtStripe,
  trialNameOf,
  trialProductOf,
} from '#server/features/billing/subscriptions/stripe/plan-at-stripe.ts'
import { idsOfPlan } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { withStripeErrors } from '#server/features/billing/subscriptions/stripe/stripe-errors.ts'
import { withLease } from '#server/features/billing/subscriptions/sync/lease.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { isInUse, saveOrder, setRetired, updatedBy } from '#server/features/identity/auth/security/editor.ts'
import type { adminSavePlanCall } from '#shared/contracts/billing/admin-plans.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { formatWholeMoney } from '#shared/domain/format.ts'
import { type EditablePlan, problemOfPlan } from '#shared/domain/plan-problem.ts'
import type { OncePaid } from '#shared/domain/plan-terms.ts'
import { accessText } from '#shared/domain/plan-texts.ts'
import { formatPrice, listPrice } from '#shared/domain/subscription-price.ts'
import { AppError } from '#shared/errors.ts'

/** Enqueued with a change of the plans. */
export const syncPlansJob = {
  name: 'sync-plans',
  payload: z.object({ renamed: z.array(z.string()) }),
  // With exponential backoff this outlasts an outage.
  retryLimit: 20,
}

type SyncDeps = Pick<BillingDeps, 'database' | 'config' | 'stripe'>

/** Stripe's limit. */
const maxPortalProducts = 10

/**
 * Gives renamed plans' products their name, which checkout and invoices show, and lets the customer portal switch between
 * the plans on sale. Reads the plans when it runs, so running late or twice is fine.
 */
export async function syncPlans(deps: SyncDeps, { renamed }: z.output<typeof syncPlansJob.payload>): Promise<void> {
  const { db } = deps.database
  // A copy of an instance leaves the products to the original.
  if (await isOnHold(db)) return
  const rows = await readPlanRows(db)
  for (const { key, name, stripeProductId, trialPriceCents } of rows) {
    if (!stripeProductId || !renamed.includes(key)) continue
    await deps.stripe.products.update(stripeProductId, { name })
    if (trialPriceCents) await deps.stripe.products.update(trialProductOf(key), { name: trialNameOf(name) })
  }
  // The portal knows neither seats in use nor the minimum, so people change to plans priced per seat on our pages.
  const products = rows.flatMap(({ retiredAt, once, perSeat, stripeProductId: product, stripePriceId: price }) =>
    !retiredAt && !once && !perSeat && product && price ? [{ product, prices: [price] }] : [],
  )
  const configuration = await findPortal(deps)
  // A publisher can have turned switching off.
  if (!configuration?.features.subscription_update.enabled || products.length === 0) return
  await deps.stripe.billingPortal.configurations.update(configuration.id, {
    features: { subscription_update: { enabled: true, products: products.slice(0, maxPortalProducts) } },
  })
}

/** The configuration of the server, or the account's default, which Stripe uses without one. */
async function findPortal({ config, stripe }: SyncDeps) {
  const id = config.stripe.kind === 'live' ? config.stripe.portalConfiguration : undefined
  if (id) return stripe.billingPortal.configurations.retrieve(id)
  const { data } = await stripe.billingPortal.configurations.list({ is_default: true, limit: 1 })
  return data[0]
}

type Given = z.output<typeof adminSavePlanCall.input>

/** Changes to plans are made one at a time, on all nodes. */
export const withPlanLease = <T>(deps: BillingDeps, run: () => Promise<T>): Promise<T> => withLease(deps, 'plans', run)

/**
 * Creates or changes a plan. Its product and price are made at Stripe first: if Stripe doesn't answer, nothing is stored,
 * and the next attempt finds what was made. Members keep their price.
 * @throws AppError validation_failed, edit_conflict, stripe_unavailable
 */
export async function savePlan(deps: BillingDeps, who: Actor, given: Given): Promise<void> {
  const terms = termsOf(given)
  const problem = problemOfPlan(terms)
  if (problem) throw new AppError('validation_failed', { message: problem })
  const { db } = deps.database
  await withPlanLease(deps, async () => {
    const key = given.key ?? keyOf(given.requestId)
    const before = await findPlanRow(db, key)
    // A second click, or a retry after a lost answer.
    if (before && changesBetween(termsOf(before), terms).length === 0 && before.stripePriceId) return
    if ((before?.version ?? 0) !== given.version) throw new AppError('edit_conflict')
    if (before && before.perSeat !== terms.perSeat) {
      throw new AppError('validation_failed', {
        message:
          'A plan’s price can’t change between one price and a price per seat. Create another plan and retire this one.',
      })
    }
    if (before && (before.once ?? undefined) !== terms.once) {
      throw new AppError('validation_failed', {
        message: 'Whether a plan renews or is paid once can’t change. Create another plan and retire this one.',
      })
    }
    if (before && !terms.perSeat) await requireSeatsInUse(db, before, terms.seats)
    const productId = before?.stripeProductId ?? idsOfPlan(deps.config, key)?.productId ?? null
    const ids = await withStripeErrors(deps, 'save-plan', async () => {
      if (terms.trialPriceCents) await ensureTrialAtStripe(deps, { ...terms, key })
      return ensureAtStripe(deps, { ...terms, key, productId })
    })
    await db.transaction((tx) => store(tx, deps, who, { key, terms, ids, before }))
  })
  await applyPlans(db, deps.config)
}

const keyOf = (requestId: string) => `plan_${requestId.replaceAll('-', '').slice(0, 12)}`

const termsOf = (from: Omit<EditablePlan, 'once'> & { once?: OncePaid | null | undefined }): EditablePlan => {
  const { name, note, priceCents, currency, interval, intervalCount, once, floorCents, seats, perSeat } = from
  const features = from.features.filter(Boolean)
  return {
    name,
    note,
    features,
    priceCents,
    currency,
    seats,
    perSeat,
    trialDays: from.trialDays,
    trialPriceCents: from.trialPriceCents ?? undefined,
    forSupporters: from.forSupporters ?? false,
    interval,
    intervalCount,
    once: once ?? undefined,
    floorCents: floorCents ?? undefined,
  }
}

export async function findPlanRow(db: Db | Tx, key: string): Promise<PlanRow | undefined> {
  const [row] = await db.select().from(plan).where(eq(plan.key, key))
  return row
}

/** Teams keep the seats that they use. */
async function requireSeatsInUse(db: Db, { stripeProductId }: PlanRow, seats: number): Promise<void> {
  if (!stripeProductId) return
  const [taken] = await db
    .select({ most: max(teamSeat.seat) })
    .from(teamSeat)
    .innerJoin(subscriptionState, eq(subscriptionState.userId, teamSeat.ownerId))
    .where(and(eq(subscriptionState.productId, stripeProductId), gt(teamSeat.seat, seats)))
  if (!taken?.most) return
  throw new AppError('validation_failed', {
    message: `A team uses ${taken.most} seats of this plan. Keep at least as many, or create another plan and retire this one.`,
  })
}

type Change = {
  key: string
  terms: EditablePlan
  ids: { productId: string; priceId: string }
  before: PlanRow | undefined
}

async function store(tx: Tx, deps: BillingDeps, who: Actor, { key, terms, ids, before }: Change): Promise<void> {
  const now = deps.clock()
  const row = {
    ...terms,
    features: [...terms.features],
    once: terms.once ?? null,
    floorCents: terms.floorCents ?? null,
    trialPriceCents: terms.trialPriceCents ?? null,
    stripeProductId: ids.productId,
    stripePriceId: ids.priceId,
    updatedAt: now,
    ...updatedBy(who),
  }
  const [written] = before
    ? await tx
        .update(plan)
        .set({ ...row, version: before.version + 1 })
        .where(and(eq(plan.key, key), eq(plan.version, before.version)))
        .returning({ key: plan.key })
    : await tx
        .insert(plan)
        .values({ ...row, key, createdAt: now, position: sql`(select coalesce(max(position), 0) + 1 from plan)` })
        .onConflictDoNothing()
        .returning({ key: plan.key })
  if (!written) throw new AppError('edit_conflict')
  await recordAdminEvent(tx, who, {
    event: before ? 'plan_changed' : 'plan_created',
    object: { kind: 'plan', id: key, name: terms.name },
    changes: changesBetween(before ? asLogged(termsOf(before)) : {}, asLogged(terms)),
    now,
  })
  await deps.enqueue(tx, syncPlansJob, { renamed: before && before.name !== terms.name ? [key] : [] })
}

const asLogged = ({
  priceCents,
  currency,
  interval,
  intervalCount,
  once,
  floorCents,
  perSeat,
  trialPriceCents,
  forSupporters,
  ...terms
}: EditablePlan) => ({
  ...terms,
  price: formatPrice(listPrice({ priceCents, currency, interval, intervalCount, once, perSeat })),
  least: floorCents ? formatWholeMoney(floorCents, currency) : null,
  forSupporters: forSupporters || null,
  trialPrice: trialPriceCents ? formatWholeMoney(trialPriceCents, currency) : null,
  access: once ? accessText({ once, interval, intervalCount }) : null,
})

/**
 * Takes a plan off sale, or puts it back. Its members keep it, and someone who is at its checkout can still pay.
 * @throws AppError not_found, edit_conflict, validation_failed for the last plan on sale
 */
export async function retirePlan(
  deps: BillingDeps,
  who: Actor,
  { key, version, retired }: { key: string; version: number; retired: boolean },
): Promise<void> {
  const { db } = deps.database
  await withPlanLease(deps, () =>
    db.transaction(async (tx) => {
      const row = await findPlanRow(tx, key)
      const isUnchanged = !row || !isInUse(row) === retired
      await setRetired(tx, 'plan', row, { who, version, retired, now: deps.clock() }, async () => {
        const others = (await readPlanRows(tx)).filter((other) => other.key !== key && isInUse(other))
        if (!retired || others.length > 0) return
        throw new AppError('validation_failed', {
          message: 'This is the only plan on sale. Create another one first, so that visitors can subscribe.',
        })
      })
      if (isUnchanged) return
      await deps.enqueue(tx, syncPlansJob, { renamed: [] })
    }),
  )
  await applyPlans(db, deps.config)
}

/**
 * Stores the order of the plans.
 * @throws AppError edit_conflict if someone has created a plan meanwhile
 */
export async function orderPlans(deps: BillingDeps, who: Actor, keys: readonly string[]): Promise<void> {
  const { db } = deps.database
  await withPlanLease(deps, () =>
    db.transaction(async (tx) => {
      await saveOrder(tx, 'plan', await readPlanRows(tx), keys, { who, now: deps.clock() })
    }),
  )
  await applyPlans(db, deps.config)
}
