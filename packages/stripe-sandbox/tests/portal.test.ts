import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { card, follow, press, visit, words } from './browser.ts'
import { advanceTo, type Bench, clockedCustomer, failure, itemOf, openBench } from './support.ts'

let bench: Bench
let now = Date.now()
beforeAll(async () => {
  bench = await openBench({ now: () => now })
})
afterAll(async () => {
  await bench.close()
  expect(bench.problems).toEqual([])
  expect(bench.logged.filter((line) => line.includes('mistake'))).toEqual([])
})

const noon = (year: number, month: number, day: number) => Date.UTC(year, month - 1, day, 12) / 1000
const halfway = noon(2027, 1, 16) + 43_200
const back = 'http://localhost:3000/portal'

async function subscriber(price = 'price_pro_monthly', card = 'pm_card_visa') {
  const { customer, clock } = await clockedCustomer(bench, { at: noon(2027, 1, 1), card })
  const subscription = await bench.stripe.subscriptions.create({ customer: customer.id, items: [{ price }] })
  return { clock: clock.id, customer: customer.id, subscription }
}

async function portal(customer: string, more: Partial<Stripe.BillingPortal.SessionCreateParams> = {}) {
  const session = await bench.stripe.billingPortal.sessions.create({ customer, return_url: back, ...more })
  return session.url
}

const read = (id: string) => bench.stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })

test('the overview shows plan, status, card and invoices, and links back', async () => {
  const { customer } = await subscriber()
  const home = await visit(await portal(customer))
  const text = words(home)
  expect(text).toContain('STRIPE SANDBOX – no real payments')
  expect(text).toContain('Pro Monthly ($10.00 per month)')
  expect(text).toContain('Active. Renews on Feb 1, 2027, $10.00 per month.')
  expect(text).toContain('•••• 4242')
  expect(text).toMatch(/Jan 1, 2027 \S+-0001 \$10\.00 paid/)
  expect(home.text).toContain(`href="${back}"`)
  const invoice = await follow(home, '-0001')
  expect(words(invoice)).toContain('Amount paid $10.00')
})

test('S30 canceling in the portal sets a date and no flag, and resuming clears it', async () => {
  const { customer, subscription, clock } = await subscriber()
  const confirm = await follow(await visit(await portal(customer)), 'Cancel plan')
  expect(words(confirm)).toContain('stays active until Feb 1, 2027')
  const done = await press(confirm, 'Cancel plan', { feedback: 'too_expensive', comment: 'Later maybe' })
  expect(words(done)).toContain('Canceled. Ends on Feb 1, 2027.')
  expect(await read(subscription.id)).toMatchObject({
    cancel_at: noon(2027, 2, 1),
    cancel_at_period_end: false,
    canceled_at: noon(2027, 1, 1),
    cancellation_details: { feedback: 'too_expensive', comment: 'Later maybe', reason: 'cancellation_requested' },
    status: 'active',
  })
  const resumed = await press(done, 'Resume plan')
  expect(words(resumed)).toContain('The plan continues.')
  expect(await read(subscription.id)).toMatchObject({
    cancel_at: null,
    canceled_at: null,
    cancellation_details: { reason: null },
  })
  await press(await follow(resumed, 'Cancel plan'), 'Cancel plan')
  await advanceTo(bench, clock, noon(2027, 2, 1))
  expect((await read(subscription.id)).status).toBe('canceled')
  expect(words(await visit(await portal(customer)))).toContain('No active plan.')
})

test('switching shows the amount due today and charges exactly that', async () => {
  const { customer, subscription, clock } = await subscriber()
  await advanceTo(bench, clock, halfway)
  const confirm = await follow(await visit(await portal(customer)), 'Team Monthly')
  expect(words(confirm)).toContain('$5.00 due today')
  const done = await press(confirm, 'Confirm switch')
  expect(words(done)).toContain('The plan is now Team Monthly')
  const after = await read(subscription.id)
  expect(itemOf(after).price.id).toBe('price_team_monthly')
  expect(after.latest_invoice).toMatchObject({ amount_paid: 500 })
  const yearly = await follow(done, 'Pro Yearly')
  expect(words(yearly)).toMatch(/\$89\.00 due today/)
})

test('S28 a failing card set in the portal fails the renewal, and a working one recovers it', async () => {
  const { customer, subscription, clock } = await subscriber()
  const form = await follow(await visit(await portal(customer)), 'Update card')
  expect(words(await press(form, 'Save card', card('4000000000000002')))).toContain('Your card was declined.')
  await press(form, 'Save card', card('4000000000000341'))
  await advanceTo(bench, clock, noon(2027, 2, 1) + 3700)
  const failed = await read(subscription.id)
  expect(failed.status).toBe('past_due')
  expect(failed.latest_invoice).toMatchObject({ attempt_count: 1, status: 'open' })
  expect((failed.latest_invoice as Stripe.Invoice).next_payment_attempt).toBeGreaterThan(noon(2027, 2, 1))
  const home = await visit(await portal(customer))
  expect(words(home)).toContain('Past due: the last payment failed.')
  expect(words(await press(home, 'Pay now'))).toContain('Try another card')
  const repaired = await press(await visit(`${home.url}/card`), 'Save card', card('4242424242424242'))
  const paid = await press(repaired, 'Pay now')
  expect(words(paid)).toContain('is paid.')
  expect((await read(subscription.id)).status).toBe('active')
})

