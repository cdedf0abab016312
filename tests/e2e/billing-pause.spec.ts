import type { Page } from '@playwright/test'
import { waitForEmail } from './support/emails.ts'
import { inspectState } from './support/inspect.ts'
import { openControlPage, travel } from './support/stripe-sandbox.ts'
import { expect, test, toast } from './support/test.ts'

const planSection = (page: Page) => page.getByRole('region', { name: 'Your plan', exact: true })

test('A member who wants to cancel pauses instead, loses access with the pause, and comes back early with one click', async ({
  page,
  request,
  signUpSubscriber,
  login,
  loginAs,
  baseURL,
}) => {
  const account = await signUpSubscriber()
  await login(account)
  await page.goto('/account/billing')
  await page.getByRole('button', { name: 'Cancel plan' }).click()
  await page.getByRole('radio', { name: 'I don’t use it enough' }).check()
  await page.getByLabel('Anything else you’d like to tell us?').fill('Back in spring')
  const offer = page.getByRole('region', { name: 'Before you go' })
  await offer.getByRole('radio', { name: 'Two months' }).check()
  await offer.getByRole('button', { name: 'Pause my plan' }).dblclick()
  await expect(toast(page, 'Your plan is paused')).toBeVisible()
  await expect(planSection(page)).toContainText('Your plan will be paused. You have full access until')
  await inspectState(page, 'account-billing-pausing')
  await waitForEmail(request, account.email, /is paused until/)

  const control = await openControlPage(page, baseURL ?? '', account.email)
  await travel(control, '+1 month and 1 hour')
  await control.close()
  await expect(async () => {
    await page.goto('/account/billing')
    await expect(planSection(page)).toContainText('Your plan is paused until', { timeout: 2_000 })
  }).toPass()
  await inspectState(page, 'account-billing-paused')
  await page.goto('/portal')
  await expect(page.getByRole('heading', { level: 1, name: 'Weekly Drops' })).toHaveCount(0)

  await page.goto('/account/billing')
  await expect(planSection(page)).toContainText('Resume now to start a new period, at $10 per month.')
  await page.getByRole('button', { name: 'Resume plan' }).dblclick()
  await expect(planSection(page)).toContainText('renews automatically')
  await waitForEmail(request, account.email, /active again/)
  await page.goto('/portal')
  await expect(page.getByRole('heading', { level: 1, name: 'Weekly Drops' })).toBeVisible()

  await loginAs('admin')
  await page.goto('/admin/money/cancellations')
  await expect(page.getByRole('region', { name: 'Who stayed' })).toContainText('Back in spring')
  await inspectState(page, 'admin-offers-to-stay')
})

test('A member pauses with a button of its own, after reading what it means, and comes back before it begins', async ({
  page,
  signUpSubscriber,
  login,
}) => {
  await login(await signUpSubscriber())
  await page.goto('/account/billing')
  const section = page.getByRole('region', { name: 'Pause your plan' })
  await expect(section).toContainText(/You keep full access until .* you don’t pay and have no access/)
  await expect(section).toContainText('continues at $10 per month and your card is charged again')
  await section.getByRole('button', { name: 'Pause plan' }).press('Enter')
  await inspectState(page, 'account-billing-pause')
  await section.getByRole('radio', { name: 'Three months' }).check()
  await section.getByRole('button', { name: 'Pause my plan' }).dblclick()
  await expect(toast(page, 'Your plan is paused')).toBeVisible()
  await expect(section).toHaveCount(0)
  await page.getByRole('button', { name: 'Resume plan' }).click()
  await expect(planSection(page)).toContainText('renews automatically')
})
