import { type APIRequestContext, expect, type Page } from '@playwright/test'
import Stripe from 'stripe'
import type { PlanKey } from '#shared/domain/plans.ts'
import { type Account, callAs } from './accounts.ts'
import { cards } from './checkout.ts'

const sandboxPort = (baseURL: string) => Number(new URL(baseURL).port) + 1

/** The stand-in Stripe beside a server, through the official client. */
export const stripeBeside = (baseURL: string) =>
  new Stripe('sk_test_front_counter_sandbox', {
    host: '127.0.0.1',
    port: sandboxPort(baseURL),
    protocol: 'http',
    telemetry: false,
  })

async function customerOf(stripe: Stripe, email: string): Promise<string> {
  const { data } = await stripe.customers.list({ email, limit: 1 })
  if (!data[0]) throw new Error(`Stripe knows no ${email}`)
  return data[0].id
}

/** The newest subscription of somebody whose time has not been moved yet. */
export async function planAtStripe(baseURL: string, email: string): Promise<Stripe.Subscription> {
  const stripe = stripeBeside(baseURL)
  const { data } = await stripe.subscriptions.list({ customer: await customerOf(stripe, email), limit: 1 })
  if (!data[0]) throw new Error(`${email} has no subscription`)
  return data[0]
}

/** From now on every charge fails, as after a card was blocked. */
export async function blockCard(baseURL: string, email: string) {
  const stripe = stripeBeside(baseURL)
  const { id, customer } = await planAtStripe(baseURL, email)
  const card = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: String(customer) })
  await stripe.subscriptions.update(id, { default_payment_method: card.id })
}

/** Where the sandbox's own pages are. */
export const sandboxOrigin = (baseURL: string) => `http://localhost:${sandboxPort(baseURL)}`

/** The control page of a customer, in a tab of its own, as somebody finds it who knows the address. */
export async function controlRoom(page: Page, baseURL: string, email: string): Promise<Page> {
  const room = await page.context().newPage()
  await room.goto(`${sandboxOrigin(baseURL)}/sandbox?q=${encodeURIComponent(email)}`)
  await room.getByRole('link', { name: email }).click()
  await expect(room.getByRole('heading', { level: 1, name: email })).toBeVisible()
  return room
}

type Journey = '+1 day' | 'To the next renewal' | '+1 month and 1 hour' | { days: number }

/** Moves a customer through time with the buttons of their control page, and waits until they have arrived. */
export async function travel(room: Page, journey: Journey) {
  if (typeof journey === 'string') {
    await room.getByRole('button', { name: journey, exact: true }).click()
  } else {
    const field = room.getByLabel('Travel to (UTC)')
    // It proposes tomorrow.
    const tomorrow = Date.parse(`${await field.inputValue()}Z`)
    await field.fill(new Date(tomorrow + (journey.days - 1) * 86_400_000).toISOString().slice(0, 16))
    await room.getByRole('button', { name: 'Travel', exact: true }).click()
  }
  await expect(room.getByText('Simulated time')).toBeVisible()
  // The page asks again each second; a year has a lot to happen in it.
  await expect(room.getByText('advancing…')).toHaveCount(0, { timeout: 30_000 })
}

/** Buys a plan over HTTP, for journeys that begin after it: the checkout page's form, sent without a browser. */
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
