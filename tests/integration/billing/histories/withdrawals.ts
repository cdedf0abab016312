import { desc, eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { expect } from 'vitest'
import { withdrawal } from '#server/db/schema/index.ts'
import { confirmWithdrawal, declareWithdrawal, readWithdrawal } from '#server/features/billing/withdrawals/withdraw.ts'
import { AppError } from '#shared/errors.ts'
import { isTakenBack } from './disputes.ts'
import { giftCharges, giverEmail } from './gifts.ts'
import { oneTimeCharges } from './one-time.ts'
import type { Person, World } from './world.ts'

type Withdrawing = { pick: number; clicks: number }

/** Someone declares a withdrawal and confirms it for one of the purchases that it is possible for. */
export async function withdraw(world: World, person: Person, given: Withdrawing): Promise<void> {
  await confirmOne(world, person.user.email, given, (contract) => {
    const subscription = contract.replace('plan:', '')
    person.endedByHand.add(subscription)
    person.refundedByHand.add(subscription)
  })
}

export const withdrawFromGift = (world: World, given: Withdrawing): Promise<void> =>
  confirmOne(world, giverEmail, given)

async function confirmOne(
  world: World,
  email: string,
  { pick, clicks }: Withdrawing,
  note: (contract: string) => void = () => {},
): Promise<void> {
  await world.onLiveNode(async ({ deps }) => {
    try {
      await declareWithdrawal(deps, 'Robin', email)
      const own = eq(withdrawal.email, email)
      const [row] = await deps.database.db.select().from(withdrawal).where(own).orderBy(desc(withdrawal.declaredAt))
      const token = deps.secrets.sign('withdrawal', row?.id ?? '')
      const open = (await readWithdrawal(deps, token))?.purchases.filter(({ state }) => state === 'open') ?? []
      const purchase = open[pick % Math.max(open.length, 1)]
      if (!purchase) return
      note(purchase.contract)
      await Promise.all(Array.from({ length: clicks }, () => confirmWithdrawal(deps, token, purchase.contract)))
    } catch (error) {
      if (!(error instanceof AppError) && !(error instanceof Stripe.errors.StripeError)) throw error
    }
  })
}

/** Each withdrawal ended what it is about, and refunded at most what its receipt says, once. */
export async function expectWithdrawalsOnce(world: World): Promise<void> {
  const rows = await world.database.db.select().from(withdrawal)
  const done = rows.filter(({ confirmedAt }) => confirmedAt !== null)
  expect(new Set(done.map(({ contract }) => contract)).size).toBe(done.length)
  const guestCharges = [...(await giftCharges(world)), ...(await oneTimeCharges(world))]
  for (const row of done) {
    const [kind, id = ''] = (row.contract ?? '').split(':')
    if (kind === 'plan') await expectPlanWithdrawn(world, row, id)
    else
      await expectGuestRefunded(
        world,
        row,
        guestCharges.find(({ metadata }) => Object.values(metadata).includes(id)),
      )
  }
}
type Row = typeof withdrawal.$inferSelect

async function expectGuestRefunded(world: World, { id, refundCents }: Row, charge?: Stripe.Charge): Promise<void> {
  expect([id, charge?.paid]).toEqual([id, true])
  if (!charge || (await isTakenBack(world, charge))) return
  expect([id, charge.amount_refunded >= (refundCents ?? 0)]).toEqual([id, true])
}

async function expectPlanWithdrawn({ api }: World, row: Row, plan: string): Promise<void> {
  const { id, refundCents, settledAt } = row
  const { status, customer } = await api.subscriptions.retrieve(plan)
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
  if (isDisputed) return
  expect([id, settledAt !== null]).toEqual([id, true])
  if (fromOthers === 0) expect([id, refunded]).toEqual([id, refundCents])
}
