import { desc, eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { expect } from 'vitest'
import { withdrawal } from '#server/db/schema/index.ts'
import { confirmWithdrawal, declareWithdrawal, readWithdrawal } from '#server/features/billing/withdrawals/withdraw.ts'
import { AppError } from '#shared/errors.ts'
import { isTakenBack } from './disputes.ts'
import type { Person, World } from './world.ts'

/** Someone declares a withdrawal and confirms it for each plan that it is possible for. */
export async function withdraw(world: World, person: Person, clicks: number): Promise<void> {
  const { email } = person.user
  await world.onLiveNode(async ({ deps }) => {
    try {
      await declareWithdrawal(deps, 'Robin', email)
      const own = eq(withdrawal.email, email)
      const [row] = await deps.database.db.select().from(withdrawal).where(own).orderBy(desc(withdrawal.declaredAt))
      const token = deps.secrets.sign('withdrawal', row?.id ?? '')
      const purchase = (await readWithdrawal(deps, token))?.purchases.find(({ state }) => state === 'open')
      if (!purchase) return
      const subscription = purchase.contract.replace('plan:', '')
      person.endedByHand.add(subscription)
      person.refundedByHand.add(subscription)
      await Promise.all(Array.from({ length: clicks }, () => confirmWithdrawal(deps, token, purchase.contract)))
    } catch (error) {
      if (!(error instanceof AppError) && !(error instanceof Stripe.errors.StripeError)) throw error
    }
  })
}

/** Each withdrawal ended its plan, and refunded at most what its receipt says, once. */
export async function expectWithdrawalsOnce({ api, database }: World): Promise<void> {
  const rows = await database.db.select().from(withdrawal)
  const done = rows.filter(({ confirmedAt }) => confirmedAt !== null)
  expect(new Set(done.map(({ contract }) => contract)).size).toBe(done.length)
  for (const { id, contract, refundCents, settledAt } of done) {
    const { status, customer } = await api.subscriptions.retrieve((contract ?? '').replace('plan:', ''))
    expect([id, status]).toEqual([id, 'canceled'])
    let refunded = 0
    let isDisputed = false
    let fromOthers = 0
    for (const charge of (await api.charges.list({ customer: String(customer), limit: 100 })).data) {
      if (await isTakenBack({ api }, charge)) isDisputed = true
      for (const { amount, metadata } of (await api.refunds.list({ charge: charge.id, limit: 100 })).data) {
        if (metadata?.withdrawal_id === id) refunded += amount
        else fromOthers += amount
      }
    }
    expect(refunded).toBeLessThanOrEqual(refundCents ?? 0)
    if (isDisputed) continue
    expect([id, settledAt !== null]).toEqual([id, true])
    if (fromOthers === 0) expect([id, refunded]).toEqual([id, refundCents])
  }
}
