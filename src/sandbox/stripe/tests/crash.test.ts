import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openBench } from './support.ts'

async function startChild(file: string) {
  const child = spawn(process.execPath, [new URL('./crash-child.ts', import.meta.url).pathname, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await new Promise<number>((resolve) =>
    child.stdout.once('data', (chunk) => resolve(Number(String(chunk).trim()))),
  )
  return { child, port }
}

test('S43 killed in the middle of 200 writes, nothing confirmed is lost and no change is without its event', async () => {
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

test('a test clock that was advancing when the process was killed arrives after the next start', async () => {
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
