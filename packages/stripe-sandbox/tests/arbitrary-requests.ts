import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import type { Route } from '../http/route.ts'
import type { Definitions, ParamSchema } from '../schema/coerce-params.ts'
import { extraParams } from '../schema/extra-params.ts'

const described = JSON.parse(readFileSync(new URL('../schema/stripe-api.json', import.meta.url), 'utf8')) as {
  $defs: Definitions
}
const defs: Definitions = { ...described.$defs, ...extraParams }

/** The kind of id expected for a parameter or path segment. */
const kinds: { [name: string]: string } = {
  billing_portal: 'bpc',
  charge: 'ch',
  checkout: 'cs_test',
  configuration: 'bpc',
  coupon: 'coupon',
  coupons: 'coupon',
  customer: 'cus',
  customers: 'cus',
  default_payment_method: 'pm',
  disputes: 'dp',
  ending_before: 'cus',
  events: 'evt',
  id: 'si',
  invoice: 'in',
  invoices: 'in',
  invoice_payments: 'inpay',
  payment_intent: 'pi',
  payment_intents: 'pi',
  payment_method: 'pm',
  payment_methods: 'pm',
  price: 'price',
  prices: 'price',
  product: 'prod',
  products: 'prod',
  promotion_code: 'promo',
  promotion_codes: 'promo',
  refunds: 're',
  starting_after: 'cus',
  subscription: 'sub',
  subscriptions: 'sub',
  tax_ids: 'txi',
  test_clock: 'clock',
  test_helpers: 'clock',
  webhook_endpoints: 'we',
}

/** An id chosen when the request is sent, from those seen so far. */
const someId = (kind: string): fc.Arbitrary<string> => fc.nat(1000).map((index) => `@${kind}:${index}`)

const junk = fc.constantFrom('', '0', '-1', 'x', '\u0000', '💳', '__proto__', 'a'.repeat(6000), '2e9', '@cus:0')
const seconds = [0, 3600, 86_400, 14 * 86_400, 31 * 86_400, 366 * 86_400].map(
  (ahead) => Math.floor(Date.now() / 1000) + ahead,
)
const integers = fc.constantFrom(...[1, 2, 3, 12, 100, 999, 2000].map(String), ...seconds.map(String))
const texts: { [name: string]: string[] } = {
  code: ['SAVE', 'save', 'WELCOME'],
  currency: ['usd', 'USD'],
  email: ['ida@example.test'],
  query: ["metadata['a']:'1'"],
  success_url: ['http://localhost:3000/?id={CHECKOUT_SESSION_ID}'],
  token: ['tok_visa', 'tok_chargeCustomerFail'],
  url: ['http://127.0.0.1:9/'],
}
const expansions = [
  'customer',
  'data.customer',
  'latest_invoice',
  'data.items.data.price.product',
  'subscription',
  'payments',
]

type Pairs = [name: string, value: string][]

function text(schema: ParamSchema, name: string): fc.Arbitrary<string> {
  const known = schema.enum?.filter((value) => value !== null)
  if (known) return fc.constantFrom(...known)
  if (Object.hasOwn(texts, name)) return fc.constantFrom(...(texts[name] ?? []))
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
  return kind ? someId(kind) : fc.constantFrom('Some words', 'http://localhost:3000/', 'now')
}

function value(given: ParamSchema, path: string, name: string): fc.Arbitrary<Pairs> {
  const schema = given.$ref ? (defs[given.$ref.replace('#/$defs/', '')] ?? {}) : given
  const leaf = (values: fc.Arbitrary<string>): fc.Arbitrary<Pairs> => values.map((each) => [[path, each]])
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => value(each, path, name)))
  if ('const' in schema) return leaf(fc.constant(String(schema.const)))
  if (name === 'expand')
    return leaf(fc.constantFrom(...expansions)).map((pairs) => pairs.map(([, each]) => [`${path}[0]`, each]))
  if (schema.type === 'array') return value(schema.items ?? {}, `${path}[0]`, name)
  if (schema.type === 'object') return object(schema, path)
  if (schema.type === 'integer' || schema.type === 'number') return leaf(integers)
  if (schema.type === 'boolean') return leaf(fc.constantFrom('true', 'false'))
  return leaf(text(schema, name))
}

/** All required fields and some optional ones. */
function object(schema: ParamSchema, path: string): fc.Arbitrary<Pairs> {
  const fields = Object.entries(schema.properties ?? {})
  if (fields.length === 0) return fc.constant<Pairs>([[`${path}[a]`, '1']])
  const below = (name: string) => (path === '' ? name : `${path}[${name}]`)
  const required = fields.filter(([name]) => schema.required?.includes(name))
  const make = (chosen: [string, ParamSchema][]): fc.Arbitrary<Pairs> =>
    fc.tuple(...chosen.map(([name, each]) => value(each, below(name), name))).map((all) => all.flat())
  return fc
    .subarray(fields, { maxLength: Math.min(4, fields.length) })
    .chain((some) => make([...new Map([...required, ...some]).entries()]))
}

export type Attempt = { route: Route; id: string; pairs: Pairs }

/** A plausible request, sometimes with one invalid value. */
export const attemptAt = (route: Route): fc.Arbitrary<Attempt> => {
  const [, , first = '', second = ''] = route.path.split('/')
  const kind = kinds[first] ?? kinds[second] ?? 'cus'
  const pairs = object(defs[`params.${route.params}`] ?? {}, '')
  const spoilt = fc.tuple(pairs, fc.nat(), junk).map(([all, index, wrong]): Pairs => {
    const at = index % (all.length || 1)
    return all.map((pair, position) => (position === at ? [pair[0], wrong] : pair))
  })
  return fc.record({
    id: fc.oneof({ arbitrary: someId(kind), weight: 9 }, { arbitrary: fc.constantFrom('nobody', '%00'), weight: 1 }),
    pairs: fc.oneof({ arbitrary: pairs, weight: 4 }, { arbitrary: spoilt, weight: 1 }),
    route: fc.constant(route),
  })
}
