import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import Stripe from 'stripe'
import { expect } from 'vitest'
import { type SandboxSeed, type StripeSandbox, type StripeSandboxOptions, startStripeSandbox } from '../index.ts'

export const seed: SandboxSeed = {
  products: [
    { id: 'prod_pro_monthly', name: 'Pro Monthly', description: 'One letter a week <and> the archive.' },
    { id: 'prod_pro_yearly', name: 'Pro Yearly' },
    { id: 'prod_team_monthly', name: 'Team Monthly' },
  ],
  prices: [
    {
      id: 'price_pro_monthly',
      product: 'prod_pro_monthly',
      unitAmount: 1000,
      interval: 'month',
      lookupKey: 'pro_monthly',
    },
    { id: 'price_pro_yearly', product: 'prod_pro_yearly', unitAmount: 9900, interval: 'year', lookupKey: 'pro_yearly' },
    {
      id: 'price_team_monthly',
      product: 'prod_team_monthly',
      unitAmount: 2000,
      interval: 'month',
      lookupKey: 'team_monthly',
    },
  ],
  webhook: { url: 'http://127.0.0.1:9/webhooks/stripe', secret: 'whsec_test_secret_of_the_app' },
  portal: {
    products: [
      { product: 'prod_pro_monthly', prices: ['price_pro_monthly'] },
      { product: 'prod_pro_yearly', prices: ['price_pro_yearly'] },
      { product: 'prod_team_monthly', prices: ['price_team_monthly'] },
    ],
    returnUrl: 'http://localhost:3000/portal',
  },
}

const description = JSON.parse(readFileSync(new URL('../schema/stripe-api.json', import.meta.url), 'utf8'))
const ajv = new Ajv2020({ strict: false, allErrors: true })
ajv.addSchema(description, 'stripe')

/** Fails with ajv's message unless the value matches this type of the API description. */
export function expectShape(name: string, value: unknown): void {
  const validate = ajv.getSchema(`stripe#/$defs/${name.replaceAll('/', '~1')}`)
  if (!validate) throw new Error(`no description of ${name}`)
  if (!validate(value)) {
    throw new Error(
      `not a valid ${name}: ${JSON.stringify(validate.errors?.slice(0, 5))}\n${JSON.stringify(value).slice(0, 1500)}`,
    )
  }
}

export type Wire = { status: number; body: Record<string, unknown>; headers: Headers }

/** A sandbox with its SDK client. Every response that the SDK receives is checked against the API description. */
export type Bench = {
  sandbox: StripeSandbox
  stripe: Stripe
  /** Sends requests that the SDK would never send. */
  call: (method: string, path: string, form?: string, headers?: Record<string, string>) => Promise<Wire>
  /** All responses that the SDK received, with method and path. */
  answered: { call: string; body: Record<string, unknown> }[]
  problems: string[]
  logged: string[]
  close: () => Promise<void>
}

const deletedKinds: { [kind: string]: string } = {
  customer: 'deleted_customer',
  product: 'deleted_product',
  coupon: 'deleted_coupon',
}

/** The response's type in the API description. */
function shapeOf(body: Record<string, unknown>): string | undefined {
  if (body.error) return 'error'
  const kind = String(body.object)
  if (body.deleted === true) return deletedKinds[kind] ?? `deleted_${kind}`
  if (kind === 'search_result') return 'search_result.customer'
  if (kind !== 'list') return kind
  const [first] = body.data as { object: string }[]
  return first ? `list.${first.object}` : undefined
}

export function checkShape(body: Record<string, unknown>): void {
  const shape = shapeOf(body)
  if (shape && ajv.getSchema(`stripe#/$defs/${shape}`)) expectShape(shape, body)
  else if (body.object === 'list') {
    const { data, has_more: more, object, url, ...rest } = body
    expect([typeof more, object, typeof url, Object.keys(rest)]).toEqual(['boolean', 'list', 'string', []])
    for (const each of data as Record<string, unknown>[]) checkShape(each)
  } else throw new Error(`no description of ${shape}`)
}

