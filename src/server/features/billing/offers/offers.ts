import { and, desc, eq, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import type { Config } from '#server/config/config.ts'
import type { Tx } from '#server/db/database.ts'
import { readTimeZone } from '#server/db/publication-setting.ts'
import { offer } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import type { BillingDeps } from '#server/features/billing/subscriptions/billing-deps.ts'
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
import { finishOffer, withOfferLease } from '#server/features/billing/subscriptions/offers/refresh-offers.ts'
import { isMissing, withStripeErrors } from '#server/features/billing/subscriptions/stripe/stripe-errors.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import type { adminCreateOfferCall, Offer, PublicOffer } from '#shared/contracts/billing/offers.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { offerTitle, problemOfOffer } from '#shared/domain/offer-terms.ts'
import { planOf, plansOnSale } from '#shared/domain/plans.ts'
import { instantOf, localTimeOf } from '#shared/domain/zoned-time.ts'
import { AppError } from '#shared/errors.ts'
import type { Publication } from '#shared/publication-defaults.ts'

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

const offerLink = ({ publicUrl }: Pick<Config, 'publicUrl'>, code: string) => `${publicUrl}/offer/${code}`

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

/**
 * Deactivates the promotion code. Subscriptions that redeemed it keep their discount. Ending an ended offer changes nothing.
 * @throws AppError not_found, stripe_unavailable
 */
export async function endOffer(deps: BillingDeps, who: Actor, id: string): Promise<void> {
  const { db } = deps.database
  await withOfferLease(deps, async () => {
    const [row] = await db.select().from(offer).where(eq(offer.id, id))
    if (!row) throw new AppError('not_found')
    if (row.stripePromotionCodeId) await deactivate(deps, row.stripePromotionCodeId)
    const now = deps.clock()
    await db.transaction(async (tx) => {
      const ended = await tx
        .update(offer)
        .set({ endedAt: now, endedHere: true })
        .where(and(eq(offer.id, id), isNull(offer.endedAt)))
        .returning({ id: offer.id })
      if (ended.length === 0) return
      await recordAdminEvent(tx, who, {
        event: 'offer_ended',
        object: { kind: 'offer', id, name: row.code },
        changes: [{ field: 'state', before: 'running', after: 'ended' }],
        now,
      })
    })
  })
}

const deactivate = (deps: BillingDeps, promotionCodeId: string) =>
  withStripeErrors(deps, 'end-offer', async () => {
    try {
      await deps.stripe.promotionCodes.update(promotionCodeId, { active: false })
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  })

type Given = z.output<typeof adminCreateOfferCall.input>

const maxYears = 5

/**
 * Stores the offer and then creates it at Stripe. After a crash in between, a repeated request or the hourly comparison
 * with Stripe finishes it.
 * @throws AppError validation_failed, offer_code_taken, stripe_unavailable
 */
export async function createOffer(deps: BillingDeps, who: Actor, given: Given) {
  const row = await toRow(deps, given)
  return withOfferLease(deps, async () => {
    await deps.database.db.transaction((tx) => insert(tx, deps, who, row))
    await withStripeErrors(deps, 'create-offer', () => finishOffer(deps, row.id))
    return { id: row.id, code: row.code, link: offerLink(deps.config, row.code) }
  })
}

async function toRow(deps: BillingDeps, given: Given) {
  const { requestId, code, percentOff, amountOffCents, duration, months, maxRedemptions, newCustomersOnly } = given
  const wanted = plansOnSale(deps.config.settings.publication).filter(({ key }) => given.plans.includes(key))
  const problem = problemOfOffer({ percentOff, amountOffCents, duration, months }, wanted)
  if (problem) throw new AppError('validation_failed', { message: problem })
  const now = deps.clock()
  const timeZone = await readTimeZone(deps.database.db)
  const endsAt = given.lastDay === null ? null : endOfDay(given.lastDay, timeZone)
  if (endsAt && endsAt <= now) {
    throw new AppError('validation_failed', { message: 'That day has passed. Choose a later one.' })
  }
  if (endsAt && endsAt.getUTCFullYear() > now.getUTCFullYear() + maxYears) {
    throw new AppError('validation_failed', { message: 'That’s more than five years away. Choose an earlier day.' })
  }
  const currency = percentOff === null ? (wanted[0]?.currency ?? null) : null
  const terms = { code, percentOff, amountOffCents, currency, duration, months, maxRedemptions, newCustomersOnly }
  return {
    id: requestId,
    ...terms,
    plans: wanted.map(({ key }) => key),
    endsAt,
    createdAt: now,
    lastDay: given.lastDay,
  }
}

/** Returns true if a repeated request asks for the offer that the first one stored. */
const hasTermsOf = (stored: OfferRow, { createdAt: _at, ...wanted }: Partial<OfferRow>): boolean =>
  changesBetween(asText({ ...stored, ...wanted }), asText(stored)).length === 0

const asText = (row: OfferRow) => ({ ...row, createdAt: null, endsAt: row.endsAt?.toISOString() })

/** A repeated request finds its own row; another offer with the code is refused. */
async function insert(
  tx: Tx,
  { config }: Pick<BillingDeps, 'config'>,
  who: Actor,
  { lastDay, ...row }: Awaited<ReturnType<typeof toRow>>,
): Promise<void> {
  const [created] = await tx.insert(offer).values(row).onConflictDoNothing().returning()
  if (!created) {
    const [same] = await tx.select().from(offer).where(eq(offer.id, row.id))
    if (!same || same.endedAt || !hasTermsOf(same, row)) throw new AppError('offer_code_taken')
    return
  }
  await recordAdminEvent(tx, who, {
    event: 'offer_created',
    object: { kind: 'offer', id: row.id, name: row.code },
    changes: termsInLog(config.settings.publication, created, lastDay).map(([field, after]) => ({
      field,
      before: null,
      after,
    })),
    now: row.createdAt,
  })
}

const termsInLog = (
  publication: Publication,
  row: OfferRow,
  lastDay: string | null,
): [field: string, value: string][] => [
  ['discount', offerTitle({ ...row, duration: row.duration as Given['duration'] })],
  [
    'plans',
    plansOfOffer(publication, row)
      .map((key) => planOf(publication, key).name)
      .join(', '),
  ],
  ...(row.maxRedemptions === null ? [] : ([['uses', String(row.maxRedemptions)]] as [string, string][])),
  ...(lastDay === null ? [] : ([['lastDay', lastDay]] as [string, string][])),
  ['newCustomersOnly', String(row.newCustomersOnly)],
]
