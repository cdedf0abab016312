import type { Page } from '@playwright/test'
import { savePreferences } from './support/accounts.ts'
import { failCall } from './support/refuse.ts'
import { banner, expect, test, toast } from './support/test.ts'

const figure = async (page: Page, label: string) => {
  const card = page.getByRole('main').locator('div', { has: page.getByRole('heading', { name: label, exact: true }) })
  await expect(card.last()).toContainText(/\d/)
  return Number(
    (
      await card
        .last()
        .getByText(/^[\d,]+$/)
        .innerText()
    ).replaceAll(',', ''),
  )
}

const users = (page: Page) => page.getByRole('list', { name: 'All users' }).getByRole('listitem')

test('The admin sees how many users and subscriptions there are', async ({ page, loginAs, signUp }) => {
  await signUp()
  await loginAs('admin')
  await page.goto('/portal')
  await banner(page).getByRole('link', { name: 'Admin' }).click()
  await expect(page).toHaveURL('/admin')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Admin Dashboard')
  const total = await figure(page, 'Total Users')
  const fresh = await figure(page, 'New This Week')
  const active = await figure(page, 'Active Subscriptions')
  expect(active).toBeGreaterThanOrEqual(3) // admin, pro and team
  expect(fresh).toBeGreaterThanOrEqual(2) // new and the one of this test
  expect(fresh).toBeLessThanOrEqual(total - 3) // admin, pro and team are older than a week
  expect(active).toBeLessThan(total)
  await expect(page.getByText(`of ${total} users`)).toBeVisible()
})

test('The admin finds every user with what they prefer', async ({ page, request, loginAs, signUp }) => {
  const quiet = await signUp()
  const keen = await signUp()
  await savePreferences(request, keen, {
    focusAreas: ['Finance', 'Technology'],
    aiLevel: 'advanced',
    goals: ['Reduce costs'],
    franchiseType: 'Education',
  })
  await loginAs('admin')
  await page.goto('/admin')
  await expect(page.getByRole('heading', { level: 2, name: 'All Users' })).toBeVisible()
  // The newest come first, so both are on the first page.
  await expect(users(page).filter({ hasText: quiet.email })).toContainText('No preferences set')

  await page.getByRole('searchbox', { name: 'Search by e-mail' }).fill(keen.email.toUpperCase())
  await expect(users(page)).toHaveCount(1)
  const row = users(page).first()
  await expect(row).toContainText(keen.email)
  await expect(row.getByRole('time')).toHaveText(/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/)
  for (const text of ['Finance', 'Technology', 'Advanced', 'Reduce costs', 'Education']) {
    await expect(row).toContainText(text)
  }
  await page.getByRole('searchbox').fill('nobody@nowhere.invalid')
  await expect(page.getByText('No address fits.')).toBeVisible()
})

for (const who of ['pro', 'team'] as const) {
  test(`${who}@ is no admin and is led back to the portal`, async ({ page, loginAs }) => {
    await loginAs(who)
    await page.goto('/admin')
    await expect(toast(page, 'Access denied. Admin privileges required.')).toBeVisible()
    await expect(page).toHaveURL('/portal/weekly-drops')
  })
}

test('A visitor is led from the dashboard to the sign-in page', async ({ page }) => {
  await page.goto('/admin')
  await expect(page).toHaveURL('/auth')
})

test('A dashboard that does not load says so and can be asked again', async ({ page, loginAs }) => {
  await loginAs('admin')
  await failCall(page, 'admin-users')
  await page.goto('/admin')
  await expect(toast(page, 'Failed to load admin data')).toBeVisible()
  await page.unroute('**/functions/v1/admin-users')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Total Users')).toBeVisible()
})

test('A role that cannot be read makes nobody an admin', async ({ page, loginAs }) => {
  await loginAs('admin')
  await page.route('**/rest/v1/user_roles**', (route) =>
    route.fulfill({ status: 400, json: { code: 'PGRST100', message: 'no', details: null, hint: null } }),
  )
  await page.goto('/admin')
  await expect(toast(page, 'Access denied. Admin privileges required.')).toBeVisible()
  await expect(banner(page).getByRole('link', { name: 'Admin' })).toHaveCount(0)
})
