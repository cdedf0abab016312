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

test('The audit log shows what happened to one account, newest first', async ({ page, request, signUp, loginAs }) => {
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

test('The audit log loads further pages without gaps or duplicates', async ({ page, signUp, loginAs }) => {
  const newest: string[] = []
  for (let signedUp = 0; signedUp < 6; signedUp += 1) newest.unshift((await signUp()).email)
  await loginAs('admin')
  // Two entries per page, so that six events fill three pages.
  await page.route('**/functions/v1/admin-audit-log', (route) =>
    route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), limit: 2 }) }),
  )
  await page.goto('/admin/settings/log?event=signed_up')
  await expect(events(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect(events(page)).toHaveCount(4)
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect(events(page)).toHaveCount(6)
  const addresses = await events(page).getByRole('link').allInnerTexts()
  expect(new Set(addresses).size).toBe(6)
  // Other tests can sign up meanwhile, but our users keep their order.
  const ours = addresses.filter((address) => newest.includes(address))
  expect(ours).toEqual(newest.filter((address) => ours.includes(address)))
  expect(ours.length).toBeGreaterThan(0)
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
  await expect(page.getByText('1 device', { exact: true })).toBeVisible()
  await requireStepUpOnce(page, { path: '/functions/v1/admin-set-disabled' })
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

  await page.getByRole('link', { name: 'View audit log' }).click()
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

test('Admins can’t disable their own account, and a deleted account shows a message', async ({ page, loginAs }) => {
  const { session, email } = await loginAs('admin')
  await openUser(page, email)
  await expect(page.getByText('This is your own account.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Disable account' })).toHaveCount(0)
  for (const id of ['nonsense', session.user.id.replace(/.$/, (last) => (last === '0' ? '1' : '0'))]) {
    await page.goto(`/admin/members/${id}`)
    await expect(page.getByRole('heading', { name: 'Account not found' })).toBeVisible()
  }
})

test('Only admins can see the audit log and accounts', async ({ page, loginAs }) => {
  await loginAs('pro')
  await page.goto('/admin/settings/log')
  await expect(toast(page, 'Access denied. Admin privileges required.')).toBeVisible()
  await expect(page).toHaveURL('/portal/weekly-drops')
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
