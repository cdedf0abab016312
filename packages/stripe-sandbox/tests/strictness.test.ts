import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../routes/all-routes.ts'
import { type Bench, clockedCustomer, openBench } from './support.ts'

let bench: Bench
let customer: string
let subscription: string
beforeAll(async () => {
  bench = await openBench()
  const clocked = await clockedCustomer(bench)
  customer = clocked.customer.id
  const items = [{ price: 'price_pro_monthly' }]
  subscription = (await bench.stripe.subscriptions.create({ customer, items })).id
})
afterAll(async () => {
  await bench.close()
  expect(bench.logged.filter((line) => line.includes('mistake'))).toEqual([])
})

const send = (method: string, path: string, form: string) =>
  method === 'POST' ? bench.call(method, path, form) : bench.call(method, `${path}?${form}`)

test.each(routes.map(({ method, path }) => [method, path]))(
  'S5 %s %s refuses an unknown parameter',
  async (method, path) => {
    const { status, body } = await send(method, path.replace(':id', 'some_id'), 'zzz=1')
    expect({ body, status }).toMatchObject({
      body: { error: { code: 'parameter_unknown', param: 'zzz' } },
      status: 400,
    })
  },
)

/** Request, and the expected error code and parameter. */
const refusals: [call: string, form: string, code: string | undefined, param: string][] = [
  // Unknown parameters, at every depth.
  ['POST /v1/subscriptions', 'customer=cus_x&items[0][prize]=x', 'parameter_unknown', 'items[0][prize]'],
  ['POST /v1/prices', 'currency=usd&recurring[interval]=month&recurring[x]=1', 'parameter_unknown', 'recurring[x]'],
  ['POST /v1/customers', 'invoice_settings[x]=1', 'parameter_unknown', 'invoice_settings[x]'],
  ['GET /v1/events', 'created[since]=1', 'parameter_unknown', 'created[since]'],
  // Missing parameters.
  ['POST /v1/products', '', 'parameter_missing', 'name'],
  ['POST /v1/prices', 'unit_amount=1', 'parameter_missing', 'currency'],
  ['POST /v1/prices', 'currency=usd&recurring[interval_count]=1', 'parameter_missing', 'recurring[interval]'],
  ['POST /v1/test_helpers/test_clocks', '', 'parameter_missing', 'frozen_time'],
  ['POST /v1/subscriptions', 'items[0][price]=x', 'parameter_missing', 'customer'],
  ['GET /v1/customers/search', '', 'parameter_missing', 'query'],
  // Empty parameters that can't be cleared.
  ['POST /v1/products', 'name=x&id=', 'parameter_invalid_empty', 'id'],
  ['POST /v1/subscriptions', 'customer=', 'parameter_invalid_empty', 'customer'],
  // Wrong types.
  ['GET /v1/customers', 'limit=ten', 'parameter_invalid_integer', 'limit'],
  ['GET /v1/customers', 'limit=1.5', 'parameter_invalid_integer', 'limit'],
  ['POST /v1/prices', 'currency=usd&unit_amount=9.99', 'parameter_invalid_integer', 'unit_amount'],
  ['POST /v1/coupons', 'percent_off=many', 'parameter_invalid_number', 'percent_off'],
  ['POST /v1/products', 'name=x&active=yes', undefined, 'active'],
  ['POST /v1/products', 'name[a]=x', undefined, 'name'],
  ['GET /v1/prices', 'lookup_keys=x', undefined, 'lookup_keys'],
  ['POST /v1/prices', 'currency=usd&recurring=month', undefined, 'recurring'],
  ['POST /v1/customers', 'metadata=x', undefined, 'metadata'],
  ['POST /v1/customers', 'metadata[a][b]=x', undefined, 'metadata[a]'],
  // Unknown enum values.
  ['POST /v1/prices', 'currency=usd&recurring[interval]=fortnight', undefined, 'recurring[interval]'],
  ['POST /v1/coupons', 'percent_off=5&duration=always', undefined, 'duration'],
  ['POST /v1/subscriptions/SUB', 'proration_behavior=some', undefined, 'proration_behavior'],
  ['POST /v1/subscriptions/SUB', 'payment_behavior=hope', undefined, 'payment_behavior'],
  ['GET /v1/subscriptions', 'status=happy', undefined, 'status'],
  ['POST /v1/refunds', 'charge=ch_x&reason=mood', undefined, 'reason'],
  ['POST /v1/webhook_endpoints', 'url=http://127.0.0.1:9/&enabled_events[]=no.such', undefined, 'enabled_events[0]'],
  // Out of range.
  ['GET /v1/customers', 'limit=0', 'parameter_invalid_integer', 'limit'],
  [
    'POST /v1/prices',
    'currency=usd&product=prod_pro_monthly&unit_amount=-1',
    'parameter_invalid_integer',
    'unit_amount',
  ],
  ['POST /v1/coupons', 'percent_off=101', undefined, 'percent_off'],
  ['POST /v1/coupons', 'percent_off=0', undefined, 'percent_off'],
  ['POST /v1/subscriptions/SUB', 'cancel_at=1', undefined, 'cancel_at'],
  ['POST /v1/subscriptions/SUB', 'trial_end=1', undefined, 'trial_end'],
  [
    'POST /v1/subscriptions',
    'customer=CUS&items[0][price]=price_pro_monthly&trial_period_days=731',
    undefined,
    'trial_period_days',
  ],
  [
    'POST /v1/subscriptions',
    'customer=CUS&items[0][price]=price_pro_monthly&items[0][quantity]=-1',
    'parameter_invalid_integer',
    'items[0][quantity]',
  ],
  ['POST /v1/prices', 'currency=zzz&product=prod_pro_monthly&unit_amount=1', undefined, 'currency'],
  ['POST /v1/coupons', 'amount_off=5&currency=dollars', undefined, 'currency'],
  // Mutually exclusive parameters.
  ['GET /v1/customers', 'starting_after=CUS&ending_before=CUS', undefined, 'ending_before'],
  ['GET /v1/events', 'type=invoice.paid&types[]=invoice.paid', undefined, 'types'],
  ['POST /v1/coupons', 'percent_off=5&amount_off=5&currency=usd', undefined, 'percent_off'],
  ['POST /v1/subscriptions/SUB', 'cancel_at_period_end=true&cancel_at=4102444800', undefined, 'cancel_at'],
  ['POST /v1/prices', 'currency=usd&product=prod_pro_monthly&product_data[name]=x&unit_amount=1', undefined, 'product'],
  // Unknown objects.
  ['POST /v1/subscriptions', 'customer=cus_x&items[0][price]=price_pro_monthly', 'resource_missing', 'customer'],
  ['POST /v1/subscriptions', 'customer=CUS&items[0][price]=price_x', 'resource_missing', 'items[0][price]'],
  ['POST /v1/subscriptions/SUB', 'items[0][id]=si_x', 'resource_missing', 'items[0][id]'],
  ['POST /v1/subscriptions/SUB', 'default_payment_method=pm_x', 'resource_missing', 'default_payment_method'],
  [
    'POST /v1/promotion_codes',
    'promotion[type]=coupon&promotion[coupon]=NONE',
    'resource_missing',
    'promotion[coupon]',
  ],
  ['POST /v1/billing_portal/sessions', 'customer=cus_x', 'resource_missing', 'customer'],
]

