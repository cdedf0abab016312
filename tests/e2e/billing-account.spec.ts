import type { Page } from '@playwright/test'
import type { BillingOverview } from '#shared/contracts/billing/billing.ts'
import { callAs } from './support/accounts.ts'
import { subscribe } from './support/checkout.ts'
import { waitForEmail } from './support/emails.ts'
import { checkOverflow, inspect } from './support/inspect.ts'
import { buy, openControlPage, planAtStripe } from './support/stripe-sandbox.ts'
import { briefly, expect, loadUntil, test, toast, toasts } from './support/test.ts'

const planSection = (page: Page) => page.getByRole('region', { name: 'Your plan', exact: true })
const billing = async (page: Page) => {
  await page.goto('/account/billing')
  await expect(planSection(page)).toBeVisible()
}

test('a member cancels with a reason, keeps access, and resumes the plan, all on the billing page', async ({
  page,
  signUpSubscriber,
  login,
  baseURL,
}) => {
  const account = await signUpSubscriber()
  await login(account)
  await billing(page)
  await expect(planSection(page)).toContainText('Pro Monthly, $10 per month')
  await expect(planSection(page)).toContainText(/\$10\.00 on \w+ \d+, \d{4}/)
  await expect(planSection(page)).toContainText('ending in 4242')
  await expect(page.getByRole('list', { name: 'Invoices' }).getByRole('listitem')).toHaveCount(1)

  await page.getByRole('button', { name: 'Cancel plan' }).press('Enter')
  await expect(page.getByRole('region', { name: 'Cancel plan', exact: true })).toBeFocused()
  await page.getByRole('button', { name: 'Keep my plan' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Cancel plan' })).toBeFocused()
  await page.getByRole('button', { name: 'Cancel plan' }).click()
  await page.getByRole('radio', { name: 'I don’t use it enough' }).check()
  await page.getByLabel('Anything else you’d like to tell us?').fill('After the season')
  // One thing that fits the reason, and a way past it that looks the same.
  const offer = page.getByRole('region', { name: 'Before you go' })
  await expect(offer).toContainText('Take a break instead?')
  const buttons = [
    offer.getByRole('button', { name: 'Pause my plan' }),
    offer.getByRole('button', { name: 'Cancel anyway' }),
  ]
  const [one, other] = await Promise.all(
    buttons.map((button) =>
      button.evaluate((node) => {
        const { width, height } = node.getBoundingClientRect()
        const { color, backgroundColor, fontSize, fontWeight } = getComputedStyle(node)
        return { width, height, color, backgroundColor, fontSize, fontWeight }
      }),
    ),
  )
  expect(one).toEqual(other)
  await inspect(page, 'account-billing-offer')
  await offer.getByRole('button', { name: 'Cancel anyway' }).dblclick()
  await expect(toast(page, 'Your plan is canceled')).toBeVisible()
  await expect(planSection(page)).toContainText('You have full access until')
  await expect(page.getByRole('main')).toBeFocused()
  await expect(page).toHaveURL('/account/billing')
  expect((await planAtStripe(baseURL ?? '', account.email)).cancellation_details).toMatchObject({
    feedback: 'unused',
    comment: 'After the season',
  })
  await checkOverflow(page, 'account-billing-ending')

  await page.getByRole('button', { name: 'Resume plan' }).click()
  await expect(planSection(page)).toContainText('renews automatically')
  await page.goto('/portal')
  await expect(page.getByRole('heading', { level: 1, name: 'Weekly Drops' })).toBeVisible()
})

test('Canceling takes two taps, and one more with a reason and past an offer: fewer than subscribing took', async ({
  page,
  signUp,
  login,
}) => {
  await login(await signUp())
  let steps = 0
  await page.exposeFunction('countStep', () => {
    steps += 1
  })
  // Taps, and fields that are filled in.
  await page.addInitScript(() => {
    const count = () => (window as unknown as { countStep: () => void }).countStep()
    addEventListener('click', count, true)
    addEventListener('change', ({ target }) => (target as HTMLInputElement).type !== 'radio' && count(), true)
  })
  await subscribe(page)
  const subscribing = steps

  await billing(page)
  steps = 0
  await page.getByRole('button', { name: 'Cancel plan' }).click()
  await page.getByRole('button', { name: 'Cancel my plan' }).click()
  await expect(planSection(page)).toContainText('You have full access until')
  expect(steps).toBe(2)

  await page.getByRole('button', { name: 'Resume plan' }).click()
  await expect(planSection(page)).toContainText('renews automatically')
  steps = 0
  await page.getByRole('button', { name: 'Cancel plan' }).click()
  await page.getByRole('radio', { name: 'I don’t use it enough' }).check()
  await page.getByRole('button', { name: 'Cancel anyway' }).click()
  await expect(planSection(page)).toContainText('You have full access until')
  expect(steps).toBe(3)
  expect(subscribing).toBeGreaterThan(steps)
})

test('a switch shows its cost first and then charges that amount', async ({ page, signUpSubscriber, login }) => {
  await login(await signUpSubscriber())
  await billing(page)
  await page.getByRole('button', { name: 'See the cost of Pro Yearly' }).click()
  const panel = page.getByRole('region', { name: 'Switch to Pro Yearly' })
  // The month has just started, so nearly all of it is credited towards the year.
  await expect(panel).toContainText(/\$89\.\d\d due today/)
  await expect(panel).toContainText('you pay $99 per year')
  await inspect(page, 'account-billing')
  const [amount = ''] = /\$89\.\d\d/.exec(await panel.innerText()) ?? []
  await panel.getByRole('button', { name: 'Switch to Pro Yearly' }).click()
  await expect(toast(page, 'You switched to Pro Yearly')).toBeVisible()
  await expect(planSection(page)).toContainText('Pro Yearly, $99 per year')
  await expect(page.getByRole('list', { name: 'Invoices' }).getByRole('listitem').first()).toContainText(amount)

  const [invoice] = await Promise.all([
    page.context().waitForEvent('page'),
    page
      .getByRole('link', { name: /^View invoice/ })
      .first()
      .click(),
  ])
  await expect(invoice.getByRole('main')).toContainText(amount)
})

test('a refund is shown with its invoice and keeps access; only admins see other subscriptions', async ({
  page,
  request,
  signUp,
  login,
  loginAs,
  baseURL,
}) => {
  const account = await signUp()
  await login(account)
  await buy(request, account, 'pro_monthly')
  const room = await openControlPage(page, baseURL ?? '', account.email)
  await room.getByRole('button', { name: 'Refund' }).click()
  await expect(room.getByRole('status')).toHaveText('The charge was refunded.')
  await room.getByRole('button', { name: 'Subscribe' }).click()
  await expect(room.getByRole('status')).toHaveText('The customer subscribes to Coaching.')
  await checkOverflow(room, 'stripe-control-customer-refunded', ['light'])
  await room.close()

  await billing(page)
  await expect(page.getByRole('list', { name: 'Invoices' }).getByRole('listitem')).toHaveCount(1)
  await expect(page.getByRole('list', { name: 'Invoices' }).getByRole('listitem')).toContainText('Refunded')
  await expect(planSection(page)).toContainText('renews automatically')
  expect(await callAs(request, account, 'check-subscription')).toMatchObject({ subscribed: true })

  await loginAs('admin')
  await loadUntil(page, `/admin/members/${account.session.user.id}`, async () => {
    await page.getByText(/^Changes from Stripe/).click()
    await expect(page.getByRole('list', { name: 'Events from Stripe' })).toContainText('charge.refunded', briefly)
  })
  await expect(page.getByRole('region', { name: 'Access to the portal' })).toContainText('Through a plan')
  const others = page.getByRole('list', { name: 'Other subscriptions' })
  await expect(others).toContainText(/Coaching\s*Active\s*\$500\.00 per month/)
  await checkOverflow(page, 'admin-user-other-subscriptions')
  const [customerPage] = await Promise.all([
    page.context().waitForEvent('page'),
    others.getByRole('link', { name: 'View in Stripe: Coaching' }).click(),
  ])
  await expect(customerPage.getByRole('heading', { level: 1 })).toHaveText(account.email)
})

test('a credit is shown as a credit, not as a payment', async ({ page, loginAs }) => {
  await loginAs('pro')
  await page.route('**/functions/v1/billing-overview', async (route) => {
    const response = await route.fetch()
    const overview = (await response.json()) as BillingOverview
    const [invoice] = overview.stripe?.invoices ?? []
    const stripe = overview.stripe && {
      ...overview.stripe,
      nextPayment: { dueAt: '2027-01-22T00:00:00.000Z', amountCents: 0, creditCents: 1000, currency: 'usd' },
      credit: { amountCents: 7900, currency: 'usd' },
      invoices: [{ ...invoice, amountCents: -7900 }],
    }
    await route.fulfill({ response, json: { ...overview, stripe } })
  })
  await billing(page)
  await expect(planSection(page)).toContainText('$10.00 on Jan 22, 2027, paid with your credit')
  await expect(planSection(page)).toContainText('$79.00, applied to your next payments')
  const invoice = page.getByRole('list', { name: 'Invoices' }).getByRole('listitem')
  await expect(invoice).toContainText('-$79.00')
  await expect(invoice).toContainText('Credit')
  await expect(invoice).not.toContainText('Paid')
})

test('an admin sees why a user has no access, grants access and revokes it', async ({
  page,
  signUp,
  login,
  loginAs,
  request,
}) => {
  const reader = await signUp()
  await loginAs('admin')
  await page.goto(`/admin/members/${reader.session.user.id}`)
  const access = page.getByRole('region', { name: 'Access to the portal' })
  await expect(access).toContainText('No subscription.')
  await expect(access).toContainText('Closed')
  await page.getByRole('button', { name: 'Grant access' }).click()
  await page.getByLabel('Last day').fill(`${new Date().getFullYear() + 1}-03-31`)
  await page.getByLabel('Reason').first().fill('Press')
  await page.getByRole('region', { name: 'Grant access' }).getByRole('button', { name: 'Grant access' }).click()
  await expect(access).toContainText('Complimentary')
  await waitForEmail(request, reader.email, /complimentary access/)
  expect(await callAs(request, reader, 'check-subscription')).toMatchObject({ subscribed: true, product_id: null })

  await login(reader)
  await page.goto('/portal')
  await expect(page.getByRole('heading', { level: 1, name: 'Weekly Drops' })).toBeVisible()
  await billing(page)
  await expect(planSection(page)).toContainText('You have complimentary access until Mar 31,')
  await checkOverflow(page, 'account-billing-complimentary')

  await loginAs('admin')
  await page.goto(`/admin/members/${reader.session.user.id}`)
  await page.getByRole('button', { name: 'Revoke access' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke access' }).click()
  await expect(access).toContainText('Closed')
})

test.describe('accessible at every width:', () => {
  test.setTimeout(150_000)

  test('billing without a plan', { tag: '@all' }, async ({ page, signUp, login }) => {
    await login(await signUp())
    await billing(page)
    await inspect(page, 'account-billing-none')
  })

  test('access of a subscriber, as the admin sees it', { tag: '@all' }, async ({ page, loginAs, demoSession }) => {
    const pro = await demoSession('pro')
    await loginAs('admin')
    await page.goto(`/admin/members/${pro.session.user.id}`)
    await page.getByRole('button', { name: 'Sync with Stripe' }).click()
    await expect(page.getByText('Our records match Stripe.')).toBeVisible()
    await page.getByText(/^Changes from Stripe/).click()
    await page.getByRole('button', { name: 'Grant access' }).click()
    await expect(toasts(page)).toHaveCount(0)
    await inspect(page, 'admin-user-access')
  })
})
