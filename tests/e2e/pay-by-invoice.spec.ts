import { storageOf } from './support/accounts.ts'
import { axeViolations } from './support/axe.ts'
import { inspect } from './support/inspect.ts'
import { test as testAlone } from './support/own-server.ts'
import { buy, openControlPage, travel } from './support/stripe-sandbox.ts'
import { expect, test, toast } from './support/test.ts'

testAlone(
  'A company pays by invoice: access at once, a bank debit that takes days, and the invoice is paid',
  async ({ page, browser, baseURL, login, signUpConfirmed, admin }) => {
    await login(await admin())
    await page.goto('/admin/money/plans')
    const settings = page.getByRole('form', { name: 'Tax and invoice settings' })
    await settings.getByLabel('Companies can pay team plans by invoice').check()
    await settings.getByLabel('Days to pay').fill('14')
    await settings.getByRole('button', { name: 'Save settings' }).click()
    await expect(toast(page, 'Settings saved')).toBeVisible()
    await inspect(page, 'money-plans-invoices')

    const account = await signUpConfirmed()
    const context = await browser.newContext({ baseURL, storageState: storageOf(account.session, baseURL) })
    const buyer = await context.newPage()
    await expect(async () => {
      await buyer.goto('/checkout/team_monthly')
      await buyer.getByRole('button', { name: 'Pay by invoice' }).click({ timeout: 2_000 })
    }).toPass()
    await expect(buyer.getByText('you have 14 days to pay it')).toBeVisible()
    await inspect(buyer, 'pay-by-invoice')
    await buyer.getByLabel('Company name').fill('Fern Cafe LLC')
    await buyer.getByRole('button', { name: 'Send the invoice' }).dblclick()
    await expect(buyer).toHaveURL('/account/billing')
    const plan = buyer.getByRole('region', { name: 'Your plan', exact: true })
    await expect(plan).toContainText(/\$20\.00, due \w+ \d+, \d{4}/)
    await inspect(buyer, 'billing-invoice-due')

    const [invoice] = await Promise.all([
      context.waitForEvent('page'),
      plan.getByRole('link', { name: 'Pay by card or bank' }).click(),
    ])
    await expect(invoice.getByText('Billed to Fern Cafe LLC')).toBeVisible()
    expect(await axeViolations(invoice)).toEqual([])
    await invoice.getByRole('button', { name: /Account that pays/ }).click()
    await expect(invoice.getByRole('status')).toContainText('Payment processing')

    await buyer.reload()
    await expect(plan).toContainText('your bank’s payment is on its way')
    await expect(buyer.getByRole('list', { name: 'Invoices' })).toContainText('Payment processing')
    await expect(buyer.getByRole('link', { name: /^Pay/ })).toHaveCount(0)
    const control = await openControlPage(buyer, baseURL ?? '', account.email)
    await travel(control, { days: 5 })
    await expect(async () => {
      await buyer.reload()
      await expect(plan).toContainText('Nothing is due', { timeout: 2_000 })
    }).toPass()
    await expect(buyer.getByRole('list', { name: 'Invoices' })).toContainText('Paid')
    await buyer.goto('/portal')
    await expect(buyer.getByRole('heading', { level: 1, name: 'Weekly Drops' })).toBeVisible()
    await context.close()
  },
)

test('Company, PO number and tax ID are added on the billing page; a wrong tax ID is said at its field', async ({
  page,
  request,
  login,
  signUp,
}) => {
  const account = await signUp()
  await buy(request, account, 'team_monthly')
  await login(account)
  await page.goto('/account/billing')
  const details = page.getByRole('region', { name: 'Invoice details' })
  await details.getByRole('button', { name: 'Add invoice details' }).click()
  await details.getByLabel('Company name').fill('Fern Cafe LLC')
  await details.getByLabel('PO number').fill('PO-2027-7')
  await details.getByLabel('Country and type of tax ID').selectOption('European Union: VAT')
  const taxId = details.getByLabel('Tax ID', { exact: true })
  await taxId.fill('12')
  await details.getByRole('button', { name: 'Save details' }).click()
  await expect(taxId).toHaveAccessibleDescription(/Stripe doesn’t accept this number for European Union: VAT/)
  await inspect(page, 'invoice-details-form')
  await taxId.fill('DE000000000')
  await details.getByRole('button', { name: 'Save details' }).click()
  await expect(toast(page, 'Invoice details saved')).toBeVisible()
  await expect(details).toContainText('PO-2027-7')
  await inspect(page, 'invoice-details')
})
