import { inspect } from './support/inspect.ts'
import { buy } from './support/stripe-sandbox.ts'
import { expect, test, toast } from './support/test.ts'

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
