import { asc, eq, isNull, sql } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import type { Settings } from '#server/config/settings.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { plan } from '#server/db/schema/index.ts'
import { isForTeam, type PlanTerms } from '#shared/domain/plans.ts'
import { priceTexts } from '#shared/domain/price-texts.ts'
import { type Publication, publicationDefaults } from '#shared/publication-defaults.ts'
import { readTaxSettings } from './tax-settings.ts'

type Tax = Parameters<typeof priceTexts>[1] & { invoiceDays?: number | null }

export type PlanRow = typeof plan.$inferSelect

type Ids = Pick<Config, 'stripe'>

export const readPlanRows = (db: Db | Tx): Promise<PlanRow[]> =>
  db.select().from(plan).orderBy(asc(plan.position), asc(plan.key))

export function toPlanTerms(row: PlanRow, tax?: Tax): PlanTerms {
  const {
    key,
    name,
    note,
    features,
    priceCents,
    currency,
    interval,
    intervalCount,
    once,
    floorCents,
    seats,
    perSeat,
    trialDays,
    trialPriceCents,
    forSupporters,
  } = row
  const every = {
    interval,
    ...(intervalCount !== 1 && { intervalCount }),
    ...(once && { once }),
    ...(floorCents && { floorCents }),
  }
  const price = { priceCents, currency, ...every, ...(perSeat && { perSeat }) } as const
  // In the order of the defaults, so that an unchanged plan equals its default as text.
  return {
    note,
    features,
    currency,
    ...every,
    seats,
    ...(perSeat && { perSeat }),
    // Where buyers choose the amount, they pay it by card.
    ...(tax?.invoiceDays && isForTeam(row) && !floorCents && { invoiceDays: tax.invoiceDays }),
    trialDays,
    ...(trialPriceCents && { trialPriceCents }),
    ...(forSupporters && { forSupporters }),
    isRetired: row.retiredAt !== null,
    key,
    name,
    priceCents,
    ...priceTexts(price, tax),
  }
}

/** The plans in the publisher's order with their ids at Stripe. Those of a new database if it has none. */
export async function readPlans(db: Db | Tx): Promise<Pick<Settings, 'planIds'> & Pick<Publication, 'plans'>> {
  const rows = await readPlanRows(db)
  const { settings: tax } = await readTaxSettings(db)
  const ids = rows.flatMap(({ key, stripeProductId: productId, stripePriceId: priceId }) =>
    productId && priceId ? [[key, { productId, priceId }] as const] : [],
  )
  return {
    planIds: new Map(ids),
    plans: rows.length > 0 ? rows.map((row) => toPlanTerms(row, tax)) : publicationDefaults.plans,
  }
}

/** Puts the stored plans into the settings. */
export async function applyPlans(db: Db, { settings }: Pick<Config, 'settings'>): Promise<void> {
  const { plans, planIds } = await readPlans(db)
  settings.replace({ planIds, publication: { ...settings.publication, plans } })
}

/** Stores the plans of a new database, and the ids at Stripe that earlier versions had in their environment, once. */
export async function takeOverPlans(db: Db, config: Ids): Promise<void> {
  await db.transaction(async (tx) => {
    if ((await tx.select({ key: plan.key }).from(plan).limit(1)).length === 0) {
      const rows = publicationDefaults.plans.map(({ features, ...terms }, position) => {
        const { key, name, note, priceCents, currency, interval, seats } = terms
        return { key, position, name, note, features: [...features], priceCents, currency, interval, seats }
      })
      await tx.insert(plan).values(rows).onConflictDoNothing()
    }
    for (const [key, { productId, priceId }] of Object.entries(config.stripe.ids)) {
      if (!productId || !priceId) continue
      await tx
        .update(plan)
        .set({ stripeProductId: productId, stripePriceId: priceId })
        .where(sql`${eq(plan.key, key)} and ${isNull(plan.stripeProductId)}`)
    }
  })
}
