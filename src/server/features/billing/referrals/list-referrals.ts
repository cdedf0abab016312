import { and, count, desc, eq, isNotNull, or } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { referral, users } from '#server/db/schema/index.ts'
import { findSubscriptionRow } from '#server/features/billing/subscriptions/sync/subscription-row.ts'
import { maskEmail } from '#server/mail/mask-email.ts'
import type { ListedReferral, OwnReferrals, ReferralsPage } from '#shared/contracts/billing/referrals.ts'
import { countRewards, monthOf, type ReferralDeps, readReferralSettings, referralLink } from './referrals.ts'

type Row = typeof referral.$inferSelect
type State = ListedReferral['state']

const maxShown = 500

const creditsOf = (row: Row) =>
  [
    { cents: row.referrerCents, taken: row.referrerTakenCents, currency: row.referrerCurrency },
    { cents: row.refereeCents, taken: row.refereeTakenCents, currency: row.refereeCurrency },
  ].flatMap(({ cents, taken, currency }) =>
    cents === null || currency === null ? [] : [{ cents: cents - (taken ?? 0), currency }],
  )

function sumByCurrency(credits: readonly { cents: number; currency: string }[]) {
  const sums = new Map<string, number>()
  for (const { cents, currency } of credits) sums.set(currency, (sums.get(currency) ?? 0) + cents)
  return [...sums].filter(([, cents]) => cents > 0).map(([currency, cents]) => ({ currency, cents }))
}

export async function listReferrals(
  deps: ReferralDeps,
  { seesPeople }: { seesPeople: boolean },
): Promise<ReferralsPage> {
  const { db } = deps.database
  const referrer = alias(users, 'referrer')
  const referee = alias(users, 'referee')
  const rows = await db
    .select({ row: referral, referrer: referrer.email, referee: referee.email })
    .from(referral)
    .leftJoin(referrer, eq(referrer.id, referral.referrerId))
    .leftJoin(referee, eq(referee.id, referral.refereeId))
    .orderBy(desc(referral.createdAt), desc(referral.id))
    .limit(maxShown)
  const credited = await db
    .select()
    .from(referral)
    .where(or(isNotNull(referral.referrerCents), isNotNull(referral.refereeCents)))
  const counted = await db.select({ state: referral.state, rows: count() }).from(referral).groupBy(referral.state)
  const counts = { pending: 0, rewarded: 0, refused: 0, withdrawn: 0 }
  for (const { state, rows: number } of counted) counts[state as State] = number
  const address = (email: string | null) => (seesPeople || !email ? (email ?? '') : maskEmail(email))
  return {
    ...(await readReferralSettings(db)),
    counts,
    costs: sumByCurrency(credited.flatMap(creditsOf)),
    items: rows.map(({ row, ...people }) => ({
      id: row.id,
      state: row.state as State,
      reason: row.reason as ListedReferral['reason'],
      referrer: address(people.referrer),
      referee: address(people.referee),
      createdAt: row.createdAt.toISOString(),
      decidedAt: row.decidedAt?.toISOString() ?? null,
      costs: sumByCurrency(creditsOf(row)),
    })),
  }
}

export async function readOwnReferrals(deps: ReferralDeps, userId: string): Promise<OwnReferrals> {
  const { db } = deps.database
  const { settings } = await readReferralSettings(db)
  const pays = monthOf(deps, await findSubscriptionRow(db, userId)) !== null
  const brought = await db
    .select()
    .from(referral)
    .where(eq(referral.referrerId, userId))
    .orderBy(desc(referral.createdAt))
    .limit(maxShown)
  const [own] = await db
    .select()
    .from(referral)
    .where(and(eq(referral.refereeId, userId)))
  const creditOf = (row: Row, cents: number | null, currency: string | null) =>
    cents === null || currency === null || !row.decidedAt
      ? null
      : { at: row.decidedAt.toISOString(), cents, currency, taken: row.state === 'withdrawn' }
  return {
    link: settings.enabled && pays ? referralLink(deps, userId) : null,
    maxPerYear: settings.maxPerYear,
    rewarded: await countRewards(db, userId, deps.clock()),
    pending: brought.filter(({ state }) => state === 'pending').length,
    credits: brought.flatMap((row) => creditOf(row, row.referrerCents, row.referrerCurrency) ?? []),
    own: own ? { state: own.state as State, credit: creditOf(own, own.refereeCents, own.refereeCurrency) } : null,
  }
}
