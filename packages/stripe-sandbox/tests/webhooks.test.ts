import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Bench, clockedCustomer, expectShape, failure, openBench, seed, waitFor } from './support.ts'
import { openReceiver, type Receiver } from './webhook-receiver.ts'

const secret = 'whsec_receiver_secret'
let folder: string
let receiver: Receiver
let bench: Bench
let now: number

const open = () =>
  openBench({
    dataFile: join(folder, 'stripe.db'),
    now: () => now,
    seed: { ...seed, webhook: { url: receiver.url, secret } },
  })

beforeEach(async () => {
  now = Date.now()
  folder = mkdtempSync(join(tmpdir(), 'webhooks-'))
  receiver = await openReceiver()
  bench = await open()
})
afterEach(async () => {
  await bench.close()
  await receiver.close()
  rmSync(folder, { recursive: true })
  expect(bench.problems).toEqual([])
  expect(bench.logged.join('\n')).not.toContain(secret)
})

const settled = () =>
  waitFor(async () => (await bench.stripe.events.list({ delivery_success: false })).data.length === 0)

test('S38 deliveries have a signature that the SDK verifies, and S2 an event of the documented shape', async () => {
  const { customer } = await clockedCustomer(bench)
  await bench.stripe.subscriptions.create({ customer: customer.id, items: [{ price: 'price_pro_monthly' }] })
  await settled()
  expect(receiver.received.map((each) => each.type)).toContain('invoice.paid')
  for (const delivery of receiver.received) {
    const event = bench.stripe.webhooks.constructEvent(delivery.body, delivery.signature, secret)
    expect(event.id).toBe(delivery.id)
    expectShape('event', delivery.event)
    expect(() => bench.stripe.webhooks.constructEvent(`${delivery.body} `, delivery.signature, secret)).toThrow()
  }
  const listed = await bench.stripe.events.list({ limit: 100 })
  expect(receiver.received.map((each) => each.id)).toEqual(listed.data.map((event) => event.id).reverse())
})

test('S39 a failed delivery is retried with the same id, in order, until it is accepted', async () => {
  receiver.answer = (_delivery, count) => (count < 3 ? 500 : 200)
  await bench.stripe.customers.create({})
  await waitFor(() => receiver.received.length === 1)
  await waitFor(async () => bench.logged.length === 1)
  now += 2000
  await waitFor(() => receiver.received.length === 2)
  await waitFor(async () => bench.logged.length === 2)
  now += 9000
  expect(receiver.received).toHaveLength(2)
  now += 1000
  await settled()
  expect(new Set(receiver.received.map((each) => each.id)).size).toBe(1)
  expect(receiver.received).toHaveLength(3)
})

test('S38 a retry ten minutes later and after a restart gets a new signature', async () => {
  receiver.answer = () => 503
  await bench.stripe.customers.create({})
  await waitFor(() => bench.logged.length === 1)
  await bench.close()
  now += 10 * 60_000
  receiver.answer = () => 200
  bench = await open()
  await settled()
  const [first, second] = receiver.received
  expect(second?.id).toBe(first?.id)
  expect(second?.signature).not.toBe(first?.signature)
  const received = Math.floor(now / 1000)
  const again = bench.stripe.webhooks.constructEvent(
    second?.body ?? '',
    second?.signature ?? '',
    secret,
    300,
    undefined,
    received,
  )
  expect(again.id).toBe(first?.id)
})

test('redirects are not followed and count as failures', async () => {
  receiver.answer = (_delivery, count) => (count === 1 ? { status: 302, location: `${receiver.url}/elsewhere` } : 200)
  await bench.stripe.customers.create({})
  await waitFor(() => bench.logged.length === 1)
  expect(receiver.received).toHaveLength(1)
  now += 2000
  await settled()
  expect(receiver.received).toHaveLength(2)
})

