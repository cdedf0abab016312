import { randomUUID } from 'node:crypto'
import { desc, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { purchase, withdrawal } from '#server/db/schema/index.ts'
import { applyPlans, takeOverPlans } from '#server/features/billing/subscriptions/plan-store.ts'
import { idsOfPlan } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { confirmWithdrawal, declareWithdrawal, readWithdrawal } from '#server/features/billing/withdrawals/withdraw.ts'
import type { RevenueReport } from '#shared/contracts/billing/admin-billing.ts'
import type { StoredPlans } from '#shared/contracts/billing/admin-plans.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { createGifts } from '../gifts/support.ts'
import { openBilling, payAtCheckout } from './support.ts'

const billing = openForTests(() => openBilling())
let owner: TestUser

beforeAll(async () => {
  await takeOverPlans(billing.db, billing.deps.config)
  await applyPlans(billing.db, billing.deps.config)
  owner = await billing.user({ admin: true })
})

const ok = async (name: string, body: unknown, user?: TestUser) => {
  const answer = await billing.call(name, body, user)
  expect([name, answer.status, answer.body.error]).toEqual([name, 200, undefined])
  return answer.body
}

async function sell(more: object): Promise<string> {
  const requestId = randomUUID()
  const plan = { key: null, version: 0, name: 'Taxed', note: '', features: [], currency: 'usd', interval: 'month' }
  await ok('admin-save-plan', { ...plan, seats: 1, trialDays: null, requestId, ...more }, owner)
  return `plan_${requestId.replaceAll('-', '').slice(0, 12)}`
}

/** What is paid and refunded this month, without tax. */
async function revenue() {
  const { months } = (await ok('admin-revenue', {}, owner)) as unknown as RevenueReport
  const { paidCents = 0, refundedCents = 0 } = months.at(-1)?.total ?? {}
  return { paidCents, refundedCents }
}

async function grownBy<T>(run: () => Promise<T>): Promise<{ paidCents: number; refundedCents: number }> {
  const before = await revenue()
  await run()
  const { paidCents, refundedCents } = await revenue()
  return { paidCents: paidCents - before.paidCents, refundedCents: refundedCents - before.refundedCents }
}

/** Withdraws from what was bought last. */
async function withdraw(email: string): Promise<void> {
  await declareWithdrawal(billing.deps, 'Robin', email)
  const own = eq(withdrawal.email, email)
  const [row] = await billing.db.select().from(withdrawal).where(own).orderBy(desc(withdrawal.declaredAt))
  const token = billing.deps.secrets.sign('withdrawal', row?.id ?? '')
  const bought = (await readWithdrawal(billing.deps, token))?.purchases.find(({ state }) => state === 'open')
  await confirmWithdrawal(billing.deps, token, bought?.contract ?? '')
}

const priceIdOf = (key: string) => idsOfPlan(billing.deps.config, key)?.priceId

async function subscribe(given: object) {
  const user = await billing.user()
  await payAtCheckout(String((await ok('create-checkout', given, user)).url))
  const customer = await billing.customerOf(user)
  await syncCustomer(billing.deps, customer)
  return { user, customer }
}

const refundedAt = async (customer: string) =>
  (await billing.api.charges.list({ customer })).data.reduce((sum, charge) => sum + charge.amount_refunded, 0)

const refundInvoice = async (user: TestUser, customer: string, amountCents: number) => {
  const [invoice] = (await billing.api.invoices.list({ customer })).data
  const refund = { userId: user.id, requestId: randomUUID(), invoiceId: invoice?.id, amountCents, refundedCents: 0 }
  await ok('admin-refund-invoice', refund, owner)
}

/** A fifth of the price. */
describe.each([
  { included: false, gross: (cents: number) => cents * 1.2, net: (cents: number) => cents },
  { included: true, gross: (cents: number) => cents, net: (cents: number) => Math.round(cents / 1.2) },
])('with tax (included: $included)', ({ included, gross, net }) => {
  beforeEach(async () => {
    const { version } = ((await ok('admin-plans', {}, owner)) as unknown as StoredPlans).tax
    const settings = { enabled: true, included, taxIds: false }
    await ok('admin-save-tax-settings', { settings, version }, owner)
  })

  describe('a one-time purchase', () => {
    async function buy(more: object = {}, amountCents = 6000) {
      const key = await sell({ once: 'period', intervalCount: 6, priceCents: 6000, ...more })
      const user = await billing.user()
      const paid = await grownBy(async () => {
        await payAtCheckout(String((await ok('buy-access', { plan: key, amountCents }, user)).url))
        await ok('own-purchases', {}, user)
      })
      const row = async () => {
        const [found] = await billing.db.select().from(purchase).where(eq(purchase.userId, user.id))
        return found
      }
      return { user, paid, row }
    }

    test('and its refund count without the tax', async () => {
      const { paid, row } = await buy()
      expect(paid).toEqual({ paidCents: net(6000), refundedCents: 0 })
      const id = (await row())?.id
      expect(await row()).toMatchObject({ amountCents: gross(6000), taxCents: gross(6000) - net(6000) })
      const refunded = await grownBy(() => ok('admin-refund-purchase', { id }, owner))
      expect(refunded).toEqual({ paidCents: 0, refundedCents: net(6000) })
      expect(await row()).toMatchObject({ state: 'refunded', refundedCents: gross(6000) })
    })

    test('is refunded with its tax after a withdrawal', async () => {
      const { user, row } = await buy()
      expect(await grownBy(() => withdraw(user.email))).toEqual({ paidCents: 0, refundedCents: net(6000) })
      expect(await row()).toMatchObject({ state: 'refunded', refundedCents: gross(6000) })
    })

    test('for an amount that its buyer chose is taxed on that amount', async () => {
      const { paid, row } = await buy({ once: 'forever', floorCents: 500 }, 720)
      expect(paid.paidCents).toBe(net(720))
      expect((await row())?.amountCents).toBe(gross(720))
    })
  })

  describe('a plan whose buyer chose the amount', () => {
    const buy = async () => {
      const key = await sell({ priceCents: 1000, floorCents: 500 })
      return subscribe({ priceId: priceIdOf(key), amountCents: 720 })
    }

    test('and its refund count without the tax', async () => {
      const before = await revenue()
      const { user, customer } = await buy()
      expect((await revenue()).paidCents - before.paidCents).toBe(net(720))
      expect(await grownBy(() => refundInvoice(user, customer, gross(720)))).toEqual({
        paidCents: 0,
        refundedCents: net(720),
      })
    })

    test('is refunded with its tax after a withdrawal', async () => {
      const { user, customer } = await buy()
      expect(await grownBy(() => withdraw(user.email))).toEqual({ paidCents: 0, refundedCents: net(720) })
      expect(await refundedAt(customer)).toBe(gross(720))
    })
  })

  test('a gift is refunded with its tax after its giver withdraws', async () => {
    const gifts = createGifts(billing)
    await gifts.save()
    const { amountCents } = (await ok('gift-offer', {})).offer as { amountCents: number }
    const wanted = gifts.wanted({ amountCents, giverEmail: `giver-${randomUUID()}@example.com` })
    const paid = await grownBy(async () => {
      const token = gifts.tokenIn(await gifts.pay(wanted))
      await ok('gift-status', { token })
    })
    expect(paid).toEqual({ paidCents: net(amountCents), refundedCents: 0 })
    expect(await grownBy(() => withdraw(wanted.giverEmail))).toEqual({ paidCents: 0, refundedCents: net(amountCents) })
    expect(await gifts.rowOf(wanted.requestId)).toMatchObject({
      state: 'refunded',
      refundedCents: gross(amountCents),
    })
  })

  describe('seats that are added in the middle of a period', () => {
    async function addSeat() {
      const priceId = priceIdOf(await sell({ priceCents: 3000, perSeat: true, seats: 2 }))
      const { user, customer } = await subscribe({ priceId, seats: 2 })
      const preview = await ok('preview-seats', { seats: 3 }, user)
      const { prorationDate, dueTodayCents } = preview as { prorationDate: number; dueTodayCents: number }
      const before = await revenue()
      await ok('add-seats', { seats: 3, prorationDate, dueTodayCents, requestId: randomUUID() }, user)
      const [added] = (await billing.api.invoices.list({ customer })).data
      expect(added).toMatchObject({ billing_reason: 'subscription_update', amount_paid: dueTodayCents })
      // The rest of the period is all but the seconds that the test took.
      expect(Math.abs(dueTodayCents - gross(3000))).toBeLessThanOrEqual(2)
      expect((await revenue()).paidCents - before.paidCents).toBe(added?.total_excluding_tax)
      return { user, customer, added, dueTodayCents }
    }

    test('and their refund count without the tax', async () => {
      const { user, customer, added, dueTodayCents } = await addSeat()
      const refunded = await grownBy(() => refundInvoice(user, customer, dueTodayCents))
      expect(refunded).toEqual({ paidCents: 0, refundedCents: added?.total_excluding_tax })
    })

    test('are refunded with the plan and all tax after a withdrawal', async () => {
      const { user, customer, added, dueTodayCents } = await addSeat()
      const refunded = await grownBy(() => withdraw(user.email))
      expect(refunded).toEqual({ paidCents: 0, refundedCents: net(6000) + (added?.total_excluding_tax ?? 0) })
      expect(await refundedAt(customer)).toBe(gross(6000) + dueTodayCents)
    })
  })
})