test.each(refusals)('S5 %s with %s is refused with %s for %s', async (call, form, code, param) => {
  const [method = '', path = ''] = call.split(' ')
  const filled = (text: string) => text.replaceAll('CUS', customer).replaceAll('SUB', subscription)
  const { status, body } = await send(method, filled(path), filled(form))
  expect({ body, status }).toMatchObject({ body: { error: { type: 'invalid_request_error', param } }, status: 400 })
  expect((body.error as { code?: string }).code).toBe(code)
})

test('S10 a key is bound to nested parameters too, but not to their order or to reads', async () => {
  const key = { 'idempotency-key': 'nested' }
  const base = 'currency=usd&product=prod_pro_monthly&unit_amount=5'
  const first = await bench.call('POST', '/v1/prices', `${base}&recurring[interval]=month&metadata[a]=1`, key)
  const reordered = await bench.call('POST', '/v1/prices', `metadata[a]=1&recurring[interval]=month&${base}`, key)
  expect(reordered.body.id).toBe(first.body.id)
  const other = await bench.call('POST', '/v1/prices', `${base}&recurring[interval]=year&metadata[a]=1`, key)
  expect(other).toMatchObject({ body: { error: { type: 'idempotency_error' } }, status: 400 })
  expect((await bench.call('GET', '/v1/prices', undefined, key)).status).toBe(200)
  expect((await bench.call('DELETE', '/v1/products/prod_x', undefined, key)).status).toBe(404)
})

test('S8 every response has a request id, errors included', async () => {
  const answers = [
    bench.call('GET', '/v1/customers'),
    bench.call('GET', '/v1/customers', undefined, { authorization: '' }),
    bench.call('POST', '/v1/customers', 'foo=1'),
    bench.call('POST', '/v1/customers', `name=${'x'.repeat(1024 * 1024)}`),
    bench.call('GET', '/v1/nothing'),
    bench.call('GET', '/nothing'),
  ]
  for (const { headers, status } of await Promise.all(answers)) {
    expect([status, headers.get('request-id')]).toEqual([status, expect.stringMatching(/^req_\w{14}$/)])
  }
})
