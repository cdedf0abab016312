import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bench, clientFor, failure, openBench } from './support.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(async () => {
  await bench.close()
  expect(bench.logged.filter((line) => line.includes('mistake'))).toEqual([])
})

test('S3 a request without a key, with a malformed or a live key is refused and the key is never echoed', async () => {
  for (const key of ['sk_live_51Secret', 'rk_live_51Secret', 'pk_test_51Secret', 'nonsense51Secret']) {
    const stripe = new Stripe(key, {
      host: '127.0.0.1',
      port: bench.sandbox.port,
      protocol: 'http',
      maxNetworkRetries: 0,
    })
    const error = await failure(stripe.customers.list())
    expect(error).toBeInstanceOf(Stripe.errors.StripeAuthenticationError)
    expect(JSON.stringify(error)).not.toContain('51Secret')
  }
  const none = await fetch(`http://127.0.0.1:${bench.sandbox.port}/v1/customers`)
  expect(none.status).toBe(401)
  const basic = await bench.call('GET', '/v1/customers', undefined, {
    authorization: `Basic ${Buffer.from('sk_test_basic:').toString('base64')}`,
  })
  expect(basic.status).toBe(200)
})

test('S4 an unknown id is 404 in the path and 400 with its parameter in the body', async () => {
  const inPath = await failure(bench.stripe.customers.retrieve('cus_nobody'))
  expect(inPath).toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
    param: 'id',
    message: "No such customer: 'cus_nobody'",
  })
  const inBody = await failure(bench.stripe.prices.create({ currency: 'usd', product: 'prod_none', unit_amount: 1 }))
  expect(inBody).toMatchObject({ statusCode: 400, code: 'resource_missing', param: 'product' })
})

test('S5 unknown, missing and malformed parameters are named', async () => {
  const unknown = await bench.call('POST', '/v1/customers', 'foo=1')
  expect(unknown).toMatchObject({
    status: 400,
    body: { error: { code: 'parameter_unknown', param: 'foo', message: 'Received unknown parameter: foo' } },
  })
  const nested = await bench.call('POST', '/v1/prices', 'currency=usd&recurring[interval]=month&recurring[x]=1')
  expect(nested.body).toMatchObject({ error: { code: 'parameter_unknown', param: 'recurring[x]' } })
  const missing = await bench.call('POST', '/v1/products', '')
  expect(missing.body).toMatchObject({ error: { code: 'parameter_missing', param: 'name' } })
  const number = await bench.call('GET', '/v1/customers?limit=ten')
  expect(number.body).toMatchObject({ error: { code: 'parameter_invalid_integer', param: 'limit' } })
  const empty = await bench.call('POST', '/v1/products', 'name=')
  expect(empty.body).toMatchObject({ error: { param: 'name', code: 'parameter_invalid_empty' } })
})

test('a parameter of Stripe’s that the sandbox doesn’t support is refused instead of ignored', async () => {
  const error = await failure(bench.stripe.customers.create({ shipping: { name: 'A', address: { city: 'B' } } }))
  expect(error).toMatchObject({ statusCode: 400, param: 'shipping' })
})

test('S6 an unknown route is a 404 in JSON', async () => {
  const unknown = await bench.call('GET', '/v1/foo')
  expect(unknown.status).toBe(404)
  expect(unknown.body).toMatchObject({
    error: {
      type: 'invalid_request_error',
      message: expect.stringContaining('Unrecognized request URL (GET: /v1/foo)'),
    },
  })
  expect((await bench.call('PUT', '/v1/customers')).status).toBe(404)
  expect((await bench.call('GET', '/nothing')).status).toBe(404)
})

test('S7 another API version is refused with a clear message', async () => {
  const other = await bench.call('GET', '/v1/customers', undefined, { 'stripe-version': '2024-06-20' })
  expect(other.status).toBe(400)
  expect(JSON.stringify(other.body)).toContain('2026-10-28.endive')
})

test('S8 every answer has a request id that the SDK shows', async () => {
  const customer = await bench.stripe.customers.create({})
  expect(customer.lastResponse.requestId).toMatch(/^req_/)
  expect(customer.lastResponse.apiVersion).toBe('2026-10-28.endive')
  expect((await failure(bench.stripe.customers.retrieve('cus_x'))).requestId).toMatch(/^req_/)
})

test('S9 the same key and body give the same object, marked as replayed', async () => {
  const first = await bench.stripe.customers.create({ name: 'Ida' }, { idempotencyKey: 's9' })
  const again = await bench.stripe.customers.create({ name: 'Ida' }, { idempotencyKey: 's9' })
  expect(again.id).toBe(first.id)
  const replayed = await bench.call('POST', '/v1/customers', 'name=Ida', { 'idempotency-key': 's9' })
  expect(replayed.body.id).toBe(first.id)
  expect(replayed.headers.get('idempotent-replayed')).toBe('true')
  expect(replayed.headers.get('idempotency-key')).toBe('s9')
})

