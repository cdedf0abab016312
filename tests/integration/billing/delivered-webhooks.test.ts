import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Billing, openBilling, payAtCheckout, runEventJobs } from './support.ts'

let billing: Billing
let listening: Server
beforeAll(async () => {
  let fetchApp: Billing['server']['app']['fetch'] | undefined
  listening = createAdaptorServer({
    fetch: async (request: Request, bindings: object) =>
      (await fetchApp?.(request, bindings)) ?? new Response(null, { status: 503 }),
  }) as Server
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const { port } = listening.address() as AddressInfo
  billing = await openBilling({ webhookUrl: `http://127.0.0.1:${port}/webhooks/stripe` })
  fetchApp = billing.server.app.fetch
})
afterAll(async () => {
  await billing.close()
  listening.closeAllConnections()
  await new Promise((resolve) => listening.close(resolve))
})

/** The jobs of the delivered events run between the looks. */
const until = (read: () => Promise<unknown>) =>
  expect.poll(
    async () => {
      await runEventJobs(billing.server)
      return read()
    },
    { timeout: 15_000, interval: 25 },
  )

test('B2: webhooks delivered over HTTP activate the subscription without the return from checkout', async () => {
  const user = await billing.user()
  await payAtCheckout(await billing.checkout(user))
  await until(async () => (await billing.row(user))?.status).toBe('active')
  expect((await billing.check(user)).subscribed).toBe(true)
  await until(async () =>
    (await billing.storedEvents()).some(({ type }) => type === 'checkout.session.completed'),
  ).toBe(true)
})

test('B8: an event that fails while Stripe is down is tried again and repairs the row', async () => {
  const user = await billing.user()
  const url = await billing.checkout(user)
  billing.proxy.outage = 'refused'
  await payAtCheckout(url)
  await until(async () => (await billing.storedEvents()).some(({ attempts }) => attempts > 0)).toBe(true)
  expect((await billing.row(user))?.status).toBe('none')
  billing.proxy.outage = null
  await until(async () => (await billing.row(user))?.status).toBe('active')
  await until(async () => (await billing.storedEvents()).filter(({ processedAt }) => processedAt === null).length).toBe(
    0,
  )
})

test('B22: a cancellation at Stripe updates the row by webhook', async () => {
  const user = await billing.user()
  await payAtCheckout(await billing.checkout(user))
  await until(async () => (await billing.row(user))?.status).toBe('active')
  await billing.api.subscriptions.cancel((await billing.row(user))?.stripeSubscriptionId ?? '')
  await until(async () => (await billing.check(user)).subscribed).toBe(false)
})