test('a webhook endpoint gets the events it subscribed to, signed with the secret shown once', async () => {
  const other = await openReceiver()
  const endpoint = await bench.stripe.webhookEndpoints.create({ url: other.url, enabled_events: ['customer.updated'] })
  expect(endpoint.secret).toMatch(/^whsec_/)
  for (const { secret } of (await bench.stripe.webhookEndpoints.list()).data) expect(secret).toBeUndefined()
  const customer = await bench.stripe.customers.create({})
  await bench.stripe.customers.update(customer.id, { name: 'Ida' })
  await settled()
  expect(other.received.map((each) => each.type)).toEqual(['customer.updated'])
  const [delivery] = other.received
  const event = bench.stripe.webhooks.constructEvent(
    delivery?.body ?? '',
    delivery?.signature ?? '',
    endpoint.secret ?? '',
  )
  expect(event.data.previous_attributes).toEqual({ name: null })
  await bench.stripe.webhookEndpoints.update(endpoint.id, { disabled: true })
  await bench.stripe.customers.update(customer.id, { name: 'Eva' })
  await settled()
  expect(other.received).toHaveLength(1)
  expect(await bench.stripe.webhookEndpoints.del(endpoint.id)).toMatchObject({ deleted: true })
  await other.close()
})

test('S44 webhooks are sent to loopback addresses only', async () => {
  for (const url of [
    'http://example.com/hook',
    'http://10.0.0.1/',
    'http://127.0.0.1.evil.example/',
    'file:///etc/passwd',
    'ftp://localhost/',
    'nonsense',
  ]) {
    const error = await failure(bench.stripe.webhookEndpoints.create({ url, enabled_events: ['*'] }))
    expect([url, error.statusCode]).toEqual([url, 400])
  }
  await expect(openBench({ seed: { ...seed, webhook: { url: 'http://example.com/', secret } } })).rejects.toThrow(
    /loopback/,
  )
})

test('S1 seeding twice keeps ids and creates no duplicates, and a new address or secret replaces the old one', async () => {
  const before = await bench.stripe.prices.list({ expand: ['data.product'] })
  await bench.close()
  const other = await openReceiver()
  bench = await openBench({
    dataFile: join(folder, 'stripe.db'),
    seed: { ...seed, webhook: { url: other.url, secret: 'whsec_new' } },
  })
  expect((await bench.stripe.prices.list({ expand: ['data.product'] })).data).toEqual(before.data)
  expect((await bench.stripe.products.list()).data).toHaveLength(3)
  expect((await bench.stripe.webhookEndpoints.list()).data).toHaveLength(1)
  expect((await bench.stripe.billingPortal.configurations.list()).data).toHaveLength(1)
  await bench.stripe.customers.create({})
  await waitFor(() => other.received.length === 1)
  const [delivery] = other.received
  expect(bench.stripe.webhooks.constructEvent(delivery?.body ?? '', delivery?.signature ?? '', 'whsec_new').type).toBe(
    'customer.created',
  )
  await other.close()
})

test('S13 idempotency keys survive a restart and expire after 24 hours', async () => {
  const first = await bench.stripe.customers.create({ name: 'Ida' }, { idempotencyKey: 's13' })
  await bench.close()
  bench = await open()
  expect((await bench.stripe.customers.create({ name: 'Ida' }, { idempotencyKey: 's13' })).id).toBe(first.id)
  now += 24 * 3600_000 + 1000
  expect((await bench.stripe.customers.create({ name: 'Ida' }, { idempotencyKey: 's13' })).id).not.toBe(first.id)
})

test('closing does not wait for an unresponsive application', async () => {
  receiver.answer = () => 200
  const { createServer } = await import('node:net')
  const hanging = createServer(() => {})
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
  const { port } = hanging.address() as { port: number }
  await bench.stripe.webhookEndpoints.create({ url: `http://127.0.0.1:${port}/`, enabled_events: ['*'] })
  await bench.stripe.customers.create({})
  await waitFor(() => receiver.received.length === 1)
  const started = performance.now()
  await bench.close()
  // A delivery attempt times out after ten seconds.
  expect(performance.now() - started).toBeLessThan(9000)
  hanging.close()
  bench = await open()
})
