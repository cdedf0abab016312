import { eq } from 'drizzle-orm'
import { beforeAll, expect, test, vi } from 'vitest'
import { openPostgres } from '#server/db/open-postgres.ts'
import { complimentaryAccess } from '#server/db/schema/index.ts'
import { syncGift } from '#server/features/billing/gifts/sync-gift.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { dayMs, openBilling, payAtCheckout } from '#tests/integration/billing/support.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { createGifts } from './support.ts'

const billing = openForTests(async () => openBilling())
let gifts: ReturnType<typeof createGifts>
beforeAll(async () => {
  gifts = createGifts(billing)
  await gifts.save()
})

const disputed = '4000 0000 0000 0259'
const asked = '4000 0000 0000 1976'

async function paid(cardNumber: string) {
  const given = gifts.wanted()
  await payAtCheckout(String((await gifts.order(given)).body.url), cardNumber)
  await gifts.deliverEvents(given.requestId)
  return { ...given, id: given.requestId }
}
/** Paid with a card whose dispute the server doesn't hear of yet. */
async function buy() {
  const untold = vi.spyOn(billing.deps.stripe.disputes, 'list').mockResolvedValue({ data: [] } as never)
  const given = await paid(disputed)
  return { ...given, tell: () => untold.mockRestore(), token: gifts.claimTokenOf(given.recipientEmail) }
}
async function disputeOf(id: string) {
  const { stripePaymentIntentId } = await gifts.rowOf(id)
  const { data } = await billing.api.disputes.list({ payment_intent: String(stripePaymentIntentId) })
  return String(data[0]?.id)
}
const win = async (id: string) =>
  billing.api.disputes.update(await disputeOf(id), { evidence: { uncategorized_text: 'winning_evidence' } })
/** Two nodes read Stripe at once, and every event comes twice. */
async function hearOnTwoNodes(id: string) {
  const { url } = billing.server.database
  const second = url ? await openPostgres(url) : null
  try {
    const other = { ...billing.deps, database: second ?? { ...billing.deps.database } }
    const row = await gifts.rowOf(id)
    await Promise.all([gifts.deliverEvents(id, 2), syncGift(other, row), syncGift(billing.deps, row)])
  } finally {
    await second?.close()
  }
  await gifts.work()
  await gifts.work()
}
const untilOf = async (user: TestUser) =>
  (await billing.db.select().from(complimentaryAccess).where(eq(complimentaryAccess.userId, user.id)))[0]?.until
const subjectsTo = (address: string, part: string) =>
  gifts.emailsTo(address).filter(({ subject }) => subject.includes(part))
const subscribed = async (user: TestUser) => (await billing.check(user)).subscribed

// First, while the server's clock is Stripe's: the plan has to run.
test('a won dispute credits a member again, once, and a refund afterwards takes it back', async () => {
  const member = await billing.user()
  await payAtCheckout(await billing.checkout(member))
  const customer = await billing.customerOf(member)
  await syncCustomer(billing.deps, customer)
  const amounts = async () =>
    (await billing.api.customers.listBalanceTransactions(customer)).data.map(({ amount }) => amount).reverse()
  const bought = await buy()
  await gifts.claim(member, bought.token, 'credit')
  bought.tell()
  await hearOnTwoNodes(bought.id)
  expect(await amounts()).toEqual([-9900, 9900])
  await win(bought.id)
  // Stripe credits, and its answer is lost.
  billing.proxy.failOnce(({ path, method }) => method === 'POST' && path.includes('/balance_transactions'), 'after')
  await hearOnTwoNodes(bought.id)
  expect(await amounts()).toEqual([-9900, 9900, -9900])
  await billing.call('admin-refund-gift', { id: bought.id }, await gifts.owner())
  await gifts.work()
  await gifts.work()
  expect(await amounts()).toEqual([-9900, 9900, -9900, 9900])
})

