import pg from 'pg'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { openBillingDeps } from './billing-deps.ts'

export type Subscriber = { userId: string; customer: string; subscription: string }

/** Subscribes `count` new users to the monthly plan through Stripe's API and a customer sync. */
export async function addSubscribers(databaseUrl: string, stripePort: number, count: number): Promise<Subscriber[]> {
  const { deps, close } = await openBillingDeps(databaseUrl, stripePort)
  const { stripe, config } = deps
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const items = [{ price: config.stripe.ids.pro_monthly.priceId }]
  const subscribers: Subscriber[] = []
  try {
    const { rows } = await client.query<{ id: string; email: string }>(
      `insert into auth.users (id, aud, role, email, email_confirmed_at, raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
       select gen_random_uuid(), 'authenticated', 'authenticated', 'reader-' || n || '@bench.test', now(), '{}', '{}', now(), now()
       from generate_series(1, $1::int) n returning id, email`,
      [count],
    )
    for (const { id: userId, email } of rows) {
      const { id: customer } = await stripe.customers.create({ email })
      const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer })
      await stripe.customers.update(customer, { invoice_settings: { default_payment_method: card } })
      const { id: subscription } = await stripe.subscriptions.create({ customer, items })
      await client.query('insert into billing_customer (user_id, stripe_customer_id) values ($1, $2)', [
        userId,
        customer,
      ])
      await syncCustomer(deps, customer)
      subscribers.push({ userId, customer, subscription })
    }
    await client.query('vacuum analyze')
  } finally {
    await client.end()
    await close()
  }
  return subscribers
}
