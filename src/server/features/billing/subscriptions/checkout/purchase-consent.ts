import { readPublicationSetting } from '#server/db/publication-setting.ts'
import { purchaseConsent } from '#server/db/schema/index.ts'
import { asksConsent } from '#shared/domain/legal.ts'
import type { PlanTerms } from '#shared/domain/plans.ts'
import { purchaseTerms, renewalConsent, waiverText } from '#shared/domain/purchase-terms.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from '../billing-deps.ts'

type Buying = { plan: PlanTerms; seats: number; trialDays: number }

/**
 * What the buyer of a plan sees now. `agreed` are the terms that they ticked the box for, as the page showed them.
 * @throws AppError consent_required if the publisher asks for consent and these aren't the terms
 */
export function requireConsent({ config }: Pick<BillingDeps, 'config'>, buying: Buying, agreed: string | null) {
  const { legal } = config.settings.publication
  const isAsked = asksConsent(legal)
  const waived = legal.withdrawal === 'prorated'
  const boxes = isAsked ? [renewalConsent, ...(waived ? [waiverText] : [])] : []
  const terms = [...purchaseTerms(buying), ...boxes].join('\n')
  if (isAsked && agreed !== terms) throw new AppError('consent_required')
  return { terms, agreed: isAsked, waived }
}

type Consent = ReturnType<typeof requireConsent> &
  Pick<typeof purchaseConsent.$inferInsert, 'id' | 'userId' | 'priceCents' | 'currency' | 'interval'>

/** Keeps what was shown and agreed to, also without the account. A checkout that is opened again keeps the newest. */
export async function recordConsent(
  { database: { db }, clock }: Pick<BillingDeps, 'database' | 'clock'>,
  consent: Consent,
) {
  const { version } = await readPublicationSetting(db, 'legal')
  const row = { ...consent, version, createdAt: clock() }
  await db.insert(purchaseConsent).values(row).onConflictDoUpdate({ target: purchaseConsent.id, set: row })
}
