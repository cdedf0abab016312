import { demoEmail, demoPassword, signIn } from './support/accounts.ts'
import { inspect } from './support/inspect.ts'
import { expect, test } from './support/test.ts'

test('a publisher writes a series, previews it, turns it on and pauses it', async ({ page, baseURL, login }) => {
  // A fresh session: turning on requires a recent sign-in.
  await login(await signIn(baseURL ?? '', demoEmail('admin'), demoPassword))
  await page.goto('/admin/newsletter/series')
  await expect(page.getByRole('link', { name: 'Win back' })).toBeVisible()
  await inspect(page, 'series-list')
  await page.getByRole('button', { name: 'New series' }).click()
  const name = `Failed payments ${Date.now().toString(36)}`
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Members enter when').selectOption('A payment fails')
  await page.getByRole('button', { name: 'Add a wait', exact: true }).click()
  await page.getByRole('button', { name: 'Add an email' }).click()
  await page.getByRole('button', { name: 'Save series' }).click()
  await expect(page.getByText('Step 2: Enter a subject')).toBeVisible()
  await page.getByLabel('Subject', { exact: true }).fill('Your card was declined')
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Hello. Update your card under Billing.')
  await page.getByRole('button', { name: 'Save series' }).click()
  await expect(page.getByRole('status').filter({ hasText: /^Saved$/ })).toBeVisible()
  await expect(page.getByText('Wait 3 days')).toBeVisible()
  await page.getByText('Preview and test').click()
  await expect(
    page.frameLocator('iframe[title="Email preview"]').getByText('Update your card under Billing.'),
  ).toBeVisible()
  await inspect(page, 'series')
  await page.getByRole('button', { name: 'Turn on series' }).click()
  await expect(page.getByText('Members enter and move on each minute.')).toBeVisible()
  await page.getByRole('button', { name: 'Pause series' }).click()
  await expect(page.getByRole('button', { name: 'Resume series' })).toBeVisible()
  await page.getByRole('button', { name: 'Delete series' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('heading', { name: 'Series', exact: true, level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name })).toHaveCount(0)
})
