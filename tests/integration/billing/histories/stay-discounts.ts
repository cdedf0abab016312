import { expect } from 'vitest'
import type { World } from './world.ts'

/** Half off is an amount for one renewal, and a discount that a change took off is back. */
export async function expectStayDiscounts({ api, people }: World): Promise<void> {
  const { data: coupons } = await api.coupons.list({ limit: 100 })
  for (const coupon of coupons.filter(({ id }) => id.startsWith('stay-'))) {
    expect(coupon).toMatchObject({ percent_off: null, amount_off: expect.any(Number), duration: 'once' })
  }
  for (const customer of people.flatMap(({ customers }) => customers.slice(-1))) {
    const { data } = await api.subscriptions.list({ customer, limit: 100 })
    const live = data.filter(({ status }) => status !== 'incomplete' && status !== 'unpaid')
    for (const { id, metadata } of live) expect([id, metadata.stay_discount]).toEqual([id, undefined])
  }
}

const maxUnpaidSeats = 5

/** Until the first payment, a team has few seats. */
export async function expectFewUnpaidSeats(world: World): Promise<void> {
  for (const person of world.people) {
    const total = ((await world.call('team', {}, person))?.body.owned as Team | null)?.seats.total ?? 0
    if (total <= maxUnpaidSeats) continue
    const paid = await Promise.all(
      person.customers.map(
        async (customer) => (await world.api.invoices.list({ customer, status: 'paid', limit: 100 })).data,
      ),
    )
    expect(paid.flat().some(({ amount_paid: cents }) => cents > 0)).toBe(true)
  }
}
type Team = { seats: { total: number } }
