import type { Page } from '@playwright/test'
import { type Account, callAs } from './support/accounts.ts'
import { cards, payWith, planCard, startCheckout } from './support/checkout.ts'
import { confirmEmail, waitForEmail } from './support/emails.ts'
import { checkOverflow } from './support/inspect.ts'
import { test } from './support/own-server.ts'
import { buy, openControlPage, planAtStripe, sandboxOrigin, stripeOf, travel } from './support/stripe-sandbox.ts'
import { briefly, expect, loadUntil, toast } from './support/test.ts'

// The tests share one server and run in order, since an outage would affect other files.
test.describe.configure({ mode: 'default' })

const planSection = (page: Page) => page.getByRole('region', { name: 'Your plan', exact: true })

test('The first plan starts with a free week and then charges automatically', async ({
  page,
  request,
  signUp,
  login,
  baseURL,
}) => {
  const account = await signUp()
  await login(account)
  await page.goto('/')
  await expect(planCard(page, 'pro_monthly')).toContainText('7-day free trial')
  await planCard(page, 'pro_monthly').getByRole('button').click()
  await expect(toast(page, 'Confirm your email address first. Then your plan starts with 7 free days.')).toBeVisible()
  await page.goto('/checkout/pro_monthly')
  await expect(page.getByRole('heading', { level: 1, name: 'Confirm your email address' })).toBeVisible()
  await checkOverflow(page, 'checkout-unconfirmed')
  await confirmEmail(request, account.email)
  await page.goto('/')
  await expect(planCard(page, 'pro_monthly')).toContainText('7-day free trial')
  await checkOverflow(page, 'landing-with-trial', ['light'])
  await startCheckout(page, 'pro_monthly')
  await expect(page.getByRole('main')).toContainText('Free for 7 days, then $10.00')
  await expect(page.getByRole('button', { name: 'Pay $0.00 and start trial' })).toBeVisible()
  await checkOverflow(page, 'stripe-checkout-trial', ['light'])
  await payWith(page, cards.works)
  await expect(page).toHaveURL('/portal/weekly-drops')

  await page.goto('/account/billing')
  await expect(planSection(page)).toContainText(/on a trial until \w+ \d+, \d{4}/)
  await expect(planSection(page)).toContainText(/\$10\.00 on \w+ \d+, \d{4}/)
  await page.getByRole('button', { name: 'See the cost of Team Monthly' }).click()
  await expect(page.getByRole('region', { name: 'Switch to Team Monthly' })).toContainText('You won’t be charged today')
  await checkOverflow(page, 'account-billing-trial')

  const room = await openControlPage(page, baseURL ?? '', account.email)
  await travel(room, { days: 5 })
  await waitForEmail(request, account.email, /trial ends on/)
  await travel(room, 'To the next renewal')
  await room.close()
  await loadUntil(page, '/account/billing', () =>
    expect(planSection(page)).toContainText('renews automatically', briefly),
  )
  await expect(page.getByRole('list', { name: 'Invoices' }).getByRole('listitem').first()).toContainText('$10.00')
})

test('A canceled trial charges nothing, and there is no second one', async ({
  page,
  request,
  signUp,
  login,
  baseURL,
}) => {
  const account = await signUp()
  await confirmEmail(request, account.email)
  await login(account)
  await buy(request, account, 'pro_monthly', '5555 5555 5555 4444')
  await page.goto('/account/billing')
  await page.getByRole('button', { name: 'Cancel plan' }).click()
  await page.getByRole('button', { name: 'Cancel my plan' }).click()
  await expect(planSection(page)).toContainText('You have full access until')
  const room = await openControlPage(page, baseURL ?? '', account.email)
  await travel(room, { days: 8 })
  await loadUntil(page, '/portal', () =>
    expect(toast(page, 'You need an active subscription to access the portal')).toBeVisible(briefly),
  )

  await expect(planCard(page, 'team_monthly').getByRole('button')).toHaveText('Get Started')
  await expect(page.getByText('-day free trial')).toHaveCount(0)
  await planCard(page, 'team_monthly').getByRole('button').click()
  await expect(page.getByRole('button', { name: 'Pay $20.00', exact: true })).toBeVisible()
  await room.reload()
  await expect(room.getByRole('region', { name: 'Charges' })).toContainText('none')
})

test.describe('During a Stripe outage', () => {
  let reader: Account
  const freshCards = ['4000 0000 0000 0341', '3782 822463 10005']

  /** Changes the sandbox's settings on its settings page. */
  async function set(page: Page, baseURL: string, choice: string, button: string) {
    const settings = await page.context().newPage()
    await settings.goto(`${sandboxOrigin(baseURL)}/sandbox/settings`)
    await settings.getByRole('radio', { name: choice }).check()
    await settings.getByRole('button', { name: button }).click()
    await expect(settings.getByRole('status')).toContainText('settings saved.')
    await settings.close()
  }

  test.beforeEach(async ({ request, signUp }) => {
    reader = await signUp()
    await confirmEmail(request, reader.email)
    // A card can have one trial. This one can be saved and is never charged here.
    const card = freshCards.shift() ?? ''
    await buy(request, reader, 'pro_monthly', card)
  })
  test.afterEach(async ({ page, baseURL }) => {
    await set(page, baseURL ?? '', 'Deliver', 'Save delivery settings')
    await set(page, baseURL ?? '', 'No outage', 'Save outage settings')
  })

  test('a reader keeps access, and sees payments again after the outage', async ({ page, login, baseURL }) => {
    await login(reader)
    await set(page, baseURL ?? '', 'Respond with 503 to everything', 'Save outage settings')
    await page.goto('/account/billing')
    await expect(page.getByRole('alert').filter({ hasText: 'can’t reach our payment service' })).toBeVisible()
    await expect(planSection(page)).toContainText('Pro Monthly')
    await checkOverflow(page, 'account-billing-outage')
    await page.goto('/portal')
    await expect(page.getByRole('heading', { level: 1, name: 'Weekly Drops' })).toBeVisible()

    await page.goto('/account/billing')
    const tryAgain = page.getByRole('button', { name: 'Try again' })
    await expect(tryAgain).toBeVisible()
    await set(page, baseURL ?? '', 'No outage', 'Save outage settings')
    await tryAgain.click()
    await expect(planSection(page)).toContainText('ending in 0341')
  })

  test('an admin detects lost events by syncing with Stripe', async ({ page, request, login, admin, baseURL }) => {
    await set(page, baseURL ?? '', 'Pause (events stay queued)', 'Save delivery settings')
    const stripe = stripeOf(baseURL ?? '')
    await stripe.subscriptions.cancel((await planAtStripe(baseURL ?? '', reader.email)).id)
    expect(await callAs(request, reader, 'check-subscription')).toMatchObject({ subscribed: true })

    await login(await admin())
    await page.goto(`/admin/members/${reader.session.user.id}`)
    const access = page.getByRole('region', { name: 'Access to the portal' })
    await expect(access).toContainText('Through a plan')
    await access.getByRole('button', { name: 'Sync with Stripe' }).click()
    await expect(access.getByRole('status')).toContainText('Our records were behind')
    await expect(access.getByRole('status')).toContainText('status: trialing → canceled')
    await expect(access).toContainText('Closed')
    await expect(access).toContainText('The status at Stripe is “canceled”, which gives no access.')
    await checkOverflow(page, 'admin-user-behind', ['light'])
    expect(await callAs(request, reader, 'check-subscription')).toMatchObject({ subscribed: false })
  })
})
