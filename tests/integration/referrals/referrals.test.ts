import { eq } from 'drizzle-orm'
import { beforeAll, expect, test, vi } from 'vitest'
import { exportedData, onAccountDeleted } from '#server/all-features.ts'
import { openPostgres } from '#server/db/open-postgres.ts'
import { referral, revenueChange, revenueInvoice, sessions } from '#server/db/schema/index.ts'
import { workOnReferrals } from '#server/features/billing/referrals/feature.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { deleteUser } from '#server/features/identity/auth/users/delete-user.ts'
import {
  attachCard,
  dayMs,
  deliver,
  eventsOf,
  openBilling,
  startClock,
  travel,
} from '#tests/integration/billing/support.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { amex, createReferrals, mastercard, visa } from './support.ts'

const billing = openForTests(() => openBilling())
const referrals = createReferrals(billing)
const { owner, save, person, pay, member, own, tokenOf, accept, work, rowOf } = referrals
const { balanceOf, creditsOf, subjectsTo, firstChargeOf, brought } = referrals
beforeAll(() => save({ enabled: true, maxPerYear: 12 }))

test('the first payment of a new member brings both a free month as credit, once, under repeated and reordered events', async () => {
  const { referrer, referee } = await brought(mastercard)
  expect(await own(referrer)).toMatchObject({ pending: 1, rewarded: 0, credits: [] })
  const events = await eventsOf(billing.api, await billing.customerOf(referee))
  for (const event of [...events].reverse()) await deliver(billing, event)
  await work()
  for (const event of events) await deliver(billing, event)
  await work()
  for (const user of [referrer, referee]) expect(await creditsOf(user)).toEqual([-1000])
  expect(await own(referrer)).toMatchObject({ pending: 0, rewarded: 1, credits: [{ cents: 1000, taken: false }] })
  expect(await own(referee)).toMatchObject({ own: { state: 'rewarded', credit: { cents: 1000 } } })
  expect(subjectsTo(referrer).filter((text) => text.includes('free month'))).toEqual([
    'You get a free month: $10.00 of credit',
  ])
  expect(subjectsTo(referee).filter((text) => text.includes('free month'))).toEqual([
    'Your free month: $10.00 of credit',
  ])
  const page = (await billing.call('admin-referrals', {}, await owner())).body
  expect(page).toMatchObject({ counts: { rewarded: 1 }, costs: [{ cents: 2000, currency: 'usd' }] })
})

test('the month of a yearly plan is a twelfth of its price', async () => {
  await billing.db.update(referral).set({ cardHash: null })
  const referrer = await member(visa, 'pro_yearly')
  const referee = await person()
  await accept(referee, await tokenOf(referrer))
  await pay(referee, mastercard)
  await work()
  expect(await creditsOf(referrer)).toEqual([-825])
  expect(await creditsOf(referee)).toEqual([-1000])
})

test('two nodes at once, a lost answer of Stripe and an outage never double a credit', async () => {
  const { referrer, referee } = await brought(mastercard)
  const { url } = billing.server.database
  const second = url ? await openPostgres(url) : null
  try {
    const other = { ...billing.deps, database: second ?? { ...billing.deps.database } }
    billing.proxy.failOnce(({ path, method }) => method === 'POST' && path.includes('/balance_transactions'), 'after')
    await Promise.all([work(), workOnReferrals(other), work(), workOnReferrals(other)])
  } finally {
    await second?.close()
  }
  billing.proxy.failOnce(({ path }) => path.includes('/balance_transactions'))
  await work()
  await work()
  for (const user of [referrer, referee]) expect(await creditsOf(user)).toEqual([-1000])
  expect(subjectsTo(referrer).filter((text) => text.includes('free month'))).toHaveLength(1)
})