test('S10 the same key with other parameters or another path is an idempotency error', async () => {
  await bench.stripe.customers.create({ name: 'Ida' }, { idempotencyKey: 's10' })
  const other = await failure(bench.stripe.customers.create({ name: 'Eva' }, { idempotencyKey: 's10' }))
  expect(other).toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
  const path = await failure(bench.stripe.products.create({ name: 'Ida' }, { idempotencyKey: 's10' }))
  expect(path).toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
})

test('S11 concurrent requests with one key create one object', async () => {
  const stripe = clientFor(bench.sandbox, { maxNetworkRetries: 2 })
  const all = await Promise.all(
    Array.from({ length: 10 }, () => stripe.customers.create({ email: 's11@example.test' }, { idempotencyKey: 's11' })),
  )
  expect(new Set(all.map((each) => each.id)).size).toBe(1)
  expect((await stripe.customers.list({ email: 's11@example.test' })).data).toHaveLength(1)
})

test('S12 a refused request is not stored under its key', async () => {
  const refused = await bench.call('POST', '/v1/customers', 'foo=1', { 'idempotency-key': 's12' })
  expect(refused.status).toBe(400)
  const accepted = await bench.call('POST', '/v1/customers', 'name=Ada', { 'idempotency-key': 's12' })
  expect(accepted.status).toBe(200)
  expect((await bench.call('POST', '/v1/customers', '', { 'idempotency-key': 'k'.repeat(256) })).status).toBe(400)
})

test('S14 pagination returns every object once, newest first, in both directions', async () => {
  const made: string[] = []
  for (let index = 0; index < 25; index += 1) {
    made.push((await bench.stripe.customers.create({ email: 's14@example.test', name: String(index) })).id)
  }
  const seen: string[] = []
  for await (const customer of bench.stripe.customers.list({ email: 's14@example.test', limit: 10 }))
    seen.push(customer.id)
  expect(seen).toEqual(made.toReversed())
  const newer = await bench.stripe.customers.list({
    email: 's14@example.test',
    limit: 3,
    ending_before: made[10] ?? '',
  })
  expect(newer.data.map((each) => each.name)).toEqual(['13', '12', '11'])
  expect(newer.has_more).toBe(true)
  for (const limit of [0, 101, -1]) expect((await failure(bench.stripe.customers.list({ limit }))).statusCode).toBe(400)
  expect(await failure(bench.stripe.customers.list({ starting_after: 'cus_none' }))).toMatchObject({
    statusCode: 400,
    code: 'resource_missing',
  })
})

test('S15 ids expand to objects and an impossible path is refused', async () => {
  const price = await bench.stripe.prices.retrieve('price_pro_monthly', { expand: ['product'] })
  expect(price.product).toMatchObject({ id: 'prod_pro_monthly', name: 'Pro Monthly' })
  const listed = await bench.stripe.prices.list({ lookup_keys: ['team_monthly'], expand: ['data.product'] })
  expect(listed.data[0]?.product).toMatchObject({ name: 'Team Monthly' })
  const wrong = await failure(bench.stripe.prices.retrieve('price_pro_monthly', { expand: ['producer'] }))
  expect(wrong).toMatchObject({ statusCode: 400, message: 'This property cannot be expanded (producer).' })
  expect((await failure(bench.stripe.prices.list({ expand: ['product'] }))).statusCode).toBe(400)
})

test('S16 lists filter by lookup key, address and time of creation', async () => {
  const prices = await bench.stripe.prices.list({ lookup_keys: ['pro_monthly', 'pro_yearly'] })
  expect(prices.data.map((each) => each.unit_amount).sort()).toEqual([1000, 9900])
  const before = Math.floor(Date.now() / 1000) - 60
  expect((await bench.stripe.customers.list({ created: { gte: before }, limit: 1 })).data).toHaveLength(1)
  expect((await bench.stripe.customers.list({ created: { lt: before } })).data).toHaveLength(0)
  await bench.stripe.customers.create({ email: 'Exact@example.test' })
  expect((await bench.stripe.customers.list({ email: 'exact@example.test' })).data).toHaveLength(0)
})

test('S17 an empty string clears a field, a metadata value or all metadata', async () => {
  const customer = await bench.stripe.customers.create({ name: 'Ida', metadata: { a: '1', b: '2' } })
  const fewer = await bench.stripe.customers.update(customer.id, { name: '', metadata: { a: '' } })
  expect(fewer).toMatchObject({ name: null, metadata: { b: '2' } })
  expect((await bench.stripe.customers.update(customer.id, { metadata: '' })).metadata).toEqual({})
})