test('a won dispute gives back the time that it took, once, on two nodes and with repeated events', async () => {
  const before = await gifts.revenue()
  const remy = await billing.user()
  const bought = await buy()
  await gifts.claim(remy, bought.token)
  const promised = (await untilOf(remy)) as Date
  billing.server.clock.advance(40 * dayMs)
  bought.tell()
  await hearOnTwoNodes(bought.id)
  const { withdrawnSeconds } = await gifts.rowOf(bought.id)
  expect(withdrawnSeconds).toBe(Math.round((promised.getTime() - billing.server.clock.now.getTime()) / 1000))
  expect(await subscribed(remy)).toBe(false)

  billing.server.clock.advance(20 * dayMs)
  await win(bought.id)
  await hearOnTwoNodes(bought.id)
  await gifts.deliverEvents(bought.id, 2)
  expect(await gifts.rowOf(bought.id)).toMatchObject({ state: 'claimed', refundedCents: 0 })
  expect(await subscribed(remy)).toBe(true)
  // The twenty days of the dispute aren't lost.
  expect((await untilOf(remy))?.getTime()).toBe(promised.getTime() + 20 * dayMs)
  expect(subjectsTo(remy.email, 'gift has ended')).toHaveLength(1)
  expect(subjectsTo(remy.email, 'gift is back')).toHaveLength(1)
  expect(await gifts.revenue()).toEqual({ ...before, paid: (before?.paid ?? 0) + 9900 })

  // A late answer from before the end of the dispute changes nothing.
  const old = { data: [{ id: await disputeOf(bought.id), status: 'needs_response', amount: 9900 }] }
  const late = vi.spyOn(billing.deps.stripe.disputes, 'list').mockResolvedValue(old as never)
  await gifts.deliverEvents(bought.id)
  await syncGift(billing.deps, await gifts.rowOf(bought.id))
  late.mockRestore()
  expect(await subscribed(remy)).toBe(true)

  // A refund afterwards takes what was given back, and nothing of another gift.
  const other = await gifts.buy()
  await gifts.claim(remy, gifts.claimTokenOf(other.recipientEmail))
  const both = (await untilOf(remy)) as Date
  await billing.call('admin-refund-gift', { id: bought.id }, await gifts.owner())
  expect(await gifts.rowOf(bought.id)).toMatchObject({ state: 'refunded', refundedCents: 9900 })
  expect((await untilOf(remy))?.getTime()).toBe(both.getTime() - (withdrawnSeconds ?? 0) * 1000)
  expect((await gifts.revenue())?.refunded).toBe((before?.refunded ?? 0) + 9900)
})

test('an unclaimed gift can be claimed again after a won dispute, for the time that was left', async () => {
  const remy = await billing.user()
  const bought = await buy()
  billing.server.clock.advance(80 * dayMs)
  bought.tell()
  await hearOnTwoNodes(bought.id)
  expect((await gifts.claim(remy, bought.token)).body).toMatchObject({ code: 'gift_refunded' })
  billing.server.clock.advance(30 * dayMs)
  await gifts.work()
  await win(bought.id)
  await hearOnTwoNodes(bought.id)
  expect(await gifts.received(bought.token)).toMatchObject({
    state: 'open',
    claimUntil: new Date(billing.server.clock.now.getTime() + 10 * dayMs).toISOString(),
  })
  expect((await gifts.claim(remy, bought.token)).body).toMatchObject({ outcome: 'access' })
})

test('a refund that was decided before the dispute is made after it is won', async () => {
  const remy = await billing.user()
  const bought = await buy()
  await gifts.claim(remy, bought.token)
  billing.proxy.failOnce(({ path, method }) => method === 'POST' && path.includes('/refunds'))
  await billing.call('admin-refund-gift', { id: bought.id }, await gifts.owner())
  bought.tell()
  await gifts.deliverEvents(bought.id)
  expect(await gifts.rowOf(bought.id)).toMatchObject({ state: 'disputed' })
  await win(bought.id)
  await hearOnTwoNodes(bought.id)
  expect(await gifts.rowOf(bought.id)).toMatchObject({ state: 'refunded', refundedCents: 9900 })
  expect(await subscribed(remy)).toBe(false)
  expect(subjectsTo(remy.email, 'gift has ended')).toHaveLength(1)
})

test('a bank’s question, and a dispute that is known only when it is won, take nothing', async () => {
  for (const number of [asked, disputed]) {
    const untold = vi.spyOn(billing.deps.stripe.disputes, 'list').mockResolvedValue({ data: [] } as never)
    const given = await paid(number)
    const remy = await billing.user()
    await gifts.claim(remy, gifts.claimTokenOf(given.recipientEmail))
    const until = await untilOf(remy)
    if (number === asked) {
      untold.mockRestore()
      await gifts.deliverEvents(given.id, 2)
    }
    const { status } = await win(given.id)
    expect(status).toBe(number === asked ? 'warning_closed' : 'won')
    untold.mockRestore()
    await hearOnTwoNodes(given.id)
    expect(await gifts.rowOf(given.id)).toMatchObject({ state: 'claimed', refundedCents: 0 })
    expect(await untilOf(remy)).toEqual(until)
    expect(gifts.emailsTo(remy.email)).toHaveLength(1)
  }
})

test('a bank’s question that becomes a dispute ends the gift at once', async () => {
  const given = await paid(asked)
  const remy = await billing.user()
  await gifts.claim(remy, gifts.claimTokenOf(given.recipientEmail))
  await billing.api.disputes.update(await disputeOf(given.id), {
    evidence: { uncategorized_text: 'escalate_inquiry_evidence' },
  })
  await gifts.deliverEvents(given.id, 2)
  expect(await gifts.rowOf(given.id)).toMatchObject({ state: 'disputed' })
  expect(await subscribed(remy)).toBe(false)
})