export function clientFor(
  sandbox: StripeSandbox,
  options: Partial<Stripe.StripeConfig> = {},
  onBody?: (body: Record<string, unknown>, call: string) => void,
): Stripe {
  const inspecting: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    const call = `${init?.method} ${new URL(String(input)).pathname}`
    if (onBody) onBody((await response.clone().json()) as Record<string, unknown>, call)
    return response
  }
  return new Stripe('sk_test_bench', {
    host: '127.0.0.1',
    httpClient: Stripe.createFetchHttpClient(inspecting),
    maxNetworkRetries: 0,
    port: sandbox.port,
    protocol: 'http',
    telemetry: false,
    ...options,
  })
}

/** Opens a sandbox on a free port, in memory unless a file is given. */
export async function openBench(options: Partial<StripeSandboxOptions> = {}): Promise<Bench> {
  const problems: string[] = []
  const logged: string[] = []
  const sandbox = await startStripeSandbox({
    dataFile: ':memory:',
    log: (message, fields) => void logged.push(`${message} ${JSON.stringify(fields ?? {})}`),
    port: 0,
    seed,
    ...options,
  })
  const answered: Bench['answered'] = []
  const stripe = clientFor(sandbox, {}, (body, to) => {
    answered.push({ body, call: to })
    try {
      checkShape(body)
    } catch (error) {
      problems.push(String(error))
      throw error
    }
  })
  const call: Bench['call'] = async (method, path, form, headers = {}) => {
    const response = await fetch(`http://127.0.0.1:${sandbox.port}${path}`, {
      method,
      body: form,
      headers: {
        authorization: 'Bearer sk_test_bench',
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      redirect: 'manual',
    })
    return {
      status: response.status,
      body: (await response.json()) as Record<string, unknown>,
      headers: response.headers,
    }
  }
  return { answered, sandbox, stripe, call, problems, logged, close: () => sandbox.close() }
}

/** The error that a promise rejects with. */
export async function failure(work: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await work
  } catch (error) {
    return error as Stripe.errors.StripeError
  }
  throw new Error('this should have been refused')
}

/** Polls every few milliseconds until there is a result. */
export async function waitFor<T>(
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 60_000,
): Promise<T> {
  const until = Date.now() + timeoutMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (Date.now() > until) throw new Error('waited in vain')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

const day = 86400

/** A customer under a test clock with a saved card. */
export async function clockedCustomer(bench: Bench, options: { at?: number; card?: string | null } = {}) {
  const frozen = options.at ?? Math.floor(Date.now() / 1000)
  const clock = await bench.stripe.testHelpers.testClocks.create({ frozen_time: frozen })
  const customer = await bench.stripe.customers.create({ email: 'clocked@example.test', test_clock: clock.id })
  const card = options.card === null ? null : await attachTestCard(bench, customer.id, options.card ?? 'pm_card_visa')
  return { card, clock, customer, frozen }
}

/** Saves a ready-made card and makes it the customer's default. */
export async function attachTestCard(bench: Bench, customer: string, ready: string) {
  const card = await bench.stripe.paymentMethods.attach(ready, { customer })
  await bench.stripe.customers.update(customer, { invoice_settings: { default_payment_method: card.id } })
  return card
}

/** Advances a clock to this second and waits until everything due has happened. */
export async function advanceTo(bench: Bench, clock: string, frozenTime: number): Promise<void> {
  await bench.stripe.testHelpers.testClocks.advance(clock, { frozen_time: frozenTime })
  await waitFor(async () => (await bench.stripe.testHelpers.testClocks.retrieve(clock)).status === 'ready')
}

export const advanceDays = async (bench: Bench, clock: string, days: number): Promise<void> => {
  const { frozen_time: now } = await bench.stripe.testHelpers.testClocks.retrieve(clock)
  await advanceTo(bench, clock, Math.round(now + days * day))
}

/** The only item of a subscription. */
export function itemOf(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = subscription.items.data
  if (!item) throw new Error('a subscription without items')
  return item
}

/** Types of all events about one object or its subscription, oldest first. */
export async function eventTypes(bench: Bench, id: string): Promise<string[]> {
  const types: string[] = []
  for await (const event of bench.stripe.events.list({ limit: 100 })) {
    if (JSON.stringify(event.data.object).includes(id)) types.push(event.type)
  }
  return types.reverse()
}
