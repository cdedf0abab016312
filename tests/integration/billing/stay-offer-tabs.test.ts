import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { openPostgres } from '#server/db/open-postgres.ts'
import { retentionOffer } from '#server/db/schema/index.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { call } from '#tests/support/client-for.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { openBilling, subscribe } from './support.ts'

const billing = openForTests(() => openBilling())

async function subscriber() {
  const user = await billing.user()
  await billing.checkout(user)
  const customer = await billing.customerOf(user)
  const { id } = await subscribe(billing.api, customer, billing.priceOf('pro_monthly'))
  await syncCustomer(billing.deps, customer)
  return { user, customer, id }
}

type App = Parameters<typeof call>[0]['app']

/** The server's own app, and one with connections of its own on PostgreSQL. */
async function onTwoNodes<T>(run: (apps: [App, App]) => Promise<T>): Promise<T> {
  const { url } = billing.server.database
  const second = url ? await openPostgres(url) : null
  try {
    const database = second ?? { ...billing.deps.database }
    return await run([billing.server.app, createApp({ ...billing.deps, database })])
  } finally {
    await second?.close()
  }
}

/** A tab: the member gives a reason and takes what is offered, as often as they click. */
type Tab = { node: 0 | 1; reason: 'unused' | 'low_quality'; clicks: number }

async function clickThrough(app: App, user: TestUser, { reason, clicks }: Tab): Promise<void> {
  const { body } = await call({ app }, 'offer-to-stay', { reason }, user.token)
  const offer = body.offer as { id: string; kind: string } | null | undefined
  if (!offer) return
  const months = offer.kind === 'pause' ? { months: 1 } : {}
  const taking = { id: offer.id, kind: offer.kind, requestId: randomUUID(), ...months }
  await Promise.all(Array.from({ length: clicks }, () => call({ app }, 'take-stay-offer', taking, user.token)))
}

const tab: fc.Arbitrary<Tab> = fc.record({
  node: fc.constantFrom(0, 1),
  reason: fc.constantFrom('unused', 'low_quality'),
  clicks: fc.integer({ min: 1, max: 2 }),
})

test('in any tabs on two nodes, a member takes one offer a year, and it is counted', async () => {
  await onTwoNodes((apps) =>
    fc.assert(
      fc.asyncProperty(fc.array(tab, { minLength: 2, maxLength: 3 }), fc.boolean(), async (tabs, answerIsLost) => {
        const { user, customer, id } = await subscriber()
        if (answerIsLost) {
          billing.proxy.failOnce(({ method, path }) => method === 'POST' && path === `/v1/subscriptions/${id}`, 'after')
        }
        await Promise.all(tabs.map((one) => clickThrough(apps[one.node], user, one)))
        // Afterwards, another reason in a new tab.
        for (const reason of ['unused', 'low_quality'] as const) {
          await clickThrough(apps[0], user, { node: 0, reason, clicks: 1 })
        }
        await syncCustomer(billing.deps, customer)
        const { pause_collection: pause, discounts } = await billing.api.subscriptions.retrieve(id)
        const taken = [...(pause ? ['pause'] : []), ...discounts.map(() => 'discount')]
        const rows = await billing.db.select().from(retentionOffer).where(eq(retentionOffer.userId, user.id))
        expect(taken).toHaveLength(1)
        expect(rows.map(({ kind, takenAt }) => [kind, takenAt !== null])).toEqual([[taken[0], true]])
      }),
      { numRuns: caseCount(4, 40, 'STAY_OFFER_TABS') },
    ),
  )
})

test('an offer that was taken when the server stopped isn’t joined by another one', async () => {
  for (const first of ['unused', 'low_quality'] as const) {
    const { user, customer, id } = await subscriber()
    const { body } = await billing.call('offer-to-stay', { reason: first }, user)
    const { kind, id: offer } = body.offer as { id: string; kind: string }
    // Stripe has it, our row doesn't.
    if (kind === 'pause') {
      const resumes_at = Math.floor(Date.now() / 1000) + 60 * 24 * 3600
      await billing.api.subscriptions.update(id, { pause_collection: { behavior: 'void', resumes_at } })
    } else {
      const coupon = await billing.api.coupons.create({ id: 'stay-50-percent', percent_off: 50 }).catch(() => null)
      await billing.api.subscriptions.update(id, { discounts: [{ coupon: coupon?.id ?? 'stay-50-percent' }] })
    }
    const other = first === 'unused' ? 'low_quality' : 'unused'
    expect((await billing.call('offer-to-stay', { reason: other }, user)).body).toEqual({ offer: null })
    const replaced = kind === 'pause' ? 'discount' : 'pause'
    await billing.db.update(retentionOffer).set({ kind: replaced }).where(eq(retentionOffer.id, offer))
    const taking = { id: offer, kind: replaced, requestId: randomUUID(), ...(replaced === 'pause' && { months: 1 }) }
    expect((await billing.call('take-stay-offer', taking, user)).body).toMatchObject({ code: 'stay_offer_unavailable' })
    await syncCustomer(billing.deps, customer)
    const now = await billing.api.subscriptions.retrieve(id)
    expect([now.pause_collection !== null, now.discounts.length]).toEqual(kind === 'pause' ? [true, 0] : [false, 1])
  }
})
