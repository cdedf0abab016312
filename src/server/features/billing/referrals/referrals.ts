import { and, count, eq, gte, isNotNull } from 'drizzle-orm'
import type { SecretBox } from '#server/config/secret-box.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { readPublicationSetting, writePublicationSetting } from '#server/db/publication-setting.ts'
import { billingCustomer, referral, revenueInvoice, subscriptionState, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { knownProductIds, planOfProduct } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import type { SubscriptionRow } from '#server/features/billing/subscriptions/sync/subscription-row.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { updatedBy } from '#server/features/identity/auth/security/editor.ts'
import type { Principal } from '#server/http/principal.ts'
import { normalizeMailbox } from '#server/mail/normalize-mailbox.ts'
import { type ReferralSettings, referralSettingsSchema } from '#shared/contracts/billing/referrals.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { findPlan } from '#shared/domain/plans.ts'
import { AppError } from '#shared/errors.ts'

export type ReferralDeps = Pick<Deps, 'config' | 'database' | 'logger' | 'clock' | 'stripe' | 'enqueue' | 'secrets'>

const name = 'referrals'
const defaults: ReferralSettings = { enabled: false, maxPerYear: 12, renewalMonth: false }

export async function readReferralSettings(db: Db | Tx): Promise<{ settings: ReferralSettings; version: number }> {
  const { version, value } = await readPublicationSetting(db, name)
  return { version, settings: referralSettingsSchema.safeParse(value).data ?? defaults }
}

/** @throws AppError edit_conflict */
export async function saveReferralSettings(
  deps: Pick<Deps, 'database' | 'clock'>,
  { settings, basedOn }: { settings: ReferralSettings; basedOn: number },
  who: Actor,
): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const now = deps.clock()
    const { settings: before, version } = await readReferralSettings(tx)
    if (basedOn !== version) throw new AppError('edit_conflict')
    const write = { value: settings, updatedAt: now, ...updatedBy(who) }
    if (!(await writePublicationSetting(tx, name, version, write))) throw new AppError('edit_conflict')
    const changes = changesBetween(before, settings)
    if (changes.length > 0) await recordAdminEvent(tx, who, { event: 'referral_settings_changed', changes, now })
  })
}

const purpose = 'referral link'
const idLength = 22
const signatureLength = 22

/** The member's id and a part of its signature, so that links need no table and can't be guessed. */
function referralToken(secrets: SecretBox, userId: string): string {
  const id = Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')
  return id + secrets.sign(purpose, userId).slice(0, signatureLength)
}

/** In the fragment, which servers and their logs never see. */
export const referralLink = ({ config, secrets }: Pick<ReferralDeps, 'config' | 'secrets'>, userId: string): string =>
  `${config.publicUrl}/gift/invite#gift=${referralToken(secrets, userId)}`

function userOfToken(secrets: SecretBox, token: string): string | null {
  const hex = Buffer.from(token.slice(0, idLength), 'base64url').toString('hex')
  const userId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const isOwn = secrets
    .signatures(purpose, userId)
    .some((known) => known.slice(0, signatureLength) === token.slice(idLength))
  return isOwn ? userId : null
}

/** The price of a month of the smallest purchase of the plan; null for a member who doesn't pay for one now. */
export function monthOf(
  { config }: Pick<ReferralDeps, 'config'>,
  row: SubscriptionRow | null | undefined,
): { cents: number; currency: string } | null {
  if (row?.status !== 'active' || !knownProductIds(config).has(row.productId ?? '')) return null
  const { priceCents, priceCurrency: currency, priceInterval, priceIntervalCount, quantity } = row
  const months = monthsPer[priceInterval ?? '']
  if (!priceCents || !currency || !months) return null
  const plan = findPlan(config.settings.publication, planOfProduct(config, row.productId))
  const share = plan?.perSeat ? Math.min(1, plan.seats / quantity) : 1
  return { cents: Math.round((priceCents * share) / (months * (priceIntervalCount ?? 1))), currency }
}

const monthsPer: Readonly<Record<string, number>> = { day: 12 / 365, week: 12 / 52, month: 1, year: 12 }

const startOfYear = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), 0, 1))

/** Free months that the member got for others in this calendar year (UTC). */
export async function countRewards(db: Db | Tx, referrerId: string, now: Date): Promise<number> {
  const [row] = await db
    .select({ rewards: count(referral.referrerCents) })
    .from(referral)
    .where(
      and(
        eq(referral.referrerId, referrerId),
        eq(referral.state, 'rewarded'),
        gte(referral.decidedAt, startOfYear(now)),
      ),
    )
  return row?.rewards ?? 0
}

/**
 * The member behind a link that can be used now: referrals are on, the member pays for a plan and may get another month.
 * @throws AppError referral_invalid
 */
export async function findReferrer(deps: ReferralDeps, token: string): Promise<{ id: string; email: string }> {
  const { db } = deps.database
  const { settings } = await readReferralSettings(db)
  const userId = userOfToken(deps.secrets, token)
  if (!settings.enabled || !userId) throw new AppError('referral_invalid')
  const [found] = await db
    .select({ id: users.id, email: users.email, row: subscriptionState })
    .from(users)
    .innerJoin(subscriptionState, eq(subscriptionState.userId, users.id))
    .where(eq(users.id, userId))
  if (!found?.email || !monthOf(deps, found.row)) throw new AppError('referral_invalid')
  if ((await countRewards(db, userId, deps.clock())) >= settings.maxPerYear) throw new AppError('referral_invalid')
  return { id: found.id, email: found.email }
}

/**
 * Notes that the caller came by a member's link. The first link counts; accepting again changes nothing. The free months
 * follow the first payment.
 * @throws AppError referral_invalid, referral_refused
 */
export async function acceptReferral(deps: ReferralDeps, who: Principal, token: string): Promise<void> {
  const { db } = deps.database
  const referrer = await findReferrer(deps, token)
  if (who.isAnonymous) throw new AppError('not_authenticated')
  if (referrer.id === who.userId || normalizeMailbox(referrer.email) === normalizeMailbox(who.email)) {
    throw new AppError('referral_refused', { message: 'This is your own invitation. Share it with someone else.' })
  }
  const [paid] = await db
    .select({ id: revenueInvoice.id })
    .from(billingCustomer)
    .innerJoin(revenueInvoice, eq(revenueInvoice.customerId, billingCustomer.stripeCustomerId))
    .where(and(eq(billingCustomer.userId, who.userId), isNotNull(revenueInvoice.paidAt)))
    .limit(1)
  if (paid || who.subscription?.status === 'active') {
    throw new AppError('referral_refused', {
      message: 'You’ve paid for a plan before. Invitations are for new members.',
    })
  }
  await db
    .insert(referral)
    .values({
      id: crypto.randomUUID(),
      referrerId: referrer.id,
      refereeId: who.userId,
      state: 'pending',
      createdAt: deps.clock(),
    })
    .onConflictDoNothing()
}
