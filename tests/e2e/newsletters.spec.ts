import { demoEmail, demoPassword, signIn, storageOf } from './support/accounts.ts'
import { unsubscribeLink } from './support/email-links.ts'
import { inspect } from './support/inspect.ts'
import { test } from './support/own-server.ts'
import { expect } from './support/test.ts'

test.describe.configure({ timeout: 180_000 })

test('An owner creates a newsletter, a reader chooses it, and a mailing goes to its subscribers', async ({
  page,
  browser,
  baseURL,
  login,
}) => {
  await login(await signIn(baseURL ?? '', demoEmail('admin'), demoPassword))
  await page.goto('/admin/newsletter/newsletters')
  await expect(page.getByText('No newsletters of your own yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Create newsletter' }).click()
  const form = page.getByRole('form', { name: 'Create newsletter' })
  await form.getByLabel('Name', { exact: true }).fill('Product news')
  await form.getByRole('button', { name: 'Create newsletter' }).click()
  await expect(form.getByText('Every reader knows “Product news” already. Choose another name.')).toBeVisible()
  await form.getByLabel('Name', { exact: true }).fill('Recipes')
  await form.getByLabel('Description').fill('One recipe for the whole crew, on the first Monday of the month.')
  await form.getByRole('radio', { name: 'Members only' }).check()
  await inspect(page, 'newsletter-form')
  await form.getByRole('button', { name: 'Create newsletter' }).click()
  const row = page.getByRole('list', { name: 'Newsletters' }).getByRole('listitem')
  await expect(row).toContainText('0 subscribers')
  await expect(row).toContainText('Readers choose it themselves')
  await inspect(page, 'newsletters')

  const { session } = await signIn(baseURL ?? '', demoEmail('pro'), demoPassword)
  const reader = await browser.newContext({ baseURL, storageState: storageOf(session, baseURL) })
  const account = await reader.newPage()
  await account.goto('/account/email')
  await account.getByRole('checkbox', { name: 'Recipes' }).check()
  await account.getByRole('button', { name: 'Save preferences' }).click()
  await expect(account.getByText('Your email preferences have been saved.')).toBeVisible()
  await inspect(account, 'account-newsletters')

  await page.reload()
  await page.getByRole('link', { name: '1 subscriber', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Remove filter: Gets: Recipes' })).toBeVisible()
  await expect(page.getByRole('link', { name: demoEmail('pro') })).toBeVisible()

  await page.goto('/admin/newsletter')
  await page.getByRole('button', { name: 'New product news' }).click()
  // The list has a field of the same name.
  await expect(page).toHaveURL(/\/admin\/newsletter\/[^?]+$/)
  await page.getByLabel('Newsletter', { exact: true }).selectOption('Recipes')
  await expect(page.getByText('Sent to its subscribers who are members, who can unsubscribe from it.')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
  await inspect(page, 'mailing-to-newsletter')
  await page.goto('/admin/newsletter?newsletter=1')
  await expect(page.getByRole('link', { name: 'No subject yet' })).toBeVisible()

  await account.goto(unsubscribeLink(session.user.id, 'newsletter:1'))
  await expect(account.getByText('You opened this page from “Recipes”')).toContainText('You’re subscribed to Recipes,')
  await inspect(account, 'unsubscribe-newsletter')
  await account.getByRole('button', { name: 'Stop receiving Recipes' }).click()
  await expect(account.getByRole('status')).toContainText('You’re unsubscribed from Recipes.')
  await account.getByRole('button', { name: 'Undo' }).click()
  await expect(account.getByText('You opened this page from')).toContainText('You’re subscribed to Recipes,')
  await reader.close()
})
