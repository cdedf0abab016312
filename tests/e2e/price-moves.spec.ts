import { demoEmail, demoPassword, signIn, storageOf } from './support/accounts.ts'
import { cards, payWith } from './support/checkout.ts'
import { inspect } from './support/inspect.ts'
import { expect, test } from './support/test.ts'

test.describe.configure({ timeout: 180_000 })

test('An owner raises a price and moves the members, who see it on their billing page before it happens', async ({
  page,
  browser,
  baseURL,
  login,
  signUp,
}) => {
  // A fresh session, because changing plans requires a recent sign-in.
  await login(await signIn(baseURL ?? '', demoEmail('admin'), demoPassword))
  await page.goto('/admin/money/plans')
  await page.getByRole('button', { name: 'Create plan' }).click()
  const form = page.getByRole('form', { name: 'Create plan' })
  await form.getByLabel('Name').fill('Night Shift')
  await form.getByLabel('Price', { exact: true }).fill('8')
  await form.getByRole('button', { name: 'Create plan' }).click()
  const row = page.getByRole('list', { name: 'Plans' }).getByRole('listitem').filter({ hasText: 'Night Shift' })
  await expect(row).toContainText('On sale')

  const account = await signUp()
  const context = await browser.newContext({ baseURL, storageState: storageOf(account.session, baseURL) })
  const reader = await context.newPage()
  const card = reader.getByRole('article', { name: 'Night Shift' })
  // The landing page is rendered again within a second or two.
  await expect(async () => {
    await reader.goto('/')
    await expect(card).toContainText('$8', { timeout: 1_000 })
  }).toPass()
  await card.getByRole('button', { name: 'Get Started' }).click()
  await payWith(reader, cards.works)
  await expect(reader).toHaveURL(/\/portal\/weekly-drops$/)

  await page.reload()
  await row.getByRole('button', { name: 'Edit Night Shift' }).click()
  await page.getByRole('form', { name: 'Edit Night Shift' }).getByLabel('Price', { exact: true }).fill('9.50')
  await expect(page.getByText('New members pay $9.50 per month.')).toBeVisible()
  await page.getByRole('button', { name: 'Save plan' }).click()
  await expect(row).toContainText('$9.50 per month, 1 member, 1 at another price')
  await row.getByRole('button', { name: 'Members’ prices: Night Shift' }).click()
  const panel = page.getByRole('region', { name: 'Members’ prices: Night Shift' })
  await expect(panel.getByRole('row', { name: account.email })).toContainText('$8.00$9.50')
  await panel.getByLabel('Days of notice').fill('0')
  await expect(panel.getByText('Enter 1 to 90 days.')).toBeVisible()
  await panel.getByLabel('Days of notice').fill('14')
  await inspect(page, 'money-move-members')
  await panel.getByRole('button', { name: 'Move 1 member' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Email and move' }).click()
  await expect(panel.getByRole('status')).toContainText('waiting for their renewal')
  await panel.getByText('1 member', { exact: true }).click()
  await inspect(page, 'money-moving-members')

  await reader.goto('/account/billing')
  await expect(reader.getByRole('main')).toContainText('Night Shift, $8 per month')
  await expect(reader.getByRole('main')).toContainText(/New price\s*\$9\.50 per month from/)
  await expect(reader.getByRole('main')).toContainText('$9.50 on')
  await inspect(reader, 'billing-new-price')

  await panel.getByRole('button', { name: 'Cancel the move' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the move' }).click()
  await expect(panel.getByRole('status')).toContainText('1 member kept their price')
  await reader.reload()
  await expect(reader.getByRole('main')).not.toContainText('New price')
  await row.getByRole('button', { name: 'Retire Night Shift' }).click()
  await page.getByRole('button', { name: 'Retire plan' }).click()
  await expect(row).toContainText('Retired')
  await context.close()
})
