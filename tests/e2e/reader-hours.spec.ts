import { callAs, demoEmail, demoPassword, signIn, storageOf } from './support/accounts.ts'
import { inspect } from './support/inspect.ts'
import { test } from './support/own-server.ts'
import { expect } from './support/test.ts'

test.describe.configure({ timeout: 180_000 })
test.use({ timezoneId: 'Asia/Kolkata' })

test('A publisher allows readers’ own hours, a reader chooses one, and their drop waits for it', async ({
  page,
  browser,
  request,
  baseURL,
  login,
}) => {
  const admin = await signIn(baseURL ?? '', demoEmail('admin'), demoPassword)
  await login(admin)
  await page.goto('/admin/newsletter/settings')
  await page.getByRole('checkbox', { name: 'Let readers get drops at their own hour' }).check()
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText('Settings saved')).toBeVisible()

  const pro = await signIn(baseURL ?? '', demoEmail('pro'), demoPassword)
  const reader = await browser.newContext({
    baseURL,
    timezoneId: 'Asia/Kolkata',
    storageState: storageOf(pro.session, baseURL),
  })
  const account = await reader.newPage()
  await account.goto('/account/email')
  const time = account.getByLabel('Drops arrive')
  await expect(time).toHaveValue('usual')
  await expect(
    account.getByText('Time zone: Asia/Calcutta.').or(account.getByText('Time zone: Asia/Kolkata.')),
  ).toBeVisible()
  // Three to four hours from now.
  const hour = new Date(Date.now() + (5.5 + 4) * 3_600_000).getUTCHours()
  await time.selectOption(String(hour))
  await account.getByRole('button', { name: 'Save preferences' }).click()
  await expect(account.getByText('Your email preferences have been saved.')).toBeVisible()
  await inspect(account, 'account-drop-time')
  await account.reload()
  await expect(time).toHaveValue(String(hour))
  await reader.close()

  const { id } = await callAs<{ id: string }>(request, admin, 'admin-create-mailing', {
    kind: 'issue',
    issueId: 'ten-minutes-in-your-close',
  })
  await page.goto(`/admin/newsletter/${id}`)
  await expect(page.getByRole('checkbox', { name: 'Send at each reader’s own hour' })).toBeChecked()
  await page.getByRole('checkbox', { name: 'Test other subjects' }).check()
  await page.getByLabel('Subject 2').fill('Close in ten minutes')
  await expect(
    page.getByText('A subject test and readers’ own hours can’t be combined. Turn one of them off.'),
  ).toBeVisible()
  await page.getByRole('checkbox', { name: 'Test other subjects' }).uncheck()
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
  await page.getByRole('button', { name: 'Send now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click()
  await expect(page.getByText('Waiting for readers’ own hours.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Waiting for their hour: 1, show the list' })).toBeVisible()
  await inspect(page, 'mailing-reader-hours')
})
