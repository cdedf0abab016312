import type { PlanKey } from '#tests/support/default-plans.ts'
import { attachCard, type Billing, travel } from '../support.ts'

type Customer = ReturnType<typeof actionsOf>
/** Advances the customer's test clock to the given months and hours after the start. */
type To = (months: number, hours?: number) => Promise<void>

/** A month end, so renewals are on Feb 28 and Mar 31. */
export const startsAt = new Date('2027-01-31T11:00:00Z')
const startedAt = Date.now()
/** The sandbox's wall clock. */
export const wallClock = () => startsAt.getTime() + Date.now() - startedAt

/** Adds two hours by default, since a renewal's invoice stays a draft for an hour. */
export function monthsLater(count: number, hours = 2): Date {
  const year = startsAt.getUTCFullYear()
  const month = startsAt.getUTCMonth() + count
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const day = Math.min(startsAt.getUTCDate(), lastDay)
  return new Date(Date.UTC(year, month, day, startsAt.getUTCHours() + hours))
}

/** Actions of a customer at Stripe. */
function actionsOf({ api, priceOf }: Billing, customer: string) {
  const currentSubscription = async () => {
    const [subscription] = (await api.subscriptions.list({ customer, limit: 1 })).data
    if (!subscription) throw new Error('no subscription')
    return subscription
  }
  const payWith = async (kind: string) => {
    const card = await attachCard(api, customer, kind)
    await api.subscriptions.update((await currentSubscription()).id, { default_payment_method: card })
  }
  return {
    buy: async (plan: PlanKey, more: { trial_period_days?: number; discounts?: { coupon: string }[] } = {}) => {
      const card = await attachCard(api, customer)
      await api.subscriptions.create({
        customer,
        items: [{ price: priceOf(plan) }],
        default_payment_method: card,
        ...more,
      })
    },
    switchTo: async (plan: PlanKey, bills: 'always_invoice' | 'create_prorations' = 'always_invoice') => {
      const { id, items } = await currentSubscription()
      await api.subscriptions.update(id, {
        items: [{ id: items.data[0]?.id ?? '', price: priceOf(plan) }],
        proration_behavior: bills,
      })
    },
    cancel: async () => api.subscriptions.cancel((await currentSubscription()).id),
    cancelAtPeriodEnd: async () =>
      api.subscriptions.update((await currentSubscription()).id, { cancel_at_period_end: true }),
    useFailingCard: () => payWith('pm_card_chargeCustomerFail'),
    payOpenInvoice: async () => {
      await payWith('pm_card_visa')
      await api.invoices.pay(String((await currentSubscription()).latest_invoice))
    },
    refund: async (amount?: number) => {
      const { data } = await api.charges.list({ customer })
      await api.refunds.create({ charge: data.find(({ paid }) => paid)?.id ?? '', ...(amount && { amount }) })
    },
    coupon: async (terms: Parameters<Billing['api']['coupons']['create']>[0]) => (await api.coupons.create(terms)).id,
  }
}

const scenarios: ((customer: Customer, to: To) => Promise<void>)[] = [
  async function paysMonthly(customer, to) {
    await customer.buy('pro_monthly')
    for (const month of [1, 2, 3]) await to(month)
  },
  async function paysYearlyWithPermanentDiscount(customer, to) {
    await customer.buy('pro_yearly', {
      discounts: [{ coupon: await customer.coupon({ percent_off: 15, duration: 'forever' }) }],
    })
    await to(13)
  },
  async function hasOneTimeThenRepeatingDiscount(customer, to) {
    await customer.buy('pro_monthly', {
      discounts: [{ coupon: await customer.coupon({ percent_off: 50, duration: 'once' }) }],
    })
    await to(1)
    await customer.cancel()
    const coupon = await customer.coupon({
      amount_off: 300,
      currency: 'usd',
      duration: 'repeating',
      duration_in_months: 2,
    })
    await customer.buy('team_monthly', { discounts: [{ coupon }] })
    for (const month of [2, 3, 4]) await to(month, 4)
  },
  async function switchesWithDiscount(customer, to) {
    await customer.buy('pro_monthly', {
      discounts: [{ coupon: await customer.coupon({ percent_off: 25, duration: 'forever' }) }],
    })
    await to(0, 12 * 24)
    await customer.switchTo('team_monthly')
    await to(1)
  },
  async function paysAfterTrial(customer, to) {
    await customer.buy('pro_monthly', { trial_period_days: 14 })
    for (const month of [1, 2]) await to(month)
  },
  async function failsAfterTrial(customer, to) {
    await customer.buy('pro_monthly', { trial_period_days: 14 })
    await customer.useFailingCard()
    for (const month of [1, 2]) await to(month)
  },
  async function failsAndRecovers(customer, to) {
    await customer.buy('team_monthly')
    await customer.useFailingCard()
    await to(1, 30)
    await customer.payOpenInvoice()
    for (const month of [2, 3]) await to(month)
  },
  async function failsUntilCanceled(customer, to) {
    await customer.buy('pro_monthly')
    await to(1)
    await customer.useFailingCard()
    for (const month of [2, 3]) await to(month)
  },
  async function hasOpenRenewal(customer, to) {
    await customer.buy('pro_monthly')
    await customer.useFailingCard()
    await to(1, 30)
  },
  async function getsRefundLeavesAndReturns(customer, to) {
    await customer.buy('team_monthly')
    await customer.refund(550)
    await customer.cancelAtPeriodEnd()
    await to(1, 30)
    await to(2)
    await customer.buy('pro_monthly')
    await customer.refund()
    await to(3)
  },
  async function switchesToTeamYearlyAndMonthly(customer, to) {
    await customer.buy('pro_monthly')
    await to(0, 12 * 24)
    await customer.switchTo('team_monthly')
    await to(1)
    await customer.switchTo('pro_yearly')
    await to(2)
    await customer.switchTo('pro_monthly')
    await to(3)
  },
  async function switchesBilledWithRenewal(customer, to) {
    await customer.buy('pro_monthly')
    await to(0, 9 * 24)
    await customer.switchTo('team_monthly', 'create_prorations')
    await to(0, 12 * 24)
    await to(1)
  },
]

/**
 * Runs all scenarios, each with a new customer.
 * @param createCustomer creates a customer without purchases
 * @param sync is called each time a customer's clock has advanced
 */
export async function runScenarios(
  billing: Billing,
  createCustomer: () => Promise<string>,
  sync: (customer: string) => Promise<unknown>,
): Promise<void> {
  for (const scenario of scenarios) {
    const customer = await createCustomer()
    const frozen_time = Math.ceil(wallClock() / 1000) + 1
    const clock = await billing.api.testHelpers.testClocks.create({ frozen_time, customer })
    await scenario(actionsOf(billing, customer), async (count, hours) => {
      await travel(billing.api, clock.id, monthsLater(count, hours))
      await sync(customer)
    })
  }
}
