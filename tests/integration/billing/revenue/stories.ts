import type { PlanKey } from '#shared/domain/plans.ts'
import { attachCard, type Billing, travel } from '../support.ts'

type Customer = ReturnType<typeof actingAs>
/** Moves the customer's clock to so many months and hours after the start. */
type To = (months: number, hours?: number) => Promise<void>

/** The end of a month: renewals are on Feb 28 and Mar 31. */
export const startsAt = new Date('2027-01-31T11:00:00Z')
const begunAt = Date.now()
/** The sandbox's wall clock. */
export const wallClock = () => startsAt.getTime() + Date.now() - begunAt

/** By itself as long after the start as a renewal's invoice stays a draft, and a bit. */
export function monthsLater(count: number, hours = 2): Date {
  const year = startsAt.getUTCFullYear()
  const month = startsAt.getUTCMonth() + count
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const day = Math.min(startsAt.getUTCDate(), lastDay)
  return new Date(Date.UTC(year, month, day, startsAt.getUTCHours() + hours))
}

/** What a customer may do at Stripe. */
function actingAs({ api, priceOf }: Billing, customer: string) {
  const running = async () => {
    const [subscription] = (await api.subscriptions.list({ customer, limit: 1 })).data
    if (!subscription) throw new Error('nothing is subscribed to')
    return subscription
  }
  const payWith = async (kind: string) => {
    const card = await attachCard(api, customer, kind)
    await api.subscriptions.update((await running()).id, { default_payment_method: card })
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
      const { id, items } = await running()
      await api.subscriptions.update(id, {
        items: [{ id: items.data[0]?.id ?? '', price: priceOf(plan) }],
        proration_behavior: bills,
      })
    },
    cancel: async () => api.subscriptions.cancel((await running()).id),
    cancelAtTheEnd: async () => api.subscriptions.update((await running()).id, { cancel_at_period_end: true }),
    cardFailsFromNowOn: () => payWith('pm_card_chargeCustomerFail'),
    payWhatIsOpen: async () => {
      await payWith('pm_card_visa')
      await api.invoices.pay(String((await running()).latest_invoice))
    },
    getBack: async (amount?: number) => {
      const { data } = await api.charges.list({ customer })
      await api.refunds.create({ charge: data.find(({ paid }) => paid)?.id ?? '', ...(amount && { amount }) })
    },
    coupon: async (terms: Parameters<Billing['api']['coupons']['create']>[0]) => (await api.coupons.create(terms)).id,
  }
}

const stories: ((one: Customer, to: To) => Promise<void>)[] = [
  async function paysByTheMonth(one, to) {
    await one.buy('pro_monthly')
    for (const month of [1, 2, 3]) await to(month)
  },
  async function paysByTheYearWithADiscountForGood(one, to) {
    await one.buy('pro_yearly', { discounts: [{ coupon: await one.coupon({ percent_off: 15, duration: 'forever' }) }] })
    await to(13)
  },
  async function paysHalfOnceAndLaterThreeDollarsLessForTwoMonths(one, to) {
    await one.buy('pro_monthly', { discounts: [{ coupon: await one.coupon({ percent_off: 50, duration: 'once' }) }] })
    await to(1)
    await one.cancel()
    const coupon = await one.coupon({ amount_off: 300, currency: 'usd', duration: 'repeating', duration_in_months: 2 })
    await one.buy('team_monthly', { discounts: [{ coupon }] })
    for (const month of [2, 3, 4]) await to(month, 4)
  },
  async function switchesWithADiscount(one, to) {
    await one.buy('pro_monthly', {
      discounts: [{ coupon: await one.coupon({ percent_off: 25, duration: 'forever' }) }],
    })
    await to(0, 12 * 24)
    await one.switchTo('team_monthly')
    await to(1)
  },
  async function paysAfterATrial(one, to) {
    await one.buy('pro_monthly', { trial_period_days: 14 })
    for (const month of [1, 2]) await to(month)
  },
  async function cannotPayAfterATrial(one, to) {
    await one.buy('pro_monthly', { trial_period_days: 14 })
    await one.cardFailsFromNowOn()
    for (const month of [1, 2]) await to(month)
  },
  async function failsAndRecovers(one, to) {
    await one.buy('team_monthly')
    await one.cardFailsFromNowOn()
    await to(1, 30)
    await one.payWhatIsOpen()
    for (const month of [2, 3]) await to(month)
  },
  async function failsAndIsGivenUp(one, to) {
    await one.buy('pro_monthly')
    await to(1)
    await one.cardFailsFromNowOn()
    for (const month of [2, 3]) await to(month)
  },
  async function hasARenewalOpen(one, to) {
    await one.buy('pro_monthly')
    await one.cardFailsFromNowOn()
    await to(1, 30)
  },
  async function getsMoneyBackLeavesAndReturns(one, to) {
    await one.buy('team_monthly')
    await one.getBack(550)
    await one.cancelAtTheEnd()
    await to(1, 30)
    await to(2)
    await one.buy('pro_monthly')
    await one.getBack()
    await to(3)
  },
  async function switchesUpToTheYearAndDown(one, to) {
    await one.buy('pro_monthly')
    await to(0, 12 * 24)
    await one.switchTo('team_monthly')
    await to(1)
    await one.switchTo('pro_yearly')
    await to(2)
    await one.switchTo('pro_monthly')
    await to(3)
  },
  async function switchesOnTheNextBill(one, to) {
    await one.buy('pro_monthly')
    await to(0, 9 * 24)
    await one.switchTo('team_monthly', 'create_prorations')
    await to(0, 12 * 24)
    await to(1)
  },
]

/**
 * Lets everyone live through some months.
 * @param newcomer makes a customer who has not bought yet
 * @param look is called whenever time has passed for a customer
 */
export async function liveStories(
  billing: Billing,
  newcomer: () => Promise<string>,
  look: (customer: string) => Promise<unknown>,
): Promise<void> {
  for (const story of stories) {
    const customer = await newcomer()
    const frozen_time = Math.ceil(wallClock() / 1000) + 1
    const clock = await billing.api.testHelpers.testClocks.create({ frozen_time, customer })
    await story(actingAs(billing, customer), async (count, hours) => {
      await travel(billing.api, clock.id, monthsLater(count, hours))
      await look(customer)
    })
  }
}
