import { beforeEach, describe, expect, test } from 'vitest'
import { trialCardUsage, trialUsage } from '#server/db/schema/index.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { openBilling, payAtCheckout } from '#tests/integration/billing/support.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const billing = openForTests(() => openBilling({ trialDays: 14 }))
beforeEach(async () => {
  await billing.db.delete(trialCardUsage)
  await billing.db.delete(trialUsage)
})

const cards = { visa: '4242 4242 4242 4242', mastercard: '5555 5555 5555 4444' }
let count = 0
const newUser = (email = `trial-${++count}@example.test`) => billing.user({ email })
const offered = async (user: TestUser) => (await billing.call('trial-offer', {}, user)).body.days
const mailsOf = ({ email }: TestUser) =>
  billing.server.outbox.list(email).filter(({ subject }) => subject.includes('didn’t start'))

/** Buys like a user, and then syncs. */
async function buyWith(user: TestUser, number: string) {
  await payAtCheckout(await billing.checkout(user), number)
  const customer = await billing.customerOf(user)
  await syncCustomer(billing.deps, customer)
  const paid = (await billing.api.charges.list({ customer })).data.reduce((sum, { amount }) => sum + amount, 0)
  return { customer, paid, row: await billing.row(user) }
}

describe('10.5: a person gets one trial', () => {
  test.each([
    ['a plus tag', 'ana.b@example.test', 'ana.b+again@example.test'],
    ['dots at Gmail', 'dora.li@gmail.com', 'd.o.r.a.l.i@gmail.com'],
    ['googlemail', 'eva@gmail.com', 'e.va+1@googlemail.com'],
  ])('not another one by %s', async (_how, first, second) => {
    await buyWith(await newUser(first), cards.visa)
    const again = await newUser(second)
    expect(await offered(again)).toBe(0)
    const { row, paid } = await buyWith(again, cards.mastercard)
    expect(row).toMatchObject({ status: 'active' })
    expect(paid).toBe(1000)
  })

  test('a dot in other domains is another mailbox', async () => {
    await buyWith(await newUser('fay.lo@example.test'), cards.visa)
    expect(await offered(await newUser('faylo@example.test'))).toBe(14)
  })

  test('not another one with the same card: it ends at once, nothing is charged, and one email says why', async () => {
    expect((await buyWith(await newUser(), cards.visa)).row).toMatchObject({ status: 'trialing' })
    const second = await newUser()
    expect(await offered(second)).toBe(14)
    const { customer, row, paid } = await buyWith(second, cards.visa)
    expect(row).toMatchObject({ status: 'canceled', trialUsed: true })
    expect(paid).toBe(0)
    expect(await billing.check(second)).toMatchObject({ subscribed: false })
    for (let look = 0; look < 2; look += 1) await syncCustomer(billing.deps, customer)
    expect(mailsOf(second)).toHaveLength(1)
    // Without a trial, any card is accepted.
    const bought = await buyWith(second, cards.visa)
    expect(bought).toMatchObject({ paid: 1000, row: { status: 'active' } })
  })

  test('if two trials start with one card at the same time on two nodes, one continues', async () => {
    const users = [await newUser(), await newUser()]
    const customers: string[] = []
    for (const user of users) {
      await payAtCheckout(await billing.checkout(user), cards.mastercard)
      customers.push(await billing.customerOf(user))
    }
    const nodes = users.map(() => ({ ...billing.deps, database: { ...billing.deps.database } }))
    await Promise.all(customers.flatMap((id) => nodes.map((node) => syncCustomer(node, id))))
    const rows = await Promise.all(users.map((user) => billing.row(user)))
    expect(rows.map((row) => row?.status).toSorted()).toEqual(['canceled', 'trialing'])
  })

  test('if the server crashes after the cancellation, the email is still sent once', async () => {
    await buyWith(await newUser(), cards.visa)
    const second = await newUser()
    await payAtCheckout(await billing.checkout(second), cards.visa)
    const customer = await billing.customerOf(second)
    billing.proxy.failOnce(({ method }) => method === 'DELETE', 'after')
    await expect(syncCustomer(billing.deps, customer)).rejects.toThrow()
    expect(mailsOf(second)).toHaveLength(0)
    for (let look = 0; look < 2; look += 1) await syncCustomer(billing.deps, customer)
    expect(mailsOf(second)).toHaveLength(1)
    expect((await billing.row(second))?.status).toBe('canceled')
  })

  test('changing the card during a trial ends nothing', async () => {
    await buyWith(await newUser(), cards.visa)
    const second = await newUser()
    const { customer } = await buyWith(second, cards.mastercard)
    const { id } = await billing.api.paymentMethods.attach('pm_card_visa', { customer })
    const [subscription] = (await billing.api.subscriptions.list({ customer })).data
    await billing.api.subscriptions.update(subscription?.id ?? '', { default_payment_method: id })
    await syncCustomer(billing.deps, customer)
    expect(await billing.row(second)).toMatchObject({ status: 'trialing' })
  })

  test('a trial granted in Stripe is never refused', async () => {
    await buyWith(await newUser(), cards.visa)
    const friend = await newUser()
    await billing.checkout(friend)
    const customer = await billing.customerOf(friend)
    const { id } = await billing.api.paymentMethods.attach('pm_card_visa', { customer })
    const items = [{ price: billing.priceOf('pro_monthly') }]
    await billing.api.subscriptions.create({ customer, items, default_payment_method: id, trial_period_days: 30 })
    await syncCustomer(billing.deps, customer)
    expect(await billing.row(friend)).toMatchObject({ status: 'trialing' })
  })
})

describe('10.5: no one can use up another user’s trial', () => {
  test('an address that isn’t confirmed starts no trial, and isn’t charged instead', async () => {
    const stranger = await billing.user({ email: 'owner@example.test', confirmed: false })
    const price = { priceId: billing.priceOf('pro_monthly') }
    const refused = await billing.call('create-checkout', price, stranger)
    expect(refused).toMatchObject({ status: 403, body: { code: 'email_not_confirmed' } })
    expect(refused.body.error).toContain('14 free days')
    expect(await billing.db.select().from(trialUsage)).toEqual([])
    expect(await offered(await newUser('owner+me@example.test'))).toBe(14)
  })

  test('opening a checkout doesn’t use up the trial', async () => {
    const user = await newUser('gus@example.test')
    await billing.checkout(user)
    await syncCustomer(billing.deps, await billing.customerOf(user))
    expect(await offered(user)).toBe(14)
    expect(await offered(await newUser('gus+2@example.test'))).toBe(14)
  })

  test('a refused trial doesn’t use up the trial of its mailbox', async () => {
    await buyWith(await newUser(), cards.visa)
    await buyWith(await newUser('hal@example.test'), cards.visa)
    expect(await offered(await newUser('hal+2@example.test'))).toBe(14)
  })
})
