import { desc } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import { readTimeZone } from '#server/db/publication-setting.ts'
import { offer } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import {
  findOffer,
  type OfferRow,
  type OfferWithTotals,
  plansOfOffer,
  redeemedOf,
  stateOfOffer,
  termsOfOffer,
  withTotals,
} from '#server/features/billing/subscriptions/offers/offer-rows.ts'
import type { Offer, PublicOffer } from '#shared/contracts/billing/offers.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { instantOf, localTimeOf } from '#shared/domain/zoned-time.ts'

/** The first instant after a day, "2026-11-30", in a zone. */
export function endOfDay(day: string, timeZone: string): Date {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10)
  return new Date(instantOf(`${next}T00:00`, timeZone))
}

/** The last day before an instant, in a zone. */
export const lastDayOf = (end: Date, timeZone: string): string =>
  localTimeOf(new Date(end.getTime() - 1).toISOString(), timeZone).slice(0, 10)

type OfferDeps = Pick<Deps, 'config' | 'database' | 'clock'>

const maxOffers = 500

export const offerLink = ({ publicUrl }: Pick<Config, 'publicUrl'>, code: string) => `${publicUrl}/offer/${code}`

/** Null unless the code can be redeemed now. */
export async function readPublicOffer(
  { config, database, clock }: OfferDeps,
  code: string,
): Promise<PublicOffer | null> {
  const found = await findOffer(database.db, code)
  if (!found || stateOfOffer(found, clock()) !== 'running') return null
  const timeZone = await readTimeZone(database.db)
  return { code: found.offer.code, ...describe(config, found.offer, timeZone) }
}

const describe = (
  { settings }: Pick<Config, 'settings'>,
  row: OfferRow,
  timeZone: string,
): Omit<PublicOffer, 'code'> => ({
  ...termsOfOffer(row),
  plans: plansOfOffer(settings.publication, row),
  lastDay: row.endsAt && lastDayOf(row.endsAt, timeZone),
  newCustomersOnly: row.newCustomersOnly,
})

/** The newest offers with what they brought. Viewers see figures, but no codes. */
export async function listOffers({ config, database, clock }: OfferDeps, { seesCodes }: { seesCodes: boolean }) {
  const { db } = database
  const now = clock()
  const timeZone = await readTimeZone(db)
  const rows = await db.select().from(offer).orderBy(desc(offer.createdAt), desc(offer.id)).limit(maxOffers)
  const found = await withTotals(db, rows)
  const toOffer = (one: OfferWithTotals): Offer => {
    const { id, code, createdAt, endedAt, endedHere, maxRedemptions } = one.offer
    return {
      ...describe(config, one.offer, timeZone),
      id,
      code: seesCodes ? code : null,
      link: seesCodes ? offerLink(config, code) : null,
      state: stateOfOffer(one, now),
      createdAt: createdAt.toISOString(),
      endedAt: endedAt?.toISOString() ?? null,
      endedHere,
      maxRedemptions,
      redeemed: redeemedOf(one),
      customers: one.totals.reduce((sum, { customers }) => sum + customers, 0),
      totals: one.totals.map(({ currency, paidCents, refundedCents, discountCents }) => ({
        ...{ currency, paidCents, refundedCents, discountCents },
      })),
    }
  }
  return { timeZone, items: found.map(toOffer) }
}
