import type { Page } from '@playwright/test'
import { newEmail, newPassword, signIn } from './support/accounts.ts'
import { codeIn, confirmAddress, mailsTo, waitForMail } from './support/mail.ts'
import { expect, test, toast } from './support/test.ts'

const askFor = async (page: Page, email: string) => {
  await page.goto('/account/profile')
  await page.getByRole('button', { name: 'Change address' }).click()
  const form = page.getByRole('region', { name: 'Change address' })
  await form.getByLabel('New address').fill(email)
  await form.getByRole('button', { name: 'Change address' }).click()
}
const pending = (page: Page) => page.getByRole('region', { name: 'Address to be confirmed' })
const code = (page: Page, mailbox: string) => pending(page).getByLabel(`Code sent to ${mailbox}`)

test('A new address waits for both mailboxes, by typed codes in any order', async ({
  page,
  request,
  baseURL,
  signUp,
  login,
}) => {
  const account = await signUp()
  await confirmAddress(request, account.email)
  const wanted = newEmail()
  await login(account)
  await askFor(page, wanted)
  await expect(pending(page)).toContainText(`Waiting for ${wanted}`)
  await expect(page.getByText(account.email, { exact: true })).toBeVisible()
  await page.reload()
  await expect(pending(page)).toContainText(`Waiting for ${wanted}`)

  const fromOld = codeIn(await waitForMail(request, account.email, /change of your address/))
  const fromNew = codeIn(await waitForMail(request, wanted, /new address/))
  await code(page, account.email).fill(fromOld)
  await expect(pending(page)).toContainText(`${account.email} has confirmed.`)
  expect((await signIn(baseURL ?? '', account.email, newPassword)).session.user.email).toBe(account.email)

  await code(page, wanted).fill(fromNew === '000000' ? '000001' : '000000')
  await expect(
    pending(page).getByRole('alert').filter({ hasText: 'That code is wrong or no longer valid' }),
  ).toBeVisible()
  await code(page, wanted).fill(fromNew)
  await expect(toast(page, 'Your address is changed')).toBeVisible()
  await expect(pending(page)).toHaveCount(0)
  await expect(page.getByText(wanted, { exact: true }).first()).toBeVisible()
  await signIn(baseURL ?? '', wanted, newPassword)
})

test('An address that was never confirmed has no say in its change', async ({ page, request, signUp, login }) => {
  const account = await signUp()
  const wanted = newEmail()
  await login(account)
  await page.goto('/account/profile')
  await expect(page.getByText('Not confirmed yet')).toBeVisible()
  await askFor(page, wanted)
  await expect(code(page, wanted)).toBeVisible()
  await expect(code(page, account.email)).toHaveCount(0)
  await code(page, wanted).fill(codeIn(await waitForMail(request, wanted, /new address/)))
  await expect(toast(page, 'Your address is changed')).toBeVisible()
  await expect(page.getByText('Confirmed', { exact: true })).toBeVisible()
})

test('Mail that did not come is sent again, and not twice at once', async ({ page, request, signUp, login }) => {
  const account = await signUp()
  const wanted = newEmail()
  await login(account)
  await askFor(page, wanted)
  await waitForMail(request, wanted, /new address/)
  await pending(page).getByRole('button', { name: 'Send the mail again' }).click()
  await expect(pending(page).getByRole('button', { name: /^Send the mail again in \d+ s$/ })).toBeDisabled()
  expect((await mailsTo(request, wanted)).length).toBeLessThanOrEqual(2)
})

test('An address that belongs to somebody else is refused in the form', async ({ page, signUp, login }) => {
  const other = await signUp()
  await login(await signUp())
  await askFor(page, other.email)
  await expect(page.getByRole('region', { name: 'Change address' }).getByRole('alert')).toContainText('already')
})

test('The profile tells since when and under which number the account is', async ({ page, signUp, login }) => {
  const account = await signUp()
  await login(account)
  await page.goto('/account')
  await expect(page).toHaveURL('/account/profile')
  await expect(page.getByRole('main')).toContainText(account.session.user.id)
  await expect(page.getByRole('main').getByText('Member since')).toBeVisible()
  const pages = page.getByRole('navigation', { name: 'Account pages' }).getByRole('link')
  await expect(pages).toHaveText(['Profile', 'Preferences', 'Mail', 'Security', 'Billing', 'Data'])
})
