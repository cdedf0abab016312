import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { readTimeZone } from '#server/db/publication-setting.ts'
import { offer } from '#server/db/schema/index.ts'
import type { BillingDeps } from '#server/features/billing/subscriptions/billing-deps.ts'
import { type OfferRow, plansOfOffer } from '#server/features/billing/subscriptions/offers/offer-rows.ts'
import { finishOffer, withOfferLease } from '#server/features/billing/subscriptions/offers/refresh-offers.ts'
import { withStripeErrors } from '#server/features/billing/subscriptions/stripe/stripe-errors.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import type { adminCreateOfferCall } from '#shared/contracts/billing/offers.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { offerTitle, problemOfOffer } from '#shared/domain/offer-terms.ts'
import { planOf, plansOnSale } from '#shared/domain/plans.ts'
import { AppError } from '#shared/errors.ts'
import type { Publication } from '#shared/publication-defaults.ts'
import { endOfDay, offerLink } from './list-offers.ts'

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
