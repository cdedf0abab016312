import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { openBench, seed, waitFor } from './support.ts'
import { openReceiver } from './webhook-receiver.ts'

async function startChild(file: string, ...more: string[]) {
  const child = spawn(process.execPath, [new URL('./crash-child.ts', import.meta.url).pathname, file, ...more], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await new Promise<number>((resolve) =>
    child.stdout.once('data', (chunk) => resolve(Number(String(chunk).trim()))),
  )
  return { child, port }
}

test('S43 killed during 200 writes, it loses nothing confirmed, and every change has its event', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crash-'))
  const file = join(folder, 'stripe.db')
  const { child, port } = await startChild(file)
  const confirmed: string[] = []
  const headers = { authorization: 'Bearer sk_test_crash', 'content-type': 'application/x-www-form-urlencoded' }
  const writes = Array.from({ length: 200 }, async (_, index) => {
    const body = `name=${index}&email=crash@example.test`
    const response = await fetch(`http://127.0.0.1:${port}/v1/customers`, { method: 'POST', body, headers })
    confirmed.push(((await response.json()) as { id: string }).id)
    if (confirmed.length === 60) child.kill('SIGKILL')
  })
  await Promise.allSettled(writes)
  const bench = await openBench({ dataFile: file })
  const ids = new Set<string>()
  for await (const customer of bench.stripe.customers.list({ email: 'crash@example.test', limit: 100 }))
    ids.add(customer.id)
  const told = new Set<string>()
  for await (const event of bench.stripe.events.list({ type: 'customer.created', limit: 100 })) {
    told.add((event.data.object as { id: string }).id)
  }
  expect(confirmed.length).toBeGreaterThanOrEqual(60)
  for (const id of confirmed) expect(ids.has(id)).toBe(true)
  expect(told).toEqual(ids)
  await bench.close()
  rmSync(folder, { recursive: true })
})

test('S43 killed repeatedly while its client retries, it does everything once and delivers every event', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crash-'))
  const file = join(folder, 'stripe.db')
  const receiver = await openReceiver()
  let life = await startChild(file, receiver.url)
  const clientOf = (port: number) =>
    new Stripe('sk_test_crash', { host: '127.0.0.1', maxNetworkRetries: 0, port, protocol: 'http', timeout: 20_000 })
  let reviving: Promise<void> | undefined
  const revive = async () => {
    life = await startChild(file, receiver.url)
    reviving = undefined
  }
  /** Repeats a request with the same idempotency key until any process responds. */
  async function persist<T>(work: (stripe: Stripe) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work(clientOf(life.port))
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeConnectionError)) throw error
        reviving ??= revive()
        await reviving
      }
    }
  }
  const subscribe = async (index: number) => {
    const key = (step: string) => ({ idempotencyKey: `${step}-${index}` })
    const person = {
      email: 'crash@example.test',
      invoice_settings: { default_payment_method: 'pm_card_visa' },
      payment_method: 'pm_card_visa',
    }
    const customer = await persist((stripe) => stripe.customers.create(person, key('customer')))
    const plan = { customer: customer.id, items: [{ price: 'price_pro_monthly' }] }
    const { id } = await persist((stripe) => stripe.subscriptions.create(plan, key('subscription')))
    const ending = { cancel_at_period_end: true }
    await persist((stripe) => stripe.subscriptions.update(id, ending, key('update')))
    if (index % 4 === 1) life.child.kill('SIGKILL')
  }
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(Array.from({ length: 4 }, (_, index) => subscribe(round * 4 + index)))
  }
  life.child.kill('SIGKILL')
  const bench = await openBench({
    dataFile: file,
    seed: { ...seed, webhook: { secret: 'whsec_crash', url: receiver.url } },
  })
  const customers = await bench.stripe.customers.list({ email: 'crash@example.test', limit: 100 })
  expect(customers.data).toHaveLength(12)
  for (const { id } of customers.data) {
    const { data } = await bench.stripe.subscriptions.list({ customer: id, status: 'all' })
    expect(data.map((each) => [each.status, each.cancel_at_period_end])).toEqual([['active', true]])
    expect((await bench.stripe.charges.list({ customer: id })).data.map((each) => each.amount)).toEqual([1000])
  }
  const told: string[] = []
  for await (const event of bench.stripe.events.list({ limit: 100 })) told.push(event.id)
  await waitFor(async () => (await bench.stripe.events.list({ delivery_success: false })).data.length === 0)
  expect(new Set(receiver.received.map((each) => each.id))).toEqual(new Set(told))
  await bench.close()
  await receiver.close()
  rmSync(folder, { recursive: true })
})

test('a test clock that was advancing when the process was killed finishes after the next start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crash-'))
  const file = join(folder, 'stripe.db')
  const { child, port } = await startChild(file)
  const headers = { authorization: 'Bearer sk_test_crash', 'content-type': 'application/x-www-form-urlencoded' }
  const post = async (path: string, body: string) =>
    (await (await fetch(`http://127.0.0.1:${port}/v1/${path}`, { method: 'POST', body, headers })).json()) as {
      id: string
    }
  const start = Math.floor(Date.now() / 1000)
  const clock = await post('test_helpers/test_clocks', `frozen_time=${start}`)
  const customer = await post(
    'customers',
    `test_clock=${clock.id}&payment_method=pm_card_visa&invoice_settings[default_payment_method]=pm_card_visa`,
  )
  const subscription = await post('subscriptions', `customer=${customer.id}&items[0][price]=price_pro_monthly`)
  await post(`test_helpers/test_clocks/${clock.id}/advance`, `frozen_time=${start + 45 * 86400}`)
  child.kill('SIGKILL')
  const bench = await openBench({ dataFile: file })
  for (;;) {
    const { status } = await bench.stripe.testHelpers.testClocks.retrieve(clock.id)
    if (status === 'ready') break
    expect(status).toBe('advancing')
  }
  const invoices = await bench.stripe.invoices.list({ subscription: subscription.id })
  expect(invoices.data.map((each) => each.status)).toEqual(['paid', 'paid'])
  await bench.close()
  rmSync(folder, { recursive: true })
})
