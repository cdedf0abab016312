import type { Page } from '@playwright/test'
import { newEmail, newPassword, sessionKey, signIn } from './support/accounts.ts'
import { addTotp, totpCode } from './support/factors.ts'
import { inspect } from './support/inspect.ts'
import { codeIn, confirmAddress, linkIn, mailsTo, waitForMail } from './support/mail.ts'
import { expect, test, toast, toasts } from './support/test.ts'

const subject = /new password/
const fresh = 'seven chairs by a window'

const askForMail = async (page: Page, email: string) => {
  await page.goto('/auth')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Forgot your password?')
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await page.getByRole('button', { name: 'Send the mail' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Look at your mail')
}

const choosePassword = async (page: Page) => {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Choose a new password')
  await page.getByLabel('New password').fill(fresh)
  await page.getByRole('button', { name: 'Save new password' }).click()
  await expect(toast(page, 'Your new password is set.')).toContainText('Other devices have been signed out.')
}

test('A forgotten password is replaced by way of the link in the mail, and other devices are signed out', async ({
  page,
  signUp,
  request,
  baseURL,
}) => {
  const { email, session } = await signUp()
  await askForMail(page, email)
  await page.goto(linkIn(await waitForMail(request, email, subject)))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL('/reset-password')
  // Going back must not find the tokens that the link brought.
  expect(await page.evaluate(() => window.location.href)).not.toContain('token')
  await choosePassword(page)
  // Without a subscription the portal leads to the plans.
  await expect(page).toHaveURL('/')

  expect((await signIn(baseURL ?? '', email, fresh)).email).toBe(email)
  const elsewhere = await request.get('/auth/v1/user', { headers: { Authorization: `Bearer ${session.access_token}` } })
  expect(elsewhere.status()).toBe(403)
})

test('A forgotten password is replaced by way of the code in the mail', async ({ page, signUp, request, baseURL }) => {
  const { email } = await signUp()
  await askForMail(page, email)
  const code = codeIn(await waitForMail(request, email, subject))
  const field = page.getByLabel('Code from the mail')
  await expect(field).toBeFocused()

  await field.fill(code === '111111' ? '222222' : '111111')
  await expect(page.getByRole('alert').filter({ hasText: 'That code is wrong' })).toBeVisible()
  await expect(field).toHaveValue('')
  // Pasted as mail programs show it; nobody has to press a button.
  await field.fill(`${code.slice(0, 3)} ${code.slice(3)}`)
  await expect(page).toHaveURL('/reset-password')
  await choosePassword(page)
  expect((await signIn(baseURL ?? '', email, fresh)).email).toBe(email)
})

test('A stranger is told the same as a reader, and gets no mail', async ({ page, request }) => {
  const stranger = newEmail()
  await askForMail(page, stranger)
  await expect(page.getByText(`If ${stranger} has an account here`)).toBeVisible()
  await expect(page.getByRole('button', { name: /^Send another in \d+ s$/ })).toBeDisabled()
  expect(await mailsTo(request, stranger)).toEqual([])
})

test('Another mail can be asked for after a minute, and the button counts it down', async ({
  page,
  signUp,
  request,
}) => {
  await page.clock.install()
  const { email } = await signUp()
  await askForMail(page, email)
  await waitForMail(request, email, subject)
  const button = page.getByRole('button', { name: /^Send another/ })
  await page.clock.fastForward(20_000)
  await expect(button).toHaveText(/^Send another in (39|40) s$/)
  // Only this page's clock has moved on: the server, asked too early, says how long it really takes.
  await page.clock.fastForward(41_000)
  await expect(button).toHaveText('Send another')
  await button.click()
  await expect(button).toHaveText(/^Send another in \d+ s$/)
})

test('A new password does not step around the second step', async ({ page, signUp, request, baseURL }) => {
  const { account, secret } = await addTotp(request, await signUp())
  await askForMail(page, account.email)
  await page.goto(linkIn(await waitForMail(request, account.email, subject)))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('One more step')
  await page.goto('/reset-password')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('One more step')
  await page.getByLabel('Authenticator code').fill(totpCode(secret, 1))
  await choosePassword(page)
  expect((await signIn(baseURL ?? '', account.email, fresh)).email).toBe(account.email)
})

test('A password that was just in use is refused beside the field', async ({ page, signUp, request }) => {
  const { email } = await signUp()
  await confirmAddress(request, email)
  await askForMail(page, email)
  await page.getByLabel('Code from the mail').fill(codeIn(await waitForMail(request, email, subject)))
  await page.getByLabel('New password').fill(newPassword)
  await page.getByRole('button', { name: 'Save new password' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'should be different' })).toBeVisible()
})

test('Without a mail the page says how to get one', async ({ page }) => {
  await page.goto('/reset-password')
  await page.getByRole('link', { name: 'Ask for that mail' }).click()
  await expect(page).toHaveURL('/auth/forgot')
})

test('A link for a new password that works no more says so and leads to another mail', async ({
  page,
  signUp,
  request,
}) => {
  const { email } = await signUp()
  await askForMail(page, email)
  const mail = await waitForMail(request, email, subject)
  await page.getByLabel('Code from the mail').fill(codeIn(mail))
  await expect(page).toHaveURL('/reset-password')
  await page.evaluate((key) => localStorage.removeItem(key), sessionKey)
  await page.goto(linkIn(mail))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link no longer works')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link no longer works')
  await page.getByRole('link', { name: 'Ask for a new one' }).click()
  await expect(page).toHaveURL('/auth/forgot')
})

test('Accessible, and in one piece at every width: the pages of a forgotten password', async ({
  page,
  signUp,
  request,
}) => {
  const { email } = await signUp()
  await page.goto('/auth/forgot')
  await inspect(page, 'forgotten-password')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send the mail' }).click()
  await expect(page.getByLabel('Code from the mail')).toBeVisible()
  await inspect(page, 'forgotten-password-code')
  await page.getByLabel('Code from the mail').fill(codeIn(await waitForMail(request, email, subject)))
  await page.getByLabel('New password').fill('password1')
  await expect(page.getByText('Easy to guess')).toBeVisible()
  await expect(toasts(page)).toHaveCount(0)
  await inspect(page, 'reset-password')
  await page.goto('/#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link no longer works')
  await inspect(page, 'expired-link')
})