test('one’s own second address, card or device brings nothing, and says why to the owner', async () => {
  const sameCard = await brought(visa)
  await work()
  expect(await rowOf(sameCard.referee)).toMatchObject({ state: 'refused', reason: 'same_card' })

  const { referrer, referee } = await brought(mastercard)
  const browser = { ip: '198.51.100.5', userAgent: 'Mozilla/5.0' }
  for (const { id } of [referrer, referee]) {
    await billing.db.update(sessions).set(browser).where(eq(sessions.userId, id))
  }
  await work()
  expect(await rowOf(referee)).toMatchObject({ state: 'refused', reason: 'same_device' })

  const gmail = await person({ email: 'robin.reader@gmail.com' })
  await pay(gmail)
  const alias = await person({ email: 'robinreader+x@googlemail.com' })
  expect((await accept(alias, await tokenOf(gmail))).body).toMatchObject({ code: 'referral_refused' })
  expect((await accept(gmail, await tokenOf(gmail))).body).toMatchObject({ code: 'referral_refused' })
  for (const user of [sameCard.referrer, sameCard.referee, referrer, referee]) expect(await creditsOf(user)).toEqual([])
  const page = JSON.stringify((await billing.call('admin-referrals', {}, await owner())).body)
  expect(page).toContain('same_device')
})

test('a card or mailbox that brought a month before isn’t new again, also after the account was deleted', async () => {
  const first = await brought(mastercard, { email: 'kim.reader@gmail.com' })
  await work()
  await billing.db.transaction((tx) =>
    deleteUser(tx, { onAccountDeleted: onAccountDeleted(billing.deps) }, first.referee.id),
  )
  const [kept] = await billing.db.select().from(referral).where(eq(referral.referrerId, first.referrer.id))
  expect(kept).toMatchObject({ refereeId: null, state: 'rewarded' })
  const token = await tokenOf(first.referrer)
  const again = await person()
  await accept(again, token)
  await pay(again, mastercard)
  const alias = await person({ email: 'kimreader+2@gmail.com' })
  await accept(alias, token)
  await pay(alias, amex)
  await work()
  expect(await rowOf(again)).toMatchObject({ state: 'refused', reason: 'same_card' })
  expect(await rowOf(alias)).toMatchObject({ state: 'refused', reason: 'same_person' })
})

test('a refund before the reward prevents it, and one after it takes back what is left of both credits, once', async () => {
  const early = await brought(mastercard)
  await billing.api.refunds.create({ charge: await firstChargeOf(early.referee) })
  await syncCustomer(billing.deps, await billing.customerOf(early.referee), { afterPayment: true })
  await work()
  expect(await rowOf(early.referee)).toMatchObject({ state: 'refused', reason: 'refunded' })

  const { referrer, referee } = await brought(mastercard)
  await work()
  // The referrer has used 4 of the 10 dollars.
  await billing.api.customers.createBalanceTransaction(await billing.customerOf(referrer), {
    amount: 400,
    currency: 'usd',
  })
  await billing.api.refunds.create({ charge: await firstChargeOf(referee) })
  const [event] = (await billing.api.events.list({ type: 'charge.refunded', limit: 1 })).data
  for (let times = 0; times < 2; times += 1) expect(await deliver(billing, event as object)).toBe(200)
  await Promise.all([work(), work()])
  await work()
  expect(await rowOf(referee)).toMatchObject({
    ...{ state: 'withdrawn', reason: 'refunded', referrerTakenCents: 600, refereeTakenCents: 1000 },
  })
  for (const user of [referrer, referee]) {
    expect(await balanceOf(user)).toBe(0)
    expect(subjectsTo(user).filter((text) => text.includes('taken back'))).toHaveLength(1)
  }
})

test('a disputed first payment brings nothing', async () => {
  const { referrer, referee } = await brought('4000 0000 0000 0259')
  await work()
  expect(await rowOf(referee)).toMatchObject({ state: 'refused', reason: 'disputed' })
  expect(await creditsOf(referrer)).toEqual([])
})

