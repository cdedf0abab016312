import type { Page } from '@playwright/test'
import { newEmail, newPassword, signIn } from './support/accounts.ts'
import { codeIn, confirmEmail, emailsTo, waitForEmail } from './support/emails.ts'
import { expect, test, toast } from './support/test.ts'

const askFor = async (page: Page, email: string) => {
  await page.goto('/account/profile')
  await page.getByRole('button', { name: 'Change email' }).click()
  const form = page.getByRole('region', { name: 'Change email' })
  await form.getByLabel('New email').fill(email)
  await form.getByRole('button', { name: 'Change email' }).click()
}
const pending = (page: Page) => page.getByRole('region', { name: 'Pending email change' })
const code = (page: Page, mailbox: string) => pending(page).getByLabel(`Code sent to ${mailbox}`)

test('An email change needs the codes from both addresses, in any order', async ({
  page,
  request,
  baseURL,
  signUp,
  login,
}) => {
  const account = await signUp()
  await confirmEmail(request, account.email)
  const wanted = newEmail()
  await login(account)
  await askFor(page, wanted)
  await expect(pending(page)).toContainText(`Confirm ${wanted}`)
  await expect(page.getByText(account.email, { exact: true })).toBeVisible()
  await page.reload()
  await expect(pending(page)).toContainText(`Confirm ${wanted}`)

  const fromOld = codeIn(await waitForEmail(request, account.email, /email change/))
  const fromNew = codeIn(await waitForEmail(request, wanted, /new email/))
  await code(page, account.email).fill(fromOld)
  await expect(pending(page)).toContainText(`${account.email} is confirmed.`)
  expect((await signIn(baseURL ?? '', account.email, newPassword)).session.user.email).toBe(account.email)

  await code(page, wanted).fill(fromNew === '000000' ? '000001' : '000000')
  await expect(pending(page).getByRole('alert').filter({ hasText: 'That code is wrong or has expired' })).toBeVisible()
  await code(page, wanted).fill(fromNew)
  await expect(toast(page, 'Your email was changed')).toBeVisible()
  await expect(pending(page)).toHaveCount(0)
  await expect(page.getByText(wanted, { exact: true }).first()).toBeVisible()
  await signIn(baseURL ?? '', wanted, newPassword)
})

test('An unconfirmed address doesn’t have to confirm its change', async ({ page, request, signUp, login }) => {
  const account = await signUp()
  const wanted = newEmail()
  await login(account)
  await page.goto('/account/profile')
  await expect(page.getByText('Not confirmed yet')).toBeVisible()
  await askFor(page, wanted)
  await expect(code(page, wanted)).toBeVisible()
  await expect(code(page, account.email)).toHaveCount(0)
  await code(page, wanted).fill(codeIn(await waitForEmail(request, wanted, /new email/)))
  await expect(toast(page, 'Your email was changed')).toBeVisible()
  await expect(page.getByText('Confirmed', { exact: true })).toBeVisible()
})

test('Confirmation emails can be resent, once a minute', async ({ page, request, signUp, login }) => {
  const account = await signUp()
  const wanted = newEmail()
  await login(account)
  await askFor(page, wanted)
  await waitForEmail(request, wanted, /new email/)
  await pending(page)
    .getByRole('button', { name: /^Resend emails?$/ })
    .click()
  await expect(pending(page).getByRole('button', { name: /^Resend emails? in \d+ s$/ })).toBeDisabled()
  expect((await emailsTo(request, wanted)).length).toBeLessThanOrEqual(2)
})

test('The form rejects the address of another account', async ({ page, signUp, login }) => {
  const other = await signUp()
  await login(await signUp())
  await askFor(page, other.email)
  await expect(page.getByRole('region', { name: 'Change email' }).getByRole('alert')).toContainText('already')
})

test('The profile shows the account ID and when the user joined', async ({ page, signUp, login }) => {
  const account = await signUp()
  await login(account)
  await page.goto('/account')
  await expect(page).toHaveURL('/account/profile')
  await expect(page.getByRole('main')).toContainText(account.session.user.id)
  await expect(page.getByRole('main').getByText('Member since')).toBeVisible()
  const pages = page.getByRole('navigation', { name: 'Account pages' }).getByRole('link')
  await expect(pages).toHaveText(['Profile', 'Business', 'Preferences', 'Email', 'Security', 'Billing', 'Data'])
})
