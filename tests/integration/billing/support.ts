import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { expect } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { pendingCheckout, stripeEvent, subscriptionState } from '#server/db/schema/index.ts'
import { findCustomerId } from '#server/features/billing/customer.ts'
import { createStripe } from '#server/features/billing/stripe-client.ts'
import type { PlanKey } from '#shared/domain/plans.ts'
import { buildUser, type TestUser, type UserOptions } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import type { TestDatabase } from '#tests/support/open-test-database.ts'
import { startTestStripe, type TestStripe, type TestStripeOptions } from '#tests/support/stripe-sandbox.ts'

export type Billing = Awaited<ReturnType<typeof openBilling>>

const tenYearsSeconds = 10 * 365 * 24 * 60 * 60

export const secondMs = 1000
export const dayMs = 24 * 60 * 60 * secondMs

type BillingOptions = TestStripeOptions & {
  database?: TestDatabase
  /** Opens the protocol's admin calls. */
  serviceKey?: string
  trialDays?: number
}

/** The whole server beside a sandbox of its own, reached through the official SDK. */
export async function openBilling({ database, serviceKey, trialDays = 0, ...options }: BillingOptions = {}) {
  const { auth } = readConfig({ NODE_ENV: 'test' })
  const stripe = await startTestStripe(options)
  const server = await createTestApp({
    // Tests move the clock by months; the sign-in is not what they are about.
    config: {
      stripe: stripe.config,
      trialDays,
      auth: { ...auth, accessTokenSeconds: tenYearsSeconds, serviceRoleKey: serviceKey ?? null },
    },
    stripe: createStripe(stripe.config),
    database,
  })
  return bench(server, stripe)
}

function bench(server: TestApp, stripe: TestStripe) {
  const { deps } = server
  const { db } = deps.database
  const priceOf = (plan: PlanKey) => deps.config.stripe.ids[plan].priceId

  return {
    server,
    deps,
    db,
    gate: stripe.gate,
    sandboxPort: stripe.port,
    /** Straight to the sandbox, so that a test's own calls are not counted. */
    api: createStripe({ ...stripe.config, port: stripe.port } as typeof stripe.config),
    priceOf,
    productOf: (plan: PlanKey) => deps.config.stripe.ids[plan].productId,
    user: (given?: UserOptions) => buildUser(server, given),
    call: (name: string, body: unknown, user?: TestUser) => call(server, name, body, user?.token),
    check: async (user: TestUser, body: object = {}) =>
      (await call(server, 'check-subscription', body, user.token)).body as Record<string, unknown>,
    async checkout(user: TestUser, plan: PlanKey = 'pro_monthly') {
      const { status, body } = await call(server, 'create-checkout', { priceId: priceOf(plan) }, user.token)
      if (status !== 200) throw new Error(`checkout refused: ${status} ${JSON.stringify(body)}`)
      return String(body.url)
    },
    async customerOf(user: TestUser): Promise<string> {
      const id = await findCustomerId(db, user.id)
      if (!id) throw new Error('the user has no customer')
      return id
    },
    row: async (user: TestUser) =>
      (await db.select().from(subscriptionState).where(eq(subscriptionState.userId, user.id)))[0] ?? null,
    pending: async (user: TestUser) =>
      (await db.select().from(pendingCheckout).where(eq(pendingCheckout.userId, user.id)))[0] ?? null,
    ledger: () => db.select().from(stripeEvent),
    async close() {
      await server.close()
      await stripe.close()
    },
  }
}

/** Everything that happened to a customer, oldest first. */
export async function eventsOf(api: Stripe, customer: string): Promise<Stripe.Event[]> {
  const found: Stripe.Event[] = []
  for await (const event of api.events.list({ limit: 100 })) {
    const object = event.data.object as { id?: string; customer?: unknown }
    if (object.customer === customer || object.id === customer) found.push(event)
  }
  return found.reverse()
}

export type Delivery = {
  secret?: string
  /** Age of the signature. */
  ageSeconds?: number
  /** Instead of the right header; null for none. */
  header?: string | null
  /** Instead of the bytes that were signed. */
  body?: string
}

/** Brings an event to the webhook route as Stripe does. */
export async function deliver(billing: Billing, event: object, delivery: Delivery = {}): Promise<number> {
  const payload = JSON.stringify(event)
  const signed = billing.api.webhooks.generateTestHeaderString({
    payload,
    secret: delivery.secret ?? billing.deps.config.stripe.webhookSecrets[0] ?? '',
    timestamp: Math.floor(Date.now() / 1000) - (delivery.ageSeconds ?? 0),
  })
  const header = delivery.header === undefined ? signed : delivery.header
  const answer = await billing.server.app.request('/webhooks/stripe', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(header !== null && { 'Stripe-Signature': header }) },
    body: delivery.body ?? payload,
  })
  return answer.status
}

/** A customer with a card that pays, as Stripe's test card. */
export async function attachCard(api: Stripe, customer: string, card = 'pm_card_visa'): Promise<string> {
  const { id } = await api.paymentMethods.attach(card, { customer })
  await api.customers.update(customer, { invoice_settings: { default_payment_method: id } })
  return id
}

/** A subscription bought past the checkout page. */
export async function subscribe(api: Stripe, customer: string, price: string): Promise<Stripe.Subscription> {
  const card = await attachCard(api, customer)
  return api.subscriptions.create({ customer, items: [{ price }], default_payment_method: card })
}

/** Fills in the checkout page as a person does; answers where the browser is sent afterwards. */
export async function payAtCheckout(url: string, number = '4242 4242 4242 4242'): Promise<string> {
  const page = await (await fetch(url)).text()
  const form = new URLSearchParams({ number, expiry: '12 / 40', cvc: '123', name: 'Robin Reader' })
  for (const [, name = '', value = ''] of page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)) {
    if (name !== 'action') form.set(name, value)
  }
  const answer = await fetch(url, { method: 'POST', body: form, redirect: 'manual' })
  const target = answer.headers.get('location')
  // A refusal leads back to the page, which says why.
  if (!target || target.includes('?said=')) throw new Error(`the checkout page answered ${answer.status}`)
  return target
}

/** Puts a customer under a test clock that starts now. */
export const startClock = (api: Stripe, customer: string): Promise<Stripe.TestHelpers.TestClock> =>
  api.testHelpers.testClocks.create({ frozen_time: Math.ceil(Date.now() / 1000) + 1, customer })

/** Moves a test clock to an instant and waits until everything that falls due before it has happened. */
export async function travel(api: Stripe, clock: string, to: Date): Promise<void> {
  await api.testHelpers.testClocks.advance(clock, { frozen_time: Math.floor(to.getTime() / 1000) })
  await expect
    .poll(async () => (await api.testHelpers.testClocks.retrieve(clock)).status, { timeout: 10_000, interval: 25 })
    .toBe('ready')
}

/** The row without what says only when and in which turn it was read. */
export function saying(row: Awaited<ReturnType<Billing['row']>>) {
  if (!row) return null
  const { syncSeq: _seq, syncedAt: _at, ...rest } = row
  return rest
}
