import { demoEmail, demoPassword, signIn, storageOf } from './support/accounts.ts'
import { cards, payWith } from './support/checkout.ts'
import { inspect } from './support/inspect.ts'
import { expect, test } from './support/test.ts'

test.describe.configure({ timeout: 180_000 })

test('An owner makes a yearly plan in euros, a visitor sees and buys it, and the billing page shows it', async ({
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
  await form.getByLabel('Name').fill('Europe Yearly')
  await form.getByLabel('Price', { exact: true }).fill('0')
  await form.getByRole('button', { name: 'Create plan' }).click()
  await expect(form.getByText('A plan can’t be free.')).toBeVisible()
  await form.getByLabel('Price', { exact: true }).fill('90')
  await form.getByLabel('Currency').selectOption('EUR')
  await form.getByLabel('Paid').selectOption('Yearly')
  await form.getByLabel('What it includes').fill('Invoices in euros')
  await inspect(page, 'money-plan-form')
  await form.getByRole('button', { name: 'Create plan' }).click()
  const row = page.getByRole('list', { name: 'Plans' }).getByRole('listitem').filter({ hasText: 'Europe Yearly' })
  await expect(row).toContainText('€90 per year, 0 members')
  await expect(row).toContainText('On sale')
  await inspect(page, 'money-plans')

  const account = await signUp()
  const context = await browser.newContext({ baseURL, storageState: storageOf(account.session, baseURL) })
  const reader = await context.newPage()
  const card = reader.getByRole('article', { name: 'Europe Yearly' })
  // The landing page is rendered again within a second or two.
  await expect(async () => {
    await reader.goto('/')
    await expect(card).toContainText('€90', { timeout: 1_000 })
  }).toPass()
  await expect(card).toContainText('per year')
  await expect(card).toContainText('€7.50 a month')
  await expect(card).toContainText('Invoices in euros')
  await inspect(reader, 'landing-four-plans')
  await card.getByRole('button', { name: 'Get Started' }).click()
  await expect(reader.getByText('€90.00').first()).toBeVisible()
  await payWith(reader, cards.works)
  await expect(reader).toHaveURL(/\/portal\/weekly-drops$/)
  await reader.goto('/account/billing')
  await expect(reader.getByRole('main')).toContainText('Europe Yearly, €90 per year')
  await expect(reader.getByRole('main')).toContainText('You pay in EUR, and our other plans are in USD')

  await page.getByRole('button', { name: 'Retire Europe Yearly' }).click()
  await page.getByRole('button', { name: 'Retire plan' }).click()
  await expect(row).toContainText('Retired')
  await expect(row).toContainText('1 member')
  await reader.reload()
  await expect(reader.getByRole('main')).toContainText('Europe Yearly, €90 per year')
  await context.close()
})
