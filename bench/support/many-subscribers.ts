import { createHash } from 'node:crypto'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import pg from 'pg'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { openBillingDeps } from './billing-deps.ts'

type Given = { databaseUrl: string; stripePort: number; stripeFile: string; count: number }

const idOf = (kind: string, index: number | string) => `${kind}_bench${index}`
const userIdFrom = (sql: string) => `md5('bench' || ${sql})::uuid`

/* Ids are derived from the number. */
export const customerIdOf = (index: number) => idOf('cus', index)
export const subscriptionIdOf = (index: number) => idOf('sub', index)
export const userIdOf = (index: number) =>
  createHash('md5')
    .update(`bench${index}`)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

/**
 * Creates one subscriber through Stripe's API and a customer sync, and then writes `count` copies of its rows directly
 * into both databases.
 */
export async function addManySubscribers(given: Given): Promise<void> {
  const { deps, close } = await openBillingDeps(given.databaseUrl, given.stripePort)
  const client = new pg.Client({ connectionString: given.databaseUrl })
  await client.connect()
  const step = async (what: string, work: () => unknown) => {
    const startedAt = performance.now()
    await work()
    console.error(`  ${what}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  }
  try {
    const { stripe, config } = deps
    const { id: customer } = await stripe.customers.create({ email: 'reader@bench.test' })
    const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer })
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: card } })
    const items = [{ price: config.stripe.ids.pro_monthly.priceId }]
    const { id: subscription, items: bought } = await stripe.subscriptions.create({ customer, items })
    const ids = { cus: customer, pm: card, sub: subscription, si: bought.data[0]?.id ?? '' }
    await step(`${given.count} customers at Stripe`, () => copyAtStripe(given, ids))

    await client.query(
      `${insertUsers} select ${userIdFrom('n::text')}, ${userValues} from generate_series(0, $1::int) n`,
      [given.count],
    )
    await client.query(`insert into billing_customer (user_id, stripe_customer_id) values (${userIdFrom("'0'")}, $1)`, [
      customer,
    ])
    await syncCustomer(deps, customer)
    await step(`${given.count} customers in our database`, () => copyOurs(client, given.count))
  } finally {
    await client.end()
    await close()
  }
}

const insertUsers = `insert into auth.users (id, aud, role, email, email_confirmed_at, raw_app_meta_data,
  raw_user_meta_data, created_at, updated_at)`
const userValues = `'authenticated', 'authenticated', 'reader-' || n || '@bench.test', now(), '{}', '{}', now(), now()`

/** Copies all columns of the first row except its ids. */
async function copyOurs(client: pg.Client, count: number) {
  await client.query(
    `insert into billing_customer (user_id, stripe_customer_id)
     select ${userIdFrom('n::text')}, 'cus_bench' || n from generate_series(1, $1::int) n`,
    [count],
  )
  await client.query(
    `insert into subscription_state
     select (jsonb_populate_record(first, jsonb_build_object(
       'user_id', ${userIdFrom('n::text')}, 'stripe_subscription_id', 'sub_bench' || n))).*
     from subscription_state first, generate_series(1, $1::int) n where first.user_id = ${userIdFrom("'0'")}`,
    [count],
  )
  await client.query('vacuum analyze')
}

function copyAtStripe({ stripeFile, count }: Given, ids: Record<'cus' | 'pm' | 'sub' | 'si', string>) {
  const file = new DatabaseSync(stripeFile)
  file.exec('pragma busy_timeout = 10000; begin immediate')
  const kinds = Object.entries(ids)
  const marks = kinds.map(() => '?').join(', ')
  const rows = file.prepare(`select * from objects where id in (${marks}) order by seq`).all(...Object.values(ids))
  const columns = Object.keys(rows[0] ?? {}).filter((name) => name !== 'seq')
  const insert = file.prepare(
    `insert into objects (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  )
  const templates = rows.map((row) => columns.map((column) => row[column] ?? null))
  for (let index = 1; index <= count; index += 1) {
    const rename = (value: SQLInputValue) =>
      typeof value === 'string'
        ? kinds.reduce((text, [kind, id]) => text.replaceAll(id, idOf(kind, index)), value)
        : value
    for (const template of templates) insert.run(...template.map(rename))
  }
  file.exec('commit')
  file.close()
}
