import { sql } from 'drizzle-orm'
import { publicationSettings, purchaseConsent } from '#server/db/schema/index.ts'
import { periodText } from '#shared/domain/billing-interval.ts'
import { asksConsent } from '#shared/domain/legal.ts'
import type { PlanTerms } from '#shared/domain/plans.ts'
import { consentBoxes, purchaseTerms } from '#shared/domain/purchase-terms.ts'
import { listPrice } from '#shared/domain/subscription-price.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from '../billing-deps.ts'
import type { PendingCheckout } from './pending-checkout.ts'

type Buying = { plan: PlanTerms; seats: number; trialDays: number }

/**
 * The terms of a plan as they are now. `agreed`: the terms that the buyer was shown and ticked the boxes for.
 * @throws AppError consent_required if the publisher asks for consent and `agreed` isn't the current text
 */
export function requireConsent({ config }: Pick<BillingDeps, 'config'>, buying: Buying, agreed: string | null) {
  const { legal } = config.settings.publication
  const isAsked = asksConsent(legal)
  const terms = [...purchaseTerms(buying), ...(isAsked ? consentBoxes(legal, buying.plan) : [])].join('\n')
  if (isAsked && agreed !== terms) throw new AppError('consent_required')
  const { amountCents: priceCents, currency } = listPrice(buying.plan, buying.seats)
  const interval = buying.plan.once ? 'once' : periodText(buying.plan)
  const waived = legal.withdrawal === 'prorated' && buying.plan.once !== 'forever'
  return { terms, agreed: isAsked, waived, priceCents, currency, interval }
}

export type Consent = ReturnType<typeof requireConsent>

const settingsVersion = sql`coalesce(
  (select ${publicationSettings.version} from ${publicationSettings} where ${publicationSettings.name} = 'legal'), 0)`

/** Stores what the buyer was shown and agreed to. Reopening a checkout overwrites its row. The row outlives the account. */
export async function recordConsent(
  { database: { db }, clock }: Pick<BillingDeps, 'database' | 'clock'>,
  { nonce: id, userId }: Pick<PendingCheckout, 'nonce' | 'userId'>,
  consent: Consent,
) {
  const row = { ...consent, id, userId, version: settingsVersion, createdAt: clock() }
  await db.insert(purchaseConsent).values(row).onConflictDoUpdate({ target: purchaseConsent.id, set: row })
}
