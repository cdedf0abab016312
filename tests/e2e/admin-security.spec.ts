import type { Page } from '@playwright/test'
import { newPassword, publishableKey, storageOf } from './support/accounts.ts'
import { inspect } from './support/inspect.ts'
import { requireStepUpOnce } from './support/step-up.ts'
import { expect, test, toast } from './support/test.ts'

const events = (page: Page) => page.getByRole('list', { name: 'Security events' }).getByRole('listitem')

const openUser = async (page: Page, email: string) => {
  await page.goto('/admin/members')
  await page.getByRole('searchbox', { name: 'Search by name or email' }).fill(email)
  await expect(page).toHaveURL(/search=/)
  await page.getByRole('link', { name: email }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(email)
}

test('The staff log shows what happened to one account, newest first', async ({ page, request, signUp, loginAs }) => {
  const { email } = await signUp()
  const refused = await request.post('/auth/v1/token?grant_type=password', {
    headers: { apikey: publishableKey },
    data: { email, password: 'not the password' },
  })
  expect(refused.status()).toBe(400)
  await loginAs('admin')
  await page.goto('/admin')
  await page.getByRole('navigation', { name: 'Admin pages' }).getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Staff log' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Staff log')
  await expect(events(page).first()).toBeVisible()
  await inspect(page, 'admin-security-log')

  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(events(page)).toHaveCount(2)
  await expect(events(page).first()).toContainText('Sign-in failed')
  await expect(events(page).last()).toContainText('Signed up')
  await page.getByLabel('Event', { exact: true }).selectOption('Signed up')
  await expect(events(page)).toHaveCount(1)
  await expect(page).toHaveURL(/event=signed_up/)
  await page.reload()
  await expect(page.getByLabel('Email address')).toHaveValue(email)
  await expect(events(page)).toHaveCount(1)
  await page.getByLabel('Event', { exact: true }).selectOption('Deleted the account')
  await expect(page.getByText('No matching events.')).toBeVisible()
  await page.goBack()
  await expect(events(page)).toHaveCount(1)
})

test('A disabled account is signed out at once, and can sign in once it is enabled', async ({
  page,
  browser,
  request,
  baseURL,
  signUp,
  loginAs,
}) => {
  const account = await signUp()
  const context = await browser.newContext({ baseURL, storageState: storageOf(account.session, baseURL) })
  const theirs = await context.newPage()
  await theirs.goto('/account/profile')
  await expect(theirs.getByText('Member since')).toBeVisible()
  const signInStatus = async () =>
    (
      await request.post('/auth/v1/token?grant_type=password', {
        headers: { apikey: publishableKey },
        data: { email: account.email, password: newPassword },
      })
    ).status()

  await loginAs('admin')
  await openUser(page, account.email)
  await page.getByText('Sign-in details and account ID').click()
  await expect(page.getByText('1 device', { exact: true })).toBeVisible()
  await requireStepUpOnce(page, { path: '/functions/v1/admin-set-disabled' })
  await page.getByText('Close the account').click()
  await page.getByRole('button', { name: 'Disable account' }).click()
  await page.getByLabel('Reason').fill('Sold the store')
  await page.getByRole('button', { name: 'Disable account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await dialog.getByLabel('Password', { exact: true }).fill('front-counter')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(toast(page, 'Account disabled')).toBeVisible()
  await expect(page.getByText('Disabled', { exact: true })).toBeVisible()
  await expect(page.getByText('0 devices', { exact: true })).toBeVisible()
  await theirs.goto('/account/security')
  await expect(theirs).toHaveURL('/auth')
  expect(await signInStatus()).toBe(400)

  await page.getByRole('link', { name: 'View staff log' }).click()
  const line = events(page).filter({ hasText: 'Account disabled' })
  await expect(line).toContainText('Sold the store')
  await expect(line).toContainText('by admin@frontcounter.test')
  await line.getByRole('link', { name: account.email }).click()

  await page.getByRole('button', { name: 'Enable account' }).click()
  await page.getByRole('button', { name: 'Enable account' }).click()
  await expect(toast(page, 'Account enabled')).toBeVisible()
  expect(await signInStatus()).toBe(200)
  await context.close()
})

test('An owner backs up and sees the backup', async ({ page, loginAs }) => {
  await loginAs('admin')
  await page.goto('/admin/settings/backups')
  const started = page.waitForResponse('**/functions/v1/admin-start-backup')
  await page.getByRole('button', { name: 'Back up now' }).click()
  await started
  const newest = page.getByRole('list', { name: 'Backups' }).getByRole('listitem').first()
  await expect(newest).toContainText('encrypted', { timeout: 30_000 })
  await inspect(page, 'backups')
})