test('a dispute after the reward takes it back, once its event arrives', async () => {
  const undisputed = vi.spyOn(billing.deps.stripe.disputes, 'list').mockResolvedValue({ data: [] } as never)
  const { referrer, referee } = await brought('4000 0000 0000 0259')
  await work()
  expect(await rowOf(referee)).toMatchObject({ state: 'rewarded' })
  undisputed.mockRestore()
  const [event] = (await billing.api.events.list({ type: 'charge.dispute.created', limit: 1 })).data
  for (let time = 0; time < 2; time += 1) await deliver(billing, event as object)
  await work()
  await work()
  expect(await rowOf(referee)).toMatchObject({ state: 'withdrawn', reason: 'disputed' })
  for (const user of [referrer, referee]) expect(await creditsOf(user)).toEqual([1000, -1000])
})

test('the free month lowers what is collected, to the cent, and not the recurring revenue', async () => {
  const { referee } = await brought(mastercard)
  await work()
  const customer = await billing.customerOf(referee)
  const clock = await startClock(billing.api, customer)
  await travel(billing.api, clock.id, new Date(Date.now() + 33 * dayMs))
  await syncCustomer(billing.deps, customer, { afterPayment: true })
  const invoices = await billing.db.select().from(revenueInvoice).where(eq(revenueInvoice.customerId, customer))
  const paid = invoices.map(({ paidCents, status }) => ({ paidCents, status }))
  expect(paid.toSorted((a, b) => b.paidCents - a.paidCents)).toEqual([
    { paidCents: 1000, status: 'paid' },
    { paidCents: 0, status: 'paid' },
  ])
  const changes = await billing.db.select().from(revenueChange).where(eq(revenueChange.customerId, customer))
  expect(changes.map(({ yearlyCents }) => yearlyCents)).toEqual([12_000])
})

test('a member gets no more than the year’s number, and the link then ends', async () => {
  await save({ enabled: true, maxPerYear: 1 })
  const referrer = await member()
  const token = await tokenOf(referrer)
  const [first, second, late] = [await person(), await person(), await person()]
  await accept(first, token)
  await accept(second, token)
  await billing.db.update(referral).set({ cardHash: null })
  await pay(first, mastercard)
  await pay(second, amex)
  await Promise.all([work(), work()])
  expect(await creditsOf(referrer)).toEqual([-1000])
  // Those who accepted before still get theirs.
  for (const user of [first, second]) expect(await creditsOf(user)).toEqual([-1000])
  expect((await accept(late, token)).body).toMatchObject({ code: 'referral_invalid' })
  await save({ enabled: true, maxPerYear: 12 })
})

test('links are for new members, can’t be forged, and end when referrals are off or the member stops paying', async () => {
  const referrer = await member()
  const token = await tokenOf(referrer)
  expect(await tokenOf(referrer)).toBe(token)
  const link = async (given: string) => (await billing.call('referral-link', { token: given })).body
  expect(await link(token)).toEqual({})
  expect(await link(`${token.slice(0, -2)}xx`)).toMatchObject({ code: 'referral_invalid' })
  expect(await link('guessed')).toMatchObject({ code: 'referral_invalid' })
  const payer = await member(mastercard)
  expect((await accept(payer, token)).body).toMatchObject({ code: 'referral_refused' })
  expect(await own(await person())).toMatchObject({ link: null, own: null })
  await save({ enabled: false, maxPerYear: 12 })
  expect(await link(token)).toMatchObject({ code: 'referral_invalid' })
  expect(await own(referrer)).toMatchObject({ link: null })
  await save({ enabled: true, maxPerYear: 12 })
  const { stripeSubscriptionId } = (await billing.row(referrer)) ?? {}
  await billing.api.subscriptions.cancel(String(stripeSubscriptionId))
  await syncCustomer(billing.deps, await billing.customerOf(referrer))
  expect(await link(token)).toMatchObject({ code: 'referral_invalid' })
})

