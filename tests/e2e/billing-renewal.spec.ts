import type { Page } from '@playwright/test'
import { cards, planCard } from './support/checkout.ts'
import { waitForEmail } from './support/emails.ts'
import { checkOverflow, inspectState } from './support/inspect.ts'
import { blockCard, buy, openControlPage, travel } from './support/stripe-sandbox.ts'
import { briefly, expect, loadUntil, test, toast, toasts } from './support/test.ts'

const planSection = (page: Page) => page.getByRole('region', { name: 'Your plan', exact: true })

test('A failed renewal sends an email and leaves the portal open, and a new card fixes it', async ({
  page,
  request,
  signUp,
  login,
  baseURL,
}) => {
  const account = await signUp()
  await login(account)
  await buy(request, account, 'pro_monthly')
  await page.goto('/account/billing')
  await page.getByRole('button', { name: 'Update card' }).click()
  await page.getByLabel('Card number').fill('4000 0000 0000 0341')
  await page.getByLabel('Expiry').fill('12 / 34')
  await page.getByLabel('CVC').fill('123')
  await page.getByRole('button', { name: 'Save card' }).click()
  await expect(page).toHaveURL('/account/billing')
  await expect(planSection(page)).toContainText('ending in 0341')

  const room = await openControlPage(page, baseURL ?? '', account.email)
  await travel(room, '+1 month and 1 hour')
  await checkOverflow(room, 'stripe-control-customer-past-due', ['light'])
  await room.close()
  await page.goto('/portal')
  await expect(page.getByRole('heading', { level: 1, name: 'Weekly Drops' })).toBeVisible()

  const email = await waitForEmail(request, account.email, /payment failed/)
  await page.goto(/Update card\W+(https?:\S+)/.exec(email.text)?.[1] ?? 'no link')
  await expect(page).toHaveURL('/account/billing')
  const failed = page.getByRole('region', { name: 'Payment failed' })
  await expect(failed).toContainText('We couldn’t charge your card for $10.00')
  await expect(failed).toContainText('You have access to the portal until')
  await expect(failed).toContainText('We’ll try your card again on')
  await failed.getByRole('button', { name: 'Pay $10.00 now' }).click()
  await expect(toast(page, 'Your payment failed')).toBeVisible()
  await expect(toasts(page)).toHaveCount(0, { timeout: 10_000 })
  await inspectState(page, 'account-billing-past-due')

  await failed.getByRole('button', { name: 'Use a different card' }).click()
  await expect(page.getByLabel('Card number')).toBeVisible()
  await checkOverflow(page, 'stripe-portal-card', ['light'])
  await page.getByLabel('Card number').fill(cards.works)
  await page.getByLabel('Expiry').fill('12 / 34')
  await page.getByLabel('CVC').fill('123')
  await page.getByRole('button', { name: 'Save card' }).click()
  await expect(page).toHaveURL('/account/billing')
  const pay = page.getByRole('button', { name: 'Pay $10.00 now' })
  await expect(pay.or(planSection(page).getByText('renews automatically'))).toBeVisible()
  if (await pay.isVisible()) await pay.click()
  await expect(planSection(page)).toContainText('renews automatically')
  await waitForEmail(request, account.email, /active again/)
})

test('Seven days after a failed renewal the portal closes; after the last retry the plan ends, and can be bought again', async ({
  page,
  request,
  signUp,
  login,
  baseURL,
}) => {
  const account = await signUp()
  await login(account)
  await buy(request, account, 'pro_monthly')
  await blockCard(baseURL ?? '', account.email)
  const room = await openControlPage(page, baseURL ?? '', account.email)
  await travel(room, 'To the next renewal')
  await travel(room, { days: 6 })
  await page.goto('/portal')
  await expect(page.getByRole('heading', { level: 1, name: 'Weekly Drops' })).toBeVisible()

  await travel(room, { days: 2 })
  await loadUntil(page, '/portal', () =>
    expect(toast(page, 'You need an active subscription to access the portal')).toBeVisible(briefly),
  )
  await expect(page).toHaveURL('/')
  await page.goto('/account/billing')
  const failed = page.getByRole('region', { name: 'Payment failed' })
  await expect(failed).toContainText(/Your access to the portal ended on \w+ \d+, \d{4}. It returns as soon as you pay/)
  await checkOverflow(page, 'account-billing-closed')

  await travel(room, { days: 9 })
  await waitForEmail(request, account.email, /plan has ended/)
  await loadUntil(page, '/account/billing', () =>
    expect(planSection(page)).toContainText('Your plan has ended', briefly),
  )
  await checkOverflow(page, 'account-billing-ended')
  await planSection(page).getByRole('link', { name: 'Choose a Plan' }).click()
  await expect(planCard(page, 'pro_yearly').getByRole('button')).toHaveText('Get Started')
  await buy(request, account, 'pro_yearly')
  await page.goto('/account/billing')
  await expect(planSection(page)).toContainText('renews automatically')
  await page.goto('/portal')
  await expect(page.getByRole('heading', { level: 1, name: 'Weekly Drops' })).toBeVisible()
})
