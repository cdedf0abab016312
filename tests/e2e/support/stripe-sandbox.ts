import { type APIRequestContext, expect, type Page } from '@playwright/test'
import Stripe from 'stripe'
import type { PlanKey } from '#tests/support/default-plans.ts'
import { type Account, callAs } from './accounts.ts'
import { cards } from './checkout.ts'

const sandboxPort = (baseURL: string) => Number(new URL(baseURL).port) + 1

/** The official client for a server's Stripe sandbox. */
export const stripeOf = (baseURL: string) =>
  new Stripe('sk_test_front_counter_sandbox', {
    host: '127.0.0.1',
    port: sandboxPort(baseURL),
    protocol: 'http',
    telemetry: false,
  })

async function customerOf(stripe: Stripe, email: string): Promise<string> {
  const { data } = await stripe.customers.list({ email, limit: 1 })
  if (!data[0]) throw new Error(`Stripe has no customer ${email}`)
  return data[0].id
}

/** The newest subscription of a customer without a test clock. */
export async function planAtStripe(baseURL: string, email: string): Promise<Stripe.Subscription> {
  const stripe = stripeOf(baseURL)
  const { data } = await stripe.subscriptions.list({ customer: await customerOf(stripe, email), limit: 1 })
  if (!data[0]) throw new Error(`${email} has no subscription`)
  return data[0]
}

/** Makes all further charges fail. */
export async function blockCard(baseURL: string, email: string) {
  const stripe = stripeOf(baseURL)
  const { id, customer } = await planAtStripe(baseURL, email)
  const card = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: String(customer) })
  await stripe.subscriptions.update(id, { default_payment_method: card.id })
}

/** Origin of the Stripe sandbox's pages. */
export const sandboxOrigin = (baseURL: string) => `http://localhost:${sandboxPort(baseURL)}`

/** Opens a customer's control page in a new tab. */
export async function openControlPage(page: Page, baseURL: string, email: string): Promise<Page> {
  const control = await page.context().newPage()
  await control.goto(`${sandboxOrigin(baseURL)}/sandbox?q=${encodeURIComponent(email)}`)
  await control.getByRole('link', { name: email }).click()
  await expect(control.getByRole('heading', { level: 1, name: email })).toBeVisible()
  return control
}

type TimeTravel = '+1 day' | 'To the next renewal' | '+1 month and 1 hour' | { days: number }

/** Advances a customer's test clock on the control page and waits until it has arrived. */
export async function travel(control: Page, amount: TimeTravel) {
  if (typeof amount === 'string') {
    await control.getByRole('button', { name: amount, exact: true }).click()
  } else {
    const field = control.getByLabel('Travel to (UTC)')
    // The default is tomorrow.
    const tomorrow = Date.parse(`${await field.inputValue()}Z`)
    await field.fill(new Date(tomorrow + (amount.days - 1) * 86_400_000).toISOString().slice(0, 16))
    await control.getByRole('button', { name: 'Travel', exact: true }).click()
  }
  await expect(control.getByText('Simulated time')).toBeVisible()
  // The page reloads each second. Advancing by a year takes a while.
  await expect(control.getByText('advancing…')).toHaveCount(0, { timeout: 30_000 })
}

/** Buys a plan by submitting the checkout form over HTTP, for tests that start with a subscription. */
export async function buy(api: APIRequestContext, account: Account, key: PlanKey, card: string = cards.works) {
  const { plans } = await callAs<{ plans: { key: PlanKey; priceId: string }[] }>(api, account, 'plans')
  const priceId = plans.find((plan) => plan.key === key)?.priceId
  const { url } = await callAs<{ url: string }>(api, account, 'create-checkout', { priceId })
  const page = await (await api.get(url)).text()
  const form: Record<string, string> = {
    action: 'pay',
    number: card,
    expiry: '12 / 34',
    cvc: card.startsWith('37') ? '1234' : '123',
    name: '',
  }
  for (const [, name = '', value = ''] of page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)) {
    form[name] = value
  }
  const paid = await api.post(url, { form, maxRedirects: 0 })
  const sessionId = new URL(paid.headers().location ?? '', url).searchParams.get('session_id')
  expect(await callAs(api, account, 'complete-checkout', { sessionId })).toMatchObject({ subscribed: true })
}
