import type { Page } from '@playwright/test'
import { plans } from '#tests/support/default-plans.ts'
import { callAs } from './support/accounts.ts'
import { countCalls } from './support/api-calls.ts'
import { cards, payWith, planCard, startCheckout } from './support/checkout.ts'
import { checkOverflow } from './support/inspect.ts'
import { failCall } from './support/refuse.ts'
import { banner, expect, test, toast, toasts } from './support/test.ts'

/** Clicks Manage in the portal and returns the tab that it opens. */
async function manage(page: Page): Promise<Page> {
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    banner(page).getByRole('button', { name: 'Manage' }).click(),
  ])
  await expect(tab.getByText('STRIPE SANDBOX')).toBeVisible()
  return tab
}

test('A visitor who chooses a plan is asked to sign up, with the plan shown and sign-in one tap away', async ({
  page,
}) => {
  const title = page.getByRole('heading', { level: 1 })
  for (const key of ['pro_monthly', 'team_monthly'] as const) {
    const { name, priceText, interval } = plans[key]
    await page.goto('/')
    await planCard(page, key).getByRole('button', { name: 'Get Started' }).click()
    await expect(page).toHaveURL('/auth')
    await expect(title).toHaveText('Create your account')
    await expect(page.getByText(`You chose ${name}, ${priceText} per ${interval}`)).toBeVisible()
  }
  await page.reload()
  await expect(page.getByText('You chose Team Monthly, $20 per month')).toBeVisible()
  await page.getByRole('button', { name: 'Already have an account? Sign in' }).click()
  await expect(title).toHaveText('Welcome back')
  await expect(page.getByText('Sign in to continue with Team Monthly, $20 per month')).toBeVisible()
})

test('A plan is bought on the checkout page after a declined card, opens the portal, and can’t be paid twice', async ({
  page,
  signUp,
  login,
  request,
}) => {
  const account = await signUp()
  await login(account)
  const { name, priceText, interval } = plans.team_monthly
  await startCheckout(page, 'team_monthly')
  const checkout = page.url()
  await expect(page.getByRole('main')).toContainText(name)
  await expect(page.getByRole('button', { name: /^Pay/ })).toContainText(priceText)
  await expect(page.getByRole('main')).toContainText(interval)
  await payWith(page, cards.declined)
  await expect(page.getByRole('alert')).toContainText(/declined/i)
  expect(await callAs(request, account, 'check-subscription')).toMatchObject({ subscribed: false })
  await payWith(page, cards.works)
  await expect(page).toHaveURL('/portal/weekly-drops')
  await expect(page.getByRole('heading', { level: 1, name: 'Weekly Drops' })).toBeVisible()

  await page.goto('/')
  await expect(planCard(page, 'team_monthly').getByRole('button')).toHaveText('Current Plan')
  await expect(planCard(page, 'team_monthly').getByRole('button')).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Get Started' })).toHaveCount(2)

  await page.goto(checkout)
  await expect(page.getByLabel('Card number')).toHaveCount(0)
  await checkOverflow(page, 'stripe-checkout-complete', ['light'])
  await page.getByRole('link', { name: 'Continue' }).click()
  await expect(page).toHaveURL('/portal/weekly-drops')
})

test('Two quick clicks start one checkout; a user who returns from it without paying can choose again', async ({
  page,
  signUp,
  login,
}) => {
  await login(await signUp())
  const started = countCalls(page, 'create-checkout')
  await page.goto('/')
  await planCard(page, 'pro_monthly').getByRole('button', { name: 'Get Started' }).dblclick()
  await expect(page.getByLabel('Card number')).toBeVisible()
  expect(started()).toBe(1)
  await page.goBack()
  await expect(page).toHaveURL('/')
  await planCard(page, 'team_monthly').getByRole('button', { name: 'Get Started' }).click()
  await expect(page.getByRole('main')).toContainText('Team Monthly')

  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page).toHaveURL('/#pricing')
  await expect(page.getByRole('heading', { name: 'Choose Your Plan' })).toBeInViewport()
  await expect(page.getByRole('link', { name: 'Choose a Plan' })).toBeVisible()
})

