import { demoEmail, demoPassword, newEmail, newPassword, signIn } from './support/accounts.ts'
import { codeIn, waitForEmail } from './support/emails.ts'
import { inspect, inspectState } from './support/inspect.ts'
import { expect, test, toast } from './support/test.ts'

test.describe.configure({ timeout: 180_000 })

test('The publisher makes a gift link, a new reader signs up from it and has access without a card', async ({
  page,
  browser,
  baseURL,
  login,
  request,
}) => {
  // A fresh session, because creating a link requires a recent sign-in.
  await login(await signIn(baseURL ?? '', demoEmail('admin'), demoPassword))
  await page.goto('/admin/money/gifts')
  const note = `Fair ${crypto.randomUUID().slice(0, 8)}`
  await page.getByRole('button', { name: 'Create gift link' }).click()
  const form = page.getByRole('form', { name: 'Create gift link' })
  await form.getByLabel('Note').fill(note)
  await form.getByLabel('Months of access').fill('3')
  await form.getByLabel('Number of people').fill('1')
  await form.getByLabel('Last day').fill(new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10))
  await inspectState(page, 'gift-link-form')
  await form.getByRole('button', { name: 'Create gift link' }).click()
  const made = page.getByRole('status').filter({ hasText: 'The link is ready' })
  const link = /https?:\S+#gift=[\w-]+/.exec(await made.innerText())?.[0] ?? ''
  const row = page.getByRole('list', { name: 'Gift links' }).getByRole('listitem').filter({ hasText: note })
  await expect(row).toContainText('0 of 1 claimed')

  const context = await browser.newContext({ baseURL, viewport: { width: 360, height: 780 } })
  const reader = await context.newPage()
  const email = newEmail()
  await reader.goto(link)
  await expect(reader.getByText('We’re giving you 3 months')).toBeVisible()
  await inspect(reader, 'gift-link-visitor')
  await reader.getByRole('link', { name: 'Create an account' }).click()
  await reader.getByLabel('Email').fill(email)
  await reader.getByLabel('Password', { exact: true }).fill(newPassword)
  await reader.getByRole('button', { name: 'Sign Up', exact: true }).click()
  await reader.getByRole('checkbox', { name: 'Operations' }).check()
  await reader.getByRole('button', { name: 'Continue' }).click()
  await reader.getByRole('radio', { name: 'Beginner' }).check()
  await reader.getByRole('button', { name: 'Continue' }).click()
  await reader.getByRole('button', { name: 'Finish' }).click()

  // Back at the link, which is for confirmed addresses.
  await reader.getByRole('button', { name: 'Claim your gift' }).click()
  await expect(reader.getByRole('alert').filter({ hasText: 'Confirm your email address first' })).toBeVisible()
  await inspectState(reader, 'gift-link-unconfirmed')
  await reader.getByRole('link', { name: 'Enter the code' }).click()
  await reader.getByLabel('Code from the email').fill(codeIn(await waitForEmail(request, email, /Confirm your email/)))
  await reader.getByRole('button', { name: 'Claim your gift' }).click()
  await expect(reader.getByRole('main').getByRole('status')).toContainText('Everything is open to you until')
  await waitForEmail(request, email, /is open to you until/)
  await reader.goto('/account/billing')
  await expect(reader.getByText('Your gift gives you full access until')).toBeVisible()

  await page.reload()
  await expect(row).toContainText('1 of 1 claimed')
  await expect(row).toContainText('All claimed')
  await row.getByRole('button', { name: `Show people who used the link for ${note}` }).click()
  await expect(row.getByRole('link', { name: email })).toBeVisible()
  await inspectState(page, 'gift-links')
  await row.getByRole('button', { name: `Retire the link for ${note}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Retire link' }).click()
  await expect(toast(page, 'Link retired')).toBeVisible()
  await expect(row).toContainText('Retired')

  const other = await browser.newPage({ baseURL })
  await other.goto(link)
  await expect(other.getByRole('main').getByRole('status')).toContainText('This gift link has ended')
  await other.close()
  await context.close()
})
