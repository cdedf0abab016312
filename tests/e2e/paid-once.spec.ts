import { demoEmail, demoPassword, signIn, storageOf } from './support/accounts.ts'
import { cards, payWith } from './support/checkout.ts'
import { inspect } from './support/inspect.ts'
import { expect, test } from './support/test.ts'

test.describe.configure({ timeout: 180_000 })

test('An owner sells access for good at an amount that buyers choose; a visitor pays once and sees no renewal, and the owner refunds it', async ({
  page,
  browser,
  baseURL,
  login,
  signUp,
}) => {
  await login(await signIn(baseURL ?? '', demoEmail('admin'), demoPassword))
  await page.goto('/admin/money/plans')
  await page.getByRole('button', { name: 'Create plan' }).click()
  const form = page.getByRole('form', { name: 'Create plan' })
  await form.getByLabel('Name').fill('Lifetime')
  await form.getByLabel('Price', { exact: true }).fill('300')
  await form.getByLabel('Sold as').selectOption('One-time purchase, for good')
  await form.getByLabel('Minimum amount').fill('0.20')
  await form.getByRole('button', { name: 'Create plan' }).click()
  await expect(form.getByText('Enter a minimum amount of at least $0.50')).toBeVisible()
  await form.getByLabel('Minimum amount').fill('100')
  await inspect(page, 'money-plan-form-once')
  await form.getByRole('button', { name: 'Create plan' }).click()
  const row = page.getByRole('list', { name: 'Plans' }).getByRole('listitem').filter({ hasText: 'Lifetime' })
  await expect(row).toContainText('$300 once, 0 members')
  await expect(row).toContainText('access for good')

  const account = await signUp()
  const context = await browser.newContext({ baseURL, storageState: storageOf(account.session, baseURL) })
  const reader = await context.newPage()
  const card = reader.getByRole('article', { name: 'Lifetime' })
  // The landing page is rendered again within a second or two.
  await expect(async () => {
    await reader.goto('/')
    await expect(card).toContainText('$300', { timeout: 1_000 })
  }).toPass()
  await expect(card).toContainText('You choose, from $100. Access for good')
  await inspect(reader, 'landing-paid-once')
  await card.getByRole('button', { name: 'Get Started' }).click()
  const amount = reader.getByLabel('Amount in USD')
  await amount.fill('99.99')
  await expect(reader.getByText('Enter an amount from $100')).toBeVisible()
  await amount.fill('120')
  await expect(reader.getByText('$120 once, access for good')).toBeVisible()
  await inspect(reader, 'amount-chooser')
  await reader.getByRole('button', { name: 'Continue to checkout' }).click()
  await expect(reader.getByText('$120.00').first()).toBeVisible()
  await payWith(reader, cards.works)
  await expect(reader).toHaveURL(/\/account\/billing\?bought=/)
  await expect(reader.getByRole('main')).toContainText('You have full access for good')
  await expect(reader.getByRole('list', { name: 'One-time purchases' })).toContainText('$120.00')
  await inspect(reader, 'billing-paid-once')
  await reader.goto('/')
  await expect(card.getByRole('button', { name: 'You have access for good' })).toBeDisabled()
  await context.close()

  await page.goto(`/admin/members/${account.session.user.id}`)
  const list = page.getByRole('list', { name: 'One-time purchases' })
  await list.getByRole('button', { name: 'Refund' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Refund' }).click()
  await expect(list).toContainText('Refunded')
  await page.goto('/admin/money/plans')
  await page.getByRole('button', { name: 'Retire Lifetime' }).click()
  await page.getByRole('button', { name: 'Retire plan' }).click()
  await expect(row).toContainText('Retired')
})
