import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { referral, sessions } from '#server/db/schema/index.ts'
import { workOnReferrals } from '#server/features/billing/referrals/feature.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { attachCard, type Billing, payAtCheckout } from '#tests/integration/billing/support.ts'
import type { TestUser, UserOptions } from '#tests/support/build-user.ts'
import type { PlanKey } from '#tests/support/default-plans.ts'

export const visa = '4242 4242 4242 4242'
export const mastercard = '5555 5555 5555 4444'
/** Paid past the checkout page. */
export const amex = 'pm_card_amex'

export function createReferrals(billing: Billing) {
  const owner = () => billing.user({ admin: true })
  async function save(settings: { enabled: boolean; maxPerYear: number }) {
    const by = await owner()
    const { version } = (await billing.call('admin-referrals', {}, by)).body
    expect((await billing.call('admin-save-referral-settings', { settings, version }, by)).status).toBe(200)
  }

  let people = 0
  /** Someone with a network of their own. */
  async function person(options?: UserOptions) {
    const user = await billing.user(options)
    people += 1
    await billing.db
      .update(sessions)
      .set({ ip: `203.0.113.${people}`, userAgent: 'Mozilla/5.0' })
      .where(eq(sessions.userId, user.id))
    return user
  }
  async function pay(user: TestUser, card = visa, plan: PlanKey = 'pro_monthly') {
    const url = await billing.checkout(user, plan)
    const customer = await billing.customerOf(user)
    if (card === amex) {
      const method = await attachCard(billing.api, customer, card)
      const items = [{ price: billing.priceOf(plan) }]
      await billing.api.subscriptions.create({ customer, items, default_payment_method: method })
    } else await payAtCheckout(url, card)
    await syncCustomer(billing.deps, customer)
  }
  async function member(card = visa, plan?: PlanKey) {
    const user = await person()
    await pay(user, card, plan)
    return user
  }
  const own = async (user: TestUser) => (await billing.call('own-referrals', {}, user)).body
  const tokenOf = async (user: TestUser) => new URL(String((await own(user)).link)).hash.replace('#gift=', '')
  const accept = (user: TestUser, token: string) => billing.call('accept-referral', { token }, user)
  const work = () => workOnReferrals(billing.deps)
  const rowOf = async (referee: TestUser) =>
    (await billing.db.select().from(referral).where(eq(referral.refereeId, referee.id)))[0]
  async function balanceOf(user: TestUser) {
    const customer = await billing.api.customers.retrieve(await billing.customerOf(user))
    return customer.deleted ? null : customer.balance
  }
  const creditsOf = async (user: TestUser) =>
    (await billing.api.customers.listBalanceTransactions(await billing.customerOf(user))).data.map(
      ({ amount }) => amount,
    )
  const subjectsTo = ({ email }: TestUser) =>
    billing.server.outbox
      .list()
      .filter(({ to }) => to === email)
      .map(({ subject }) => subject)
  async function firstChargeOf(user: TestUser) {
    const { data } = await billing.api.charges.list({ customer: await billing.customerOf(user) })
    return String(data.at(-1)?.id)
  }

  /** A member and someone who came by their link and paid. Fingerprints of test cards are those of their numbers. */
  async function brought(refereeCard: string, options?: UserOptions) {
    // Cards count only once, so a test forgets the hash of earlier ones.
    await billing.db.update(referral).set({ cardHash: null })
    const referrer = await member()
    const referee = await person(options)
    expect((await accept(referee, await tokenOf(referrer))).status).toBe(200)
    await pay(referee, refereeCard)
    return { referrer, referee }
  }
  return {
    ...{ owner, save, person, pay, member, own, tokenOf, accept, work, rowOf },
    ...{ balanceOf, creditsOf, subjectsTo, firstChargeOf, brought },
  }
}