test('a switch that the bank declines changes nothing and shows an error', async () => {
  const { customer, subscription, clock } = await subscriber()
  await advanceTo(bench, clock, halfway)
  const home = await visit(await portal(customer))
  await press(await follow(home, 'Update card'), 'Save card', card('4000000000000341'))
  const declined = await press(await follow(await visit(home.url), 'Pro Yearly'), 'Confirm switch')
  expect(words(declined)).toContain('Your card was declined. The plan has not changed.')
  const after = await read(subscription.id)
  expect(after.status).toBe('active')
  expect(itemOf(after).price.id).toBe('price_pro_monthly')
})

test('a card that requires authentication is saved only after it succeeds', async () => {
  const { customer } = await subscriber()
  const form = await follow(await visit(await portal(customer)), 'Update card')
  const asked = await press(form, 'Save card', card('4000002500003155'))
  expect(words(await press(asked, 'Fail'))).toContain('unable to authenticate')
  expect(words(await visit(await portal(customer)))).toContain('•••• 4242')
  expect(words(await press(asked, 'Complete'))).toContain('•••• 3155')
})

test('deep links open their page and return to the requested URL', async () => {
  const { customer, subscription, clock } = await subscriber()
  await advanceTo(bench, clock, halfway)
  const items = [{ id: itemOf(subscription).id, price: 'price_pro_yearly', quantity: 1 }]
  const confirm = await visit(
    await portal(customer, {
      flow_data: {
        type: 'subscription_update_confirm',
        subscription_update_confirm: { subscription: subscription.id, items },
        after_completion: { type: 'redirect', redirect: { return_url: 'http://localhost:3000/done' } },
      },
    }),
  )
  expect(words(confirm)).toContain('$94.00 due today')
  expect((await press(confirm, 'Confirm switch')).location).toBe('http://localhost:3000/done')
  expect(itemOf(await read(subscription.id)).price.id).toBe('price_pro_yearly')
  const update = await visit(
    await portal(customer, {
      flow_data: { type: 'payment_method_update', after_completion: { type: 'hosted_confirmation' } },
    }),
  )
  expect(words(await press(update, 'Save card', card('5555555555554444')))).toContain('Done')
  const cancel = await visit(
    await portal(customer, {
      flow_data: { type: 'subscription_cancel', subscription_cancel: { subscription: subscription.id } },
    }),
  )
  expect(words(await press(cancel, 'Cancel plan'))).toContain('The plan ends on')
  expect((await read(subscription.id)).cancel_at).not.toBeNull()
  const late = bench.stripe.billingPortal.sessions.create({
    customer,
    flow_data: {
      type: 'subscription_update_confirm',
      subscription_update_confirm: { subscription: subscription.id, items },
    },
  })
  expect((await failure(late)).statusCode).toBe(400)
})

test('S42 the configuration restricts what the portal offers', async () => {
  const { customer, subscription } = await subscriber()
  const configuration = await bench.stripe.billingPortal.configurations.create({
    features: { invoice_history: { enabled: false }, payment_method_update: { enabled: true } },
  })
  const home = await visit(await portal(customer, { configuration: configuration.id }))
  const text = words(home)
  expect(text).toContain('Update card')
  expect(text).not.toContain('Cancel plan')
  expect(text).not.toContain('Switch plan')
  expect(text).not.toContain('Invoices')
  expect((await visit(`${home.url}/cancel/${subscription.id}`)).status).toBe(404)
  expect((await visit(`${home.url}/switch/${subscription.id}/price_pro_yearly`)).status).toBe(404)
  const list = await bench.stripe.billingPortal.configurations.list({ is_default: true })
  expect(list.data).toHaveLength(1)
  const changed = await bench.stripe.billingPortal.configurations.update(configuration.id, {
    features: { invoice_history: { enabled: true } },
  })
  expect(changed.features).toMatchObject({
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
  })
})

test('S42 without any configuration there is no portal', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-'))
  const own = await openBench({ dataFile: join(folder, 'stripe.db') })
  const file = new DatabaseSync(join(folder, 'stripe.db'))
  file.exec(`delete from objects where type = 'billing_portal.configuration'`)
  file.close()
  const customer = await own.stripe.customers.create({})
  const error = await failure(own.stripe.billingPortal.sessions.create({ customer: customer.id }))
  expect(error).toMatchObject({ statusCode: 400, message: expect.stringContaining('No configuration provided') })
  await own.close()
  rmSync(folder, { recursive: true })
})

test('links expire after five unused minutes or an hour in total, and an unknown token opens nothing', async () => {
  const { customer, subscription } = await subscriber()
  const url = await portal(customer)
  const home = await visit(url)
  expect((await visit(`${url.slice(0, -2)}xx`)).status).toBe(410)
  for (let minute = 4; minute <= 56; minute += 4) {
    now += 4 * 60_000
    expect((await visit(url)).status).toBe(200)
  }
  now += 4 * 60_000 + 1000
  expect((await visit(url)).status).toBe(410)
  expect((await press(home, 'Pay now').catch(() => visit(`${url}/cancel/${subscription.id}`))).status).toBe(410)
  const idle = await portal(customer)
  now += 5 * 60_000 + 1000
  expect((await visit(idle)).status).toBe(410)
  expect(bench.logged.join('\n')).not.toContain(url.split('/').at(-1))
})

test('a customer can’t reach another customer’s objects', async () => {
  const mine = await subscriber()
  const other = await subscriber()
  const url = await portal(mine.customer)
  expect((await visit(`${url}/cancel/${other.subscription.id}`)).status).toBe(404)
  expect((await visit(`${url}/switch/${other.subscription.id}/price_pro_yearly`)).status).toBe(404)
  const flow = { type: 'subscription_cancel' as const, subscription_cancel: { subscription: other.subscription.id } }
  expect(
    (await failure(bench.stripe.billingPortal.sessions.create({ customer: mine.customer, flow_data: flow })))
      .statusCode,
  ).toBe(400)
})
