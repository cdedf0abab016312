import { cards, payWith } from './support/checkout.ts'
import { waitForEmail } from './support/emails.ts'
import { inspect } from './support/inspect.ts'
import { test } from './support/own-server.ts'
import { expect, toast } from './support/test.ts'

test.describe.configure({ timeout: 240_000 })
test.use({ trialDays: '0' })

test('A buyer agrees to the terms, pays, and withdraws signed out in two steps, with a receipt', async ({
  page,
  browser,
  baseURL,
  admin,
  login,
  signUp,
  request,
}) => {
  const owner = await admin()
  await login(owner)
  await page.goto('/admin/money/cancellations')
  await expect(page.getByText('No one has withdrawn from a purchase yet.')).toBeVisible()
  await page.goto('/admin/settings/legal')
  await inspect(page, 'admin-settings-legal')
  await page.getByLabel('Withdrawal within 14 days').selectOption('prorated')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(toast(page, 'Settings saved')).toBeVisible()

  const account = await signUp()
  await login(account)
  await expect(async () => {
    await page.goto('/')
    await expect(page.getByRole('link', { name: 'Withdraw from contract here' })).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await page.getByRole('article', { name: 'Pro Monthly' }).getByRole('button').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Before you pay' })).toBeVisible()
  await inspect(page, 'checkout-terms')
  const next = page.getByRole('button', { name: 'Continue to checkout' })
  await page.getByRole('checkbox', { name: /^I agree that my plan renews/ }).check()
  await expect(next).toBeDisabled()
  await page.getByRole('checkbox', { name: /^I want access right away/ }).check()
  await next.click()
  await payWith(page, cards.works)
  await page.waitForURL(/portal|onboarding|billing/)
  await page.goto('/account/billing')
  await expect(page.getByRole('region', { name: 'Cancel your plan' })).toContainText('Withdraw from contract here')

  const context = await browser.newContext({ baseURL })
  const visitor = await context.newPage()
  await visitor.goto('/')
  await visitor.getByRole('link', { name: 'Withdraw from contract here' }).click()
  await inspect(visitor, 'withdraw')
  await visitor.getByLabel('Your name').fill('Robin Reader')
  await visitor.getByLabel('The email you bought with').fill(account.email)
  await visitor.getByRole('button', { name: 'Continue' }).click()
  await expect(visitor.getByRole('status')).toContainText('We’ve received your declaration')
  const email = await waitForEmail(request, account.email, /Confirm your withdrawal/)
  const link = /\S+\/withdraw\/confirm\?token=\S+/.exec(email.text)?.[0] ?? ''
  await visitor.goto(link)
  await expect(visitor.getByRole('heading', { name: 'Pro Monthly' })).toBeVisible()
  await inspect(visitor, 'withdraw-confirm')
  await visitor.getByRole('button', { name: 'Confirm withdrawal' }).click()
  await expect(visitor.getByRole('status')).toContainText('You withdrew from Pro Monthly')
  await inspect(visitor, 'withdraw-done')
  await waitForEmail(request, account.email, /Receipt of your withdrawal/)
  await context.close()

  await page.reload()
  await expect(page.getByRole('region', { name: 'Your plan', exact: true })).toContainText('Your plan has ended')

  await login(owner)
  await page.goto('/admin/money/cancellations')
  const withdrawals = page.getByRole('list', { name: 'Withdrawals' })
  await expect(withdrawals.getByRole('listitem')).toContainText(['Pro Monthly$10.00 refunded'])
  await inspect(page, 'admin-withdrawals')
  await withdrawals.getByRole('link', { name: account.email }).click()
  await expect(page).toHaveURL(/\/admin\/members\//)
})
