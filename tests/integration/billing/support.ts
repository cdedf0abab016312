import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
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

/** The whole server beside a sandbox of its own, reached through the official SDK. */
export async function openBilling(options: TestStripeOptions & { database?: TestDatabase } = {}) {
  const { auth } = readConfig({ NODE_ENV: 'test' })
  const stripe = await startTestStripe(options)
  const server = await createTestApp({
    // Tests move the clock by months; the sign-in is not what they are about.
    config: { stripe: stripe.config, auth: { ...auth, accessTokenSeconds: tenYearsSeconds } },
    stripe: createStripe(stripe.config),
    database: options.database,
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

/** The row without what says only when and in which turn it was read. */
export function saying(row: Awaited<ReturnType<Billing['row']>>) {
  if (!row) return null
  const { syncSeq: _seq, syncedAt: _at, ...rest } = row
  return rest
}