test('A return from checkout explains what to do without a session, signed out, and after another user’s checkout', async ({
  page,
  loginAs,
}) => {
  await page.goto('/billing/return')
  await expect(toast(page, 'You didn’t finish checkout, so you haven’t been charged.')).toBeVisible()
  await expect(page).toHaveURL('/')
  await page.goto('/billing/return?session_id=cs_test_of_someone_else')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to finish')
  await checkOverflow(page, 'billing-return-signed-out')
  await loginAs('new')
  await page.goto('/billing/return?session_id=cs_test_of_someone_else')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your payment is still processing')
  await checkOverflow(page, 'billing-return-unconfirmed')
})

test('A click before the application has loaded is not lost', async ({ page, loginAs }) => {
  await loginAs('new')
  await page.route('**/functions/v1/create-checkout', (route) => route.fulfill({ status: 502, json: {} }))
  let arrive = () => {}
  const onItsWay = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await page.route(/\/assets\/index-[^/]*\.js$/, async (route) => {
    await onItsWay
    await route.continue()
  })
  const started = countCalls(page, 'create-checkout')
  await page.goto('/')
  await planCard(page, 'pro_monthly').getByRole('button', { name: 'Get Started' }).click()
  arrive()
  await expect(toast(page, 'Unable to start checkout. Please try again.')).toBeVisible()
  expect(started()).toBe(1)
})

test('A subscriber manages the plan in a new tab, cancels and resumes there, and loses access when the paid period is over', async ({
  page,
  signUpSubscriber,
  login,
  request,
}) => {
  const account = await signUpSubscriber()
  await login(account)
  await page.goto('/portal/weekly-drops')
  await failCall(page, 'customer-portal', 502)
  await banner(page).getByRole('button', { name: 'Manage' }).click()
  await expect(toast(page, 'Unable to open the billing portal')).toBeVisible()
  await expect.poll(() => page.context().pages().length).toBe(1)
  await page.unroute('**/functions/v1/customer-portal')
  const portal = await manage(page)
  await expect(page).toHaveURL('/portal/weekly-drops')
  expect(await portal.evaluate(() => window.opener)).toBeNull()
  await expect(portal.getByRole('main')).toContainText('Active. Renews on')
  await portal.getByRole('link', { name: /^Team Monthly/ }).click()
  await expect(portal.getByRole('main')).toContainText('due today')
  await checkOverflow(portal, 'stripe-portal-switch', ['light'])
  await portal.getByRole('link', { name: 'Keep current plan' }).click()
  await portal.getByRole('link', { name: 'Cancel plan' }).click()
  await expect(portal.getByRole('main')).toContainText('stays active until')
  await portal.getByRole('button', { name: 'Cancel plan' }).click()

  const overview = await manage(page)
  await expect(overview.getByRole('main')).toContainText('Canceled. Ends on')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Weekly Drops' })).toBeVisible()

  await overview.getByRole('button', { name: 'Resume plan' }).click()
  const resumed = await manage(page)
  await expect(resumed.getByRole('main')).toContainText('Active. Renews on')

  // Canceled again, and a month later by the clock of the sandbox's control page.
  await resumed.getByRole('link', { name: 'Cancel plan' }).click()
  await resumed.getByRole('button', { name: 'Cancel plan' }).click()
  await expect
    .poll(() => callAs<{ subscribed: boolean }>(request, account, 'check-subscription', { refresh: true }))
    .toMatchObject({ subscribed: true })
  await resumed.goto(`${new URL(resumed.url()).origin}/sandbox?q=${encodeURIComponent(account.email)}`)
  await resumed.getByRole('link', { name: account.email }).click()
  await resumed.getByRole('button', { name: /month/i }).click()
  await expect
    .poll(() => callAs<{ subscribed: boolean }>(request, account, 'check-subscription'), { timeout: 20_000 })
    .toMatchObject({ subscribed: false })
  await page.goto('/portal')
  await expect(toast(page, 'You need an active subscription to access the portal')).toBeVisible()
  await expect(page).toHaveURL('/')
  await expect(planCard(page, 'pro_monthly').getByRole('button')).toHaveText('Get Started')
})

test('A failed subscription check counts as no subscription and is only logged', async ({ page, loginAs }) => {
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  await loginAs('pro')
  await page.route('**/functions/v1/check-subscription', (route) => route.fulfill({ status: 403, json: {} }))
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Choose a Plan' })).toBeVisible()
  await expect(toasts(page)).toHaveCount(0)
  expect(logged.join('\n')).toContain('The subscription check failed; treated as unsubscribed')
})
