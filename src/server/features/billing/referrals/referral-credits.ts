import { and, eq } from 'drizzle-orm'
import { referral } from '#server/db/schema/index.ts'
import {
  type BalanceCredit,
  giveCredit,
  takeCreditBack,
} from '#server/features/billing/subscriptions/member-billing/balance-credit.ts'
import { describeFailure } from '#server/features/billing/subscriptions/stripe/stripe-errors.ts'
import { withLease } from '#server/features/billing/subscriptions/sync/lease.ts'
import type { ReferralDeps } from './referrals.ts'

type Side = 'referrer' | 'referee'
type Row = typeof referral.$inferSelect

/** Writes a referral's credits at Stripe, or takes them back. A failed one is tried again by the next run of the job. */
export async function settleCredits(deps: ReferralDeps, id: string): Promise<void> {
  for (const side of ['referrer', 'referee'] as const) {
    await settle(deps, id, side).catch((error: unknown) =>
      deps.logger.warn({ referralId: id, ...describeFailure(error) }, 'credit of a referral failed; it is tried again'),
    )
  }
}

const readRow = async ({ database }: ReferralDeps, id: string): Promise<Row | undefined> =>
  (await database.db.select().from(referral).where(eq(referral.id, id)))[0]

async function settle(deps: ReferralDeps, id: string, side: Side): Promise<void> {
  const customer = (await readRow(deps, id))?.[`${side}CustomerId`]
  if (!customer) return
  await withLease(deps, `balance:${customer}`, async () => {
    // Read under the lease: the reward may have been withdrawn meanwhile.
    const row = await readRow(deps, id)
    const cents = row?.[`${side}Cents`] ?? null
    const currency = row?.[`${side}Currency`] ?? null
    if (!row || cents === null || currency === null) return
    const credit: BalanceCredit = {
      ...{ customer, cents, currency, owner: { referral_id: id } },
      give: { kind: 'referral', description: 'Free month for an invitation' },
      take: { kind: 'referral_reversal', description: 'Free month taken back' },
    }
    const set = (values: Partial<Row>) =>
      deps.database.db
        .update(referral)
        .set(values)
        .where(and(eq(referral.id, id), eq(referral.state, row.state)))
    if (row.state === 'rewarded' && row[`${side}CreditId`] === null) {
      const given = await giveCredit(deps.stripe, credit)
      await set({ [`${side}CreditId`]: given?.id ?? 'customer deleted' })
    }
    if (row.state === 'withdrawn' && row[`${side}TakenCents`] === null) {
      const taken = await takeCreditBack(deps.stripe, credit)
      // A deleted customer's credit is gone.
      await set({ [`${side}TakenCents`]: cents - (taken?.kept ?? 0) })
    }
  })
}