test('S18 hostile input is refused with 4xx and the process keeps running', async () => {
  const deep = `a${'[b]'.repeat(100)}=1`
  const hostile = [
    '__proto__[polluted]=1',
    'metadata[__proto__]=1',
    'constructor[prototype][polluted]=1',
    `name=${'x'.repeat(1024 * 1024)}`,
    deep,
    'name=%ZZ',
    'name=%E0%A4%A',
    'name[]=1&name[0][x]=2',
    'name=1&name[a]=2',
    '[[[=1',
    'a]=1',
    '='.repeat(1000),
    Array.from({ length: 3000 }, (_, index) => `metadata[k${index}]=1`).join('&'),
    `metadata[${'k'.repeat(41)}]=1`,
    `metadata[k]=${'v'.repeat(501)}`,
    'balance=1e400',
    'balance=99999999999999999999',
    'email=not-an-address',
    'expand[]=a.b.c.d.e.f.g',
    'name[0]=a',
    'expand=x',
  ]
  for (const form of hostile) {
    const answer = await bench.call('POST', '/v1/customers', form)
    expect([form.slice(0, 40), answer.status]).toEqual([form.slice(0, 40), 400])
    expect(answer.body).toMatchObject({ error: { type: 'invalid_request_error', message: expect.any(String) } })
  }
  const json = await bench.call('POST', '/v1/customers', '{"name":"Ida"}', { 'content-type': 'application/json' })
  expect(json.status).toBe(400)
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  for (const path of [
    '/v1/customers/%00',
    '/v1/customers/..%2f',
    '/v1/%ZZ',
    '//',
    `/v1/customers/${'x'.repeat(5000)}`,
  ]) {
    expect((await bench.call('GET', path)).status).toBe(404)
  }
  expect((await bench.stripe.customers.create({})).id).toMatch(/^cus_/)
})

test('S44 a foreign host name is refused, and the server won’t start in production or on another address', async () => {
  const { request } = await import('node:http')
  const status = await new Promise<number | undefined>((resolve, reject) => {
    request(
      { host: '127.0.0.1', port: bench.sandbox.port, path: '/v1/customers', headers: { host: 'evil.example' } },
      (response) => resolve(response.statusCode),
    )
      .on('error', reject)
      .end()
  })
  expect(status).toBe(403)
  await expect(openBench({ host: '0.0.0.0' })).rejects.toThrow(/loopback/)
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  await expect(openBench()).rejects.toThrow(/production/)
  process.env.NODE_ENV = before
})

test('S44 it listens on both loopback addresses and no others', async () => {
  const { port } = bench.sandbox
  const reached = (host: string) =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, host, () => resolve(true))
      socket.on('error', () => resolve(false)).on('connect', () => socket.destroy())
    })
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  expect(await reached('127.0.0.1')).toBe(true)
  for (const { address, internal, scopeid } of addresses) {
    if (internal || scopeid) continue
    expect([address, await reached(address)]).toEqual([address, false])
  }
  if (!addresses.some(({ address }) => address === '::1')) return
  expect(await reached('::1')).toBe(true)
  const stripe = new Stripe('sk_test_six', { host: '::1', maxNetworkRetries: 0, port, protocol: 'http' })
  expect((await stripe.customers.list()).object).toBe('list')
  const only = await openBench({ host: '127.0.0.1', port: 0 })
  await expect(fetch(`http://[::1]:${only.sandbox.port}/sandbox`)).rejects.toThrow()
  await only.close()
})

test('a seed produces the same ids every time, even after a restart, while secrets differ', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'seeded-'))
  const lives = async (name: string) => {
    const made: string[] = []
    const secrets: string[] = []
    for (let life = 0; life < 2; life += 1) {
      const own = await openBench({ dataFile: join(folder, name), idSeed: 'the same' })
      const customer = await own.stripe.customers.create({})
      const endpoint = await own.stripe.webhookEndpoints.create({ enabled_events: ['*'], url: 'http://127.0.0.1:9/' })
      made.push(customer.id, endpoint.id)
      secrets.push(String(endpoint.secret))
      await own.close()
    }
    return { made, secrets }
  }
  const [first, second] = [await lives('a.db'), await lives('b.db')]
  expect(second.made).toEqual(first.made)
  expect(new Set(first.made).size).toBe(4)
  expect(new Set([...first.secrets, ...second.secrets]).size).toBe(4)
  rmSync(folder, { recursive: true })
})

test('customers are deleted permanently, found by metadata and listed with their cards', async () => {
  const customer = await bench.stripe.customers.create({ email: 'gone@example.test', metadata: { user_id: 'u-41' } })
  const found = await bench.stripe.customers.search({ query: "metadata['user_id']:'u-41'" })
  expect(found.data.map((each) => each.id)).toEqual([customer.id])
  const card = await bench.stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  await bench.stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: card.id } })
  const cards = await bench.stripe.customers.listPaymentMethods(customer.id, { type: 'card' })
  expect(cards.data[0]?.card).toMatchObject({ brand: 'visa', last4: '4242' })
  expect(await bench.stripe.customers.del(customer.id)).toMatchObject({ deleted: true })
  expect(await bench.stripe.customers.retrieve(customer.id)).toMatchObject({ id: customer.id, deleted: true })
  expect((await failure(bench.stripe.customers.update(customer.id, { name: 'x' }))).statusCode).toBe(404)
  expect(
    (
      await failure(
        bench.stripe.paymentMethods.attach('pm_card_chargeDeclined', {
          customer: (await bench.stripe.customers.create()).id,
        }),
      )
    ).statusCode,
  ).toBe(402)
})
