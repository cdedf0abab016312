import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { expect } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { pendingCheckout, stripeEvent, subscriptionState } from '#server/db/schema/index.ts'
import { findCustomerId } from '#server/features/billing/subscriptions/customers/stripe-customer-ids.ts'
import { createStripe } from '#server/features/billing/subscriptions/stripe/stripe-overview.ts'
import {
  processRecordedEvents,
  stripeEventsJob,
} from '#server/features/billing/subscriptions/webhooks/process-event.ts'
import { buildUser, type TestUser, type UserOptions } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import type { PlanKey } from '#tests/support/default-plans.ts'
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

/** A test server with its own Stripe sandbox, called through the official SDK. */
export async function openBilling({ database, serviceKey, trialDays = 0, ...options }: BillingOptions = {}) {
  const { auth } = readConfig({ NODE_ENV: 'test' })
  const stripe = await startTestStripe(options)
  const server = await createTestApp({
    // Tests move the clock by months, so sessions must not expire.
    config: {
      stripe: stripe.config,
      trialDays,
      auth: { ...auth, accessTokenSeconds: tenYearsSeconds, serviceRoleKey: serviceKey ?? null },
    },
    stripe: createStripe(stripe.config),
    database,
  })
  return createHarness(server, stripe)
}

function createHarness(server: TestApp, stripe: TestStripe) {
  const { deps } = server
  const { db } = deps.database
  const priceOf = (plan: PlanKey) => deps.config.stripe.ids[plan].priceId

  return {
    server,
    deps,
    db,
    proxy: stripe.proxy,
    sandboxPort: stripe.port,
    /** Calls the sandbox directly, so that a test's own calls aren't counted. */
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
    storedEvents: () => db.select().from(stripeEvent),
    async close() {
      await server.close()
      await stripe.close()
    },
  }
}

/** All events of a customer, oldest first. */
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
  /** Replaces the correct header; null sends none. */
  header?: string | null
  /** Replaces the signed body. */
  body?: string
}

/** Sends an event to the webhook route as Stripe does, and runs the job that processes it. */
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
  await runEventJobs(billing.server)
  return answer.status
}

/** Runs the queued jobs of Stripe's events. A failed one stays queued, as in the real queue. */
export async function runEventJobs({ deps, jobs }: Pick<TestApp, 'deps' | 'jobs'>): Promise<void> {
  const queued = takeWhere(jobs, ({ name }) => name === stripeEventsJob.name)
  const results = await Promise.allSettled(
    queued.map(({ payload }) => processRecordedEvents(deps, stripeEventsJob.payload.parse(payload).events)),
  )
  jobs.push(...queued.filter((_, index) => results[index]?.status === 'rejected'))
}

/** Removes the items that match, and returns them. */
function takeWhere<T>(items: T[], matches: (item: T) => boolean): T[] {
  const taken = items.filter(matches)
  items.splice(0, items.length, ...items.filter((item) => !matches(item)))
  return taken
}

/** Attaches a test card and makes it the default. */
export async function attachCard(api: Stripe, customer: string, card = 'pm_card_visa'): Promise<string> {
  const { id } = await api.paymentMethods.attach(card, { customer })
  await api.customers.update(customer, { invoice_settings: { default_payment_method: id } })
  return id
}

/** Creates a subscription directly at Stripe, without checkout. */
export async function subscribe(api: Stripe, customer: string, price: string): Promise<Stripe.Subscription> {
  const card = await attachCard(api, customer)
  return api.subscriptions.create({ customer, items: [{ price }], default_payment_method: card })
}

/** Submits the checkout page and returns the URL it redirects to. */
export async function payAtCheckout(
  url: string,
  number = '4242 4242 4242 4242',
  name = 'Robin Reader',
): Promise<string> {
  const page = await (await fetch(url)).text()
  const form = new URLSearchParams({ number, expiry: '12 / 40', cvc: '123', name })
  for (const [, field = '', value = ''] of page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)) {
    if (field !== 'action') form.set(field, value)
  }
  const answer = await fetch(url, { method: 'POST', body: form, redirect: 'manual' })
  const target = answer.headers.get('location')
  // After a decline it redirects back to the page with the reason.
  if (!target || target.includes('?said=')) throw new Error(`the checkout page answered ${answer.status}`)
  return target
}

/** Puts a customer under a test clock that starts now. */
export const startClock = (api: Stripe, customer: string): Promise<Stripe.TestHelpers.TestClock> =>
  api.testHelpers.testClocks.create({ frozen_time: Math.ceil(Date.now() / 1000) + 1, customer })

/** Advances a test clock and waits until everything due by then has happened. */
export async function travel(api: Stripe, clock: string, to: Date): Promise<void> {
  await api.testHelpers.testClocks.advance(clock, { frozen_time: Math.floor(to.getTime() / 1000) })
  await expect
    .poll(async () => (await api.testHelpers.testClocks.retrieve(clock)).status, { timeout: 10_000, interval: 25 })
    .toBe('ready')
}

/** The row without its sync number and time. */
export function withoutSyncFields(row: Awaited<ReturnType<Billing['row']>>) {
  if (!row) return null
  const { syncSeq: _seq, syncedAt: _at, ...rest } = row
  return rest
}
