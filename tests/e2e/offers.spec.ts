import type { Browser } from '@playwright/test'
import { demoEmail, demoPassword, newEmail, newPassword, signIn, storageOf } from './support/accounts.ts'
import { cards, payWith } from './support/checkout.ts'
import { inspect, inspectState } from './support/inspect.ts'
import { briefly, expect, loadUntil, test, toast } from './support/test.ts'

test.describe.configure({ timeout: 180_000 })

const phone = { width: 360, height: 780 }

const openPhone = async (browser: Browser, baseURL: string | undefined, session: object | null = null) => {
  const storageState = session ? storageOf(session, baseURL) : undefined
  const context = await browser.newContext({ baseURL, viewport: phone, storageState })
  return { context, page: await context.newPage() }
}

test('An owner makes an offer, and a visitor follows its link, pays the discounted price, and is counted', async ({
  page,
  browser,
  baseURL,
  login,
  signUp,
}) => {
  // A fresh session, because creating offers requires a recent sign-in.
  await login(await signIn(baseURL ?? '', demoEmail('admin'), demoPassword))
  await page.goto('/admin/money/offers')
  await page.getByRole('button', { name: 'Create offer' }).click()
  const form = page.getByRole('form', { name: 'Create offer' })
  await form.getByLabel('Applies to').selectOption('A number of months')
  await form.getByLabel('Team Monthly').click()
  await expect(form.getByLabel('Team Monthly')).not.toBeChecked()
  await form.getByLabel('Percent', { exact: true }).fill('30')
  await expect(form.getByLabel('Code', { exact: true })).toHaveValue(/^SAVE30-/)
  await form.getByLabel('Percent', { exact: true }).fill('20')
  const code = await form.getByLabel('Code', { exact: true }).inputValue()
  expect(code).toMatch(/^SAVE20-[A-Z0-9]{5}$/)
  const preview = form.getByRole('region', { name: 'What visitors will read' })
  await expect(preview).toContainText('$8 a month for the first 3 months, then $10 a month')
  await expect(preview).toContainText('$79.20 for the first year, then $99 a year')
  await inspect(page, 'money-offer-form')
  const created = page.waitForResponse('**/functions/v1/admin-create-offer')
  await form.getByRole('button', { name: 'Create offer' }).click()
  const { link } = await (await created).json()
  await expect(page.getByText(`${code} is ready`)).toBeVisible()
  const row = page.getByRole('list', { name: 'Offers' }).getByRole('listitem').filter({ hasText: code })
  await expect(row).toContainText('Running')

  // Someone with an account opens the link, but doesn't buy yet.
  const undecided = await openPhone(browser, baseURL, (await signUp()).session)
  await undecided.page.goto(link)
  await expect(undecided.page.getByRole('heading', { level: 1 })).toHaveText('20% off for 3 months')

  const visitor = await openPhone(browser, baseURL)
  const reader = visitor.page
  await reader.goto(link.replace(code, code.toLowerCase()))
  const monthly = reader.getByRole('listitem', { name: 'Pro Monthly' })
  await expect(monthly).toContainText('$8 a month for the first 3 months, then $10 a month')
  await expect(reader.getByRole('listitem', { name: 'Team Monthly' })).toContainText('Regular price')
  await inspect(reader, 'offer')
  await reader.setViewportSize(phone)
  await monthly.getByRole('button', { name: 'Get Started' }).click()
  await expect(reader.getByText('You chose Pro Monthly, $8 a month for the first 3 months')).toBeVisible()
  await reader.getByLabel('Email').fill(newEmail())
  await reader.getByLabel('Password', { exact: true }).fill(newPassword)
  await reader.getByRole('button', { name: 'Sign Up', exact: true }).click()
  await expect(reader.getByText('Step 1 of 3')).toBeFocused()
  await reader.getByRole('checkbox', { name: 'Operations' }).click()
  await reader.getByRole('button', { name: 'Continue', exact: true }).click()
  await reader.getByRole('radio', { name: 'Beginner' }).click()
  await reader.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(reader.getByText('Step 3 of 3')).toBeVisible()
  await reader.getByRole('button', { name: 'Continue to checkout' }).click()
  await expect(reader.getByRole('button', { name: /^Pay/ })).toHaveText('Pay $8.00')
  await payWith(reader, cards.works)
  await expect(reader).toHaveURL('/portal/weekly-drops')
  await reader.goto('/account/billing')
  await expect(reader.getByText('20% off')).toBeVisible()
  await reader.goto(link)
  await expect(reader.getByRole('heading', { level: 1 })).toHaveText('You already have a plan')

  await loadUntil(page, '/admin/money/offers', () => expect(row).toContainText('$8.00', briefly))
  await expect(row.getByRole('definition')).toHaveText(['1', '1', '$8.00', '$2.00'])
  await inspect(page, 'money-offers')

  await row.getByRole('button', { name: 'End offer' }).click()
  const ended = page.waitForResponse('**/functions/v1/admin-end-offer')
  await page.getByRole('dialog').getByRole('button', { name: 'End offer' }).click()
  await ended
  await expect(toast(page, 'Offer ended')).toBeVisible()
  await expect(row).toContainText('Ended')

  // The undecided one is told before paying, and decides again.
  const late = undecided.page
  await late.getByRole('listitem', { name: 'Pro Monthly' }).getByRole('button', { name: 'Get Started' }).click()
  await expect(late.getByRole('heading', { level: 1 })).toHaveText('This offer isn’t available anymore')
  await inspectState(late, 'offer-refused')
  await late.setViewportSize(phone)
  await late.getByRole('button', { name: 'Continue at $10 per month' }).click()
  await expect(late.getByRole('button', { name: /^Pay/ })).toHaveText('Pay $10.00')
  await late.goto('/offer/no%20such%20code')
  await expect(late.getByRole('heading', { level: 1 })).toHaveText('This offer isn’t available anymore')
  await late.goto(link)
  await expect(late.getByRole('heading', { level: 1 })).toHaveText('This offer isn’t available anymore')
  await expect(late.getByRole('listitem', { name: 'Pro Monthly' })).toContainText('$10 per month')
  await inspectState(late, 'offer-ended')
  await visitor.context.close()
  await undecided.context.close()
})
