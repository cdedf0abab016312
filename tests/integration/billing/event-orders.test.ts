import fc from 'fast-check'
import { expect, test } from 'vitest'
import { billingCustomer, stripeEvent, subscriptionState } from '#server/db/schema/index.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { deliver, eventsOf, openBilling, subscribe, withoutSyncFields } from './support.ts'

const billing = openForTests(() => openBilling())

test('B3: a purchase’s events produce the same row in any order and with duplicates', async () => {
  const user = await billing.user()
  await billing.checkout(user)
  const customer = await billing.customerOf(user)
  await subscribe(billing.api, customer, billing.priceOf('team_monthly'))
  const events = await eventsOf(billing.api, customer)
  expect(events.length).toBeGreaterThan(8)
  const forget = async () => {
    await billing.db.delete(stripeEvent)
    await billing.db.delete(subscriptionState)
    await billing.db.delete(billingCustomer)
    await billing.db.insert(billingCustomer).values({ userId: user.id, stripeCustomerId: customer })
  }
  await forget()
  for (const event of events) await deliver(billing, event)
  const expected = withoutSyncFields(await billing.row(user))
  expect(expected).toMatchObject({ status: 'active', productId: billing.productOf('team_monthly') })

  const orders = fc
    .shuffledSubarray([...events.keys()], { maxLength: events.length })
    .chain((more) => fc.shuffledSubarray([...events.keys(), ...more], { minLength: events.length + more.length }))
  await fc.assert(
    fc.asyncProperty(orders, fc.integer({ min: 1, max: 6 }), async (order, atOnce) => {
      await forget()
      const queue = order.map((position) => events[position] ?? {}).values()
      const bring = async () => {
        for (const event of queue) expect(await deliver(billing, event)).toBe(200)
      }
      await Promise.all(Array.from({ length: atOnce }, bring))
      expect(withoutSyncFields(await billing.row(user))).toEqual(expected)
      const stored = await billing.storedEvents()
      expect(stored).toHaveLength(events.length)
      expect(stored.every(({ processedAt }) => processedAt !== null)).toBe(true)
    }),
    { numRuns: caseCount(8, 25) },
  )
})