test('a person’s download has their referrals, without the other person', async () => {
  const { referrer, referee } = await brought(mastercard)
  await work()
  const read = (user: TestUser) => billing.db.transaction(async (tx) => exportedData.referrals?.(tx, user.id))
  expect(await read(referrer)).toMatchObject({ brought: [{ state: 'rewarded', cents: 1000 }], own: [] })
  expect(await read(referee)).toMatchObject({ brought: [], own: [{ state: 'rewarded', cents: 1000 }] })
  expect(JSON.stringify(await read(referrer))).not.toContain(referee.email)
})

/** Half of a price and the like, for the member's next checkout. */
async function payWithOffer(user: TestUser, percent: number, card: string) {
  const coupon = await billing.api.coupons.create({ percent_off: percent, duration: 'forever' })
  const customer = await billing.customerOf(user)
  const method = await attachCard(billing.api, customer, card)
  const items = [{ price: billing.priceOf('pro_monthly') }]
  const discounts = [{ coupon: coupon.id }]
  await billing.api.subscriptions.create({ customer, items, discounts, default_payment_method: method })
  await syncCustomer(billing.deps, customer)
}

test('a new member on an offer brings both no more than was really paid', async () => {
  await billing.db.update(referral).set({ cardHash: null })
  const referrer = await member()
  const referee = await person()
  await accept(referee, await tokenOf(referrer))
  await billing.checkout(referee)
  await payWithOffer(referee, 95, 'pm_card_mastercard')
  await work()
  for (const user of [referrer, referee]) expect(await creditsOf(user)).toEqual([-50])
})

test('a new member who pays by the week brings both no more than the week that was paid', async () => {
  await billing.db.update(referral).set({ cardHash: null })
  const referrer = await member()
  const referee = await person()
  await accept(referee, await tokenOf(referrer))
  await billing.checkout(referee)
  const customer = await billing.customerOf(referee)
  const { product } = await billing.api.prices.retrieve(billing.priceOf('pro_monthly'))
  const recurring = { interval: 'week' } as const
  const week = { product: String(product), currency: 'usd', unit_amount: 400, recurring }
  const { id: price } = await billing.api.prices.create(week)
  const method = await attachCard(billing.api, customer, 'pm_card_mastercard')
  await billing.api.subscriptions.create({ customer, items: [{ price }], default_payment_method: method })
  await syncCustomer(billing.deps, customer)
  await work()
  for (const user of [referrer, referee]) expect(await creditsOf(user)).toEqual([-400])
})

test('a member on an offer gets no more than they paid themselves for a month', async () => {
  await billing.db.update(referral).set({ cardHash: null })
  const referrer = await person()
  await billing.checkout(referrer)
  await payWithOffer(referrer, 70, 'pm_card_visa')
  const referee = await person()
  await accept(referee, await tokenOf(referrer))
  await pay(referee, mastercard)
  await work()
  expect(await creditsOf(referrer)).toEqual([-300])
  expect(await creditsOf(referee)).toEqual([-1000])
})

test('a refund of a part before the reward lowers it, and one after it that leaves less than the credit takes it back', async () => {
  const early = await brought(mastercard)
  await billing.api.refunds.create({ charge: await firstChargeOf(early.referee), amount: 400 })
  await syncCustomer(billing.deps, await billing.customerOf(early.referee), { afterPayment: true })
  await work()
  for (const user of [early.referrer, early.referee]) expect(await creditsOf(user)).toEqual([-600])

  const late = await brought(mastercard)
  await work()
  await billing.api.refunds.create({ charge: await firstChargeOf(late.referee), amount: 900 })
  await syncCustomer(billing.deps, await billing.customerOf(late.referee), { afterPayment: true })
  await work()
  expect(await rowOf(late.referee)).toMatchObject({ state: 'withdrawn', reason: 'refunded' })
  for (const user of [late.referrer, late.referee]) expect(await balanceOf(user)).toBe(0)
})
