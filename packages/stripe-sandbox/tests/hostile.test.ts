import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../routes/all-routes.ts'
import { attemptAt } from './arbitrary-requests.ts'
import { type Bench, checkShape, clockedCustomer, openBench } from './support.ts'

let bench: Bench
let ids: string[]
beforeAll(async () => {
  bench = await openBench()
  const { customer, clock } = await clockedCustomer(bench)
  const subscription = await bench.stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: 'price_pro_monthly' }],
  })
  ids = [
    customer.id,
    clock.id,
    subscription.id,
    String(subscription.latest_invoice),
    'price_pro_yearly',
    'nobody',
    '%00',
    '__proto__',
  ]
})
afterAll(async () => {
  await bench.close()
})

const names = [
  'customer',
  'items[0][price]',
  'items[0][id]',
  'items[0][quantity]',
  'items',
  'expand[]',
  'expand',
  'limit',
  'starting_after',
]
const more = [
  'metadata[a]',
  'metadata',
  'trial_end',
  'cancel_at',
  'frozen_time',
  'created[gte]',
  'created',
  'query',
  'code',
  'mode',
  'amount',
]
const texts = [
  '',
  '0',
  '-1',
  'true',
  'now',
  '1e9',
  '99999999999999',
  'data.customer',
  'customer',
  'subscription',
  "metadata['a']:'b'",
  '\u0000',
  '💳',
]
const pair = fc.tuple(
  fc.constantFrom(...names, ...more),
  fc.oneof(fc.constantFrom(...texts), fc.string({ maxLength: 20 })),
)
const form = fc
  .array(pair, { maxLength: 6 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&'))

test('S18 whatever is sent to any operation, the response is Stripe-shaped and never a 5xx', async () => {
  const id = fc.integer({ max: 7, min: 0 })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...routes), id, form, async ({ method, path }, which, parameters) => {
      const address = path.replace(':id', ids[which] ?? '')
      const answer =
        method === 'POST'
          ? await bench.call('POST', address, parameters)
          : await bench.call(method, `${address}?${parameters}`)
      expect([method, address, parameters, answer.status < 500]).toEqual([method, address, parameters, true])
      checkShape(answer.body)
    }),
    { numRuns: 400 },
  )
  expect(bench.logged.filter((line) => line.includes('mistake'))).toEqual([])
})

const idPattern = /"((cus|sub|si|in|pm|price|prod|ch|pi|re|promo|clock|evt|we|bpc|cs_test|inpay|seti|dp)_\w+)"/g

test('S18 plausible requests in any order never end in a 5xx or a double charge', async () => {
  const own = await openBench({ idSeed: 'attempts' })
  const seen = new Map<string, string[]>([['coupon', []]])
  const remember = (body: object) => {
    for (const [, id = '', kind = ''] of JSON.stringify(body).matchAll(idPattern)) {
      const known = seen.get(kind) ?? []
      if (!known.includes(id)) seen.set(kind, [...known, id].slice(-20))
    }
    if ('object' in body && body.object === 'coupon' && 'id' in body) seen.get('coupon')?.push(String(body.id))
  }
  const chosen = (text: string) =>
    text.replace(/^@(\w+):(\d+)$/, (_, kind: string, index: string) => {
      const known = seen.get(kind) ?? []
      return known[Number(index) % known.length] ?? 'none'
    })
  for (let count = 0; count < 3; count += 1) {
    const { customer } = await clockedCustomer(own, count === 2 ? { card: 'pm_card_chargeCustomerFail' } : {})
    const items = [{ price: 'price_pro_monthly' }]
    remember({ customer, subscription: await own.stripe.subscriptions.create({ customer: customer.id, items }) })
  }
  remember(await own.stripe.charges.list())
  remember({ price: 'price_pro_yearly', product: 'prod_pro_yearly' })
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...routes).chain(attemptAt), async ({ id, pairs, route }) => {
      const address = route.path.replace(':id', chosen(id))
      const parameters = pairs.map(([name, each]) => `${name}=${encodeURIComponent(chosen(each))}`).join('&')
      const answer =
        route.method === 'POST'
          ? await own.call('POST', address, parameters)
          : await own.call(route.method, `${address}?${parameters}`)
      expect([route.method, address, parameters, answer.status < 500]).toEqual([
        route.method,
        address,
        parameters,
        true,
      ])
      checkShape(answer.body)
      remember(answer.body)
      if (answer.status === 200) accepted += 1
    }),
    // Side effects can't be undone, so a failing request can't be shrunk.
    { endOnFailure: true, numRuns: Number(process.env.SANDBOX_ATTEMPTS ?? 800) },
  )
  expect(accepted).toBeGreaterThan(80)
  const paid = new Map<string, number>()
  for await (const charge of own.stripe.charges.list({ limit: 100 })) {
    const intent = String(charge.payment_intent)
    if (charge.paid) paid.set(intent, (paid.get(intent) ?? 0) + 1)
  }
  expect([...paid.values()].filter((times) => times !== 1)).toEqual([])
  await own.close()
  expect(own.logged.filter((line) => line.includes('mistake') || line.includes('failed'))).toEqual([])
})

test('pages handle hostile URLs and forms too', async () => {
  const session = 'cs_test_unknown'
  const paths = [
    `/c/pay/${session}`,
    `/c/pay/${session}/authenticate`,
    '/p/session/aaaaaaaaaaaaaaaaaaaaaaaa',
    '/invoice/in_x/y',
    '/sandbox',
  ]
  paths.push(
    '/sandbox/customers/cus_x',
    '/sandbox/events/evt_x',
    '/assets/../index.ts',
    '/assets/__proto__',
    '/__proto__',
    '/%ZZ',
  )
  for (const path of paths) {
    for (const init of [
      {},
      { method: 'POST' },
      { body: 'csrf=%ZZ', method: 'POST' },
      { body: 'csrf[a]=1', method: 'POST' },
      { method: 'PUT' },
    ]) {
      const response = await fetch(`http://127.0.0.1:${bench.sandbox.port}${path}`, { ...init, redirect: 'manual' })
      expect([path, init, response.status < 500]).toEqual([path, init, true])
      await response.text()
    }
  }
})

test('half-open and malformed connections do not stop the server', async () => {
  const { connect } = await import('node:net')
  const texts = [
    'NONSENSE\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
    'POST /v1/customers HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nab',
    '\u0000',
  ]
  for (const text of texts) {
    await new Promise<void>((resolve) => {
      const socket = connect(bench.sandbox.port, '127.0.0.1', () =>
        socket.write(text, () => setImmediate(() => socket.destroy())),
      )
      socket.on('close', () => resolve())
      socket.on('error', () => {})
    })
  }
  expect((await bench.stripe.customers.list()).object).toBe('list')
})
