import { callAs } from './support/accounts.ts'
import { cards, payWith, startCheckout } from './support/checkout.ts'
import { checkOverflow } from './support/inspect.ts'
import { openControlPage, stripeOf, travel } from './support/stripe-sandbox.ts'
import { briefly, expect, loadUntil, test, toast } from './support/test.ts'

test('A bank that requires authentication asks at checkout and at renewal, and nothing is charged without it', async ({
  page,
  request,
  signUp,
  login,
  baseURL,
}) => {
  const account = await signUp()
  await login(account)
  await startCheckout(page, 'pro_monthly')
  await payWith(page, cards.authenticates)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Authenticate payment')
  await expect(page.getByRole('main')).toContainText('a payment of $10.00')
  await checkOverflow(page, 'stripe-authenticate', ['light'])
  await page.getByRole('button', { name: 'Fail' }).click()
  await expect(page.getByRole('alert')).toContainText('unable to authenticate')
  expect(await callAs(request, account, 'check-subscription', { refresh: true })).toMatchObject({ subscribed: false })
  await checkOverflow(page, 'stripe-checkout-refused', ['light'])

  await payWith(page, cards.authenticates)
  await page.getByRole('button', { name: 'Complete' }).click()
  await expect(page).toHaveURL('/portal/weekly-drops')

  // No one confirms the payment when the plan renews.
  const room = await openControlPage(page, baseURL ?? '', account.email)
  await travel(room, 'To the next renewal')
  await room.close()
  const failed = page.getByRole('region', { name: 'Payment failed' })
  await loadUntil(page, '/account/billing', () => expect(failed).toBeVisible(briefly))
  await failed.getByRole('button', { name: 'Pay $10.00 now' }).click()
  await expect(toast(page, 'Your payment failed')).toContainText('Your bank wants you to confirm')

  const [invoice] = await Promise.all([
    page.context().waitForEvent('page'),
    failed.getByRole('link', { name: 'pay the invoice online' }).click(),
  ])
  await expect(invoice.getByRole('main')).toContainText('Open: not paid yet')
  await checkOverflow(invoice, 'stripe-invoice-open', ['light'])
  await payWith(invoice, cards.authenticates)
  await invoice.getByRole('button', { name: 'Complete' }).click()
  await expect(invoice.getByRole('main')).toContainText('Paid')
  await checkOverflow(invoice, 'stripe-invoice-paid', ['light'])
  await invoice.close()
  const plan = page.getByRole('region', { name: 'Your plan', exact: true })
  await loadUntil(page, '/account/billing', () => expect(plan).toContainText('renews automatically', briefly))
})

test('A promotion code lowers the price, and the billing page shows for how long', async ({
  page,
  signUp,
  login,
  baseURL,
}) => {
  const stripe = stripeOf(baseURL ?? '')
  const coupon = await stripe.coupons.create({ percent_off: 20, duration: 'repeating', duration_in_months: 3 })
  const code = `SPRING${Date.now().toString(36).toUpperCase()}`
  await stripe.promotionCodes.create({ code, promotion: { type: 'coupon', coupon: coupon.id } })

  await login(await signUp())
  await startCheckout(page, 'pro_monthly')
  await page.getByLabel('Promotion code').fill('NOTHING')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByRole('alert')).toHaveText('This promotion code is invalid.')
  await page.getByLabel('Promotion code').fill(code)
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByRole('main')).toContainText(`Discount (${code})`)
  await expect(page.getByRole('button', { name: 'Pay $8.00' })).toBeVisible()
  await checkOverflow(page, 'stripe-checkout-promotion', ['light'])
  await payWith(page, cards.works)
  await expect(page).toHaveURL('/portal/weekly-drops')

  await page.goto('/account/billing')
  const planSection = page.getByRole('region', { name: 'Your plan', exact: true })
  await expect(planSection).toContainText(new RegExp(`${code}: 20% off until \\w+ \\d+, \\d{4}`))
  await expect(planSection).toContainText(/\$8\.00 on \w+ \d+, \d{4}/)
  await expect(page.getByRole('list', { name: 'Invoices' })).toContainText('$8.00')
  await checkOverflow(page, 'account-billing-promotion')
})
