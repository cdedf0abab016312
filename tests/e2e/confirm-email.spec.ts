import type { Page } from '@playwright/test'
import { newEmail, newPassword } from './support/accounts.ts'
import { codeIn, linkIn, waitForEmail } from './support/emails.ts'
import { inspect } from './support/inspect.ts'
import { answerWithBareUser } from './support/refuse.ts'
import { expect, test, toast, toasts } from './support/test.ts'

const subject = /Confirm your email address/
const confirmBanner = (page: Page) => page.getByRole('region', { name: 'Confirm your email' })

test('An unconfirmed user is asked to confirm, and the code from the email does so', async ({
  page,
  signUp,
  login,
  request,
}) => {
  const account = await signUp()
  await login(account)
  await page.goto('/account/preferences')
  await expect(confirmBanner(page)).toContainText('Confirm your email address')
  await confirmBanner(page).getByRole('link', { name: 'Enter code' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confirm your email')
  await page.getByLabel('Code from the email').fill(codeIn(await waitForEmail(request, account.email, subject)))
  await expect(toast(page, 'Your email is confirmed.')).toBeVisible()
  await page.goto('/account/preferences')
  await expect(page.getByRole('button', { name: 'Save preferences' })).toBeVisible()
  await expect(confirmBanner(page)).toHaveCount(0)
})

test('The link in the email confirms in another tab', async ({ page, context, request }) => {
  const email = newEmail()
  await signUpOnPage(page, email)
  await page.goto('/account/preferences')
  await expect(confirmBanner(page)).toBeVisible()
  const second = await context.newPage()
  await second.goto(linkIn(await waitForEmail(request, email, subject)))
  await second.getByRole('button', { name: 'Confirm my email' }).click()
  // Onboarding continues in the tab of the link.
  await expect(second.getByText('Step 1 of 3')).toBeVisible()
  await expect(confirmBanner(page)).toHaveCount(0)
})

test('In another browser the link asks who signed up, and starting fresh signs the first browser out', async ({
  page,
  browser,
  request,
}) => {
  const email = newEmail()
  await signUpOnPage(page, email)
  const elsewhere = await browser.newPage()
  await elsewhere.goto(linkIn(await waitForEmail(request, email, subject)))
  await expect(elsewhere.getByText('Did you create this account yourself?')).toBeVisible()
  await expect(elsewhere.getByRole('button', { name: 'Yes, keep my password' })).toBeVisible()
  await elsewhere.getByRole('button', { name: 'No, start fresh' }).click()
  await expect(elsewhere.getByText('Step 1 of 3')).toBeVisible()
  await page.goto('/account/preferences')
  await expect(page).toHaveURL(/\/auth/)
  await elsewhere.close()
})

async function signUpOnPage(page: Page, email: string) {
  await page.goto('/auth?mode=sign-up')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(newPassword)
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
  await expect(page.getByText('Step 1 of 3')).toBeVisible()
}

test('After confirming by code on the same device, the list of devices shows only this one', async ({
  page,
  request,
}) => {
  const email = newEmail()
  await signUpOnPage(page, email)
  await page.goto('/auth/confirm')
  await page.getByLabel('Code from the email').fill(codeIn(await waitForEmail(request, email, subject)))
  await expect(toast(page, 'Your email is confirmed.')).toBeVisible()
  await page.goto('/account/security')
  const devices = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
  await expect(devices).toHaveCount(1)
  await expect(devices).toContainText('This device')
})

test('The email can be resent once a minute', async ({ page, signUp, login }) => {
  await login(await signUp())
  await page.goto('/account/preferences')
  const button = confirmBanner(page).getByRole('button', { name: /^Resend email/ })
  // The sign-up email was just sent, so the server rejects the click and the page starts the countdown.
  await button.click()
  await expect(button).toHaveText(/^Resend email in \d+ s$/)
  await expect(button).toBeDisabled()
})

test('A device picks up a confirmation from another one', async ({ page, signUp, login, request }) => {
  const account = await signUp()
  await login(account)
  const token = codeIn(await waitForEmail(request, account.email, subject))
  await request.post('/auth/v1/verify', { data: { type: 'signup', email: account.email, token } })
  await page.goto('/auth/confirm')
  await expect(page).toHaveURL('/')
})

test.describe('If the email has to be confirmed before the first session', () => {
  test('the code from the email starts the session, and the three steps follow', async ({ page, request }) => {
    const email = newEmail()
    await page.route('**/auth/v1/signup**', answerWithBareUser)
    await page.goto('/auth?mode=sign-up')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(newPassword)
    await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confirm your email')
    await expect(page.getByText(`We sent an email to ${email}`)).toBeVisible()
    await inspect(page, 'confirm-sign-up')

    await page.getByLabel('Code from the email').fill(codeIn(await waitForEmail(request, email, subject)))
    await expect(toast(page, 'Account created!')).toBeVisible()
    await expect(page.getByText('Step 1 of 3')).toBeVisible()
  })
})

test('An expired link offers to resend the confirmation to a signed-in user', async ({ page, signUp, login }) => {
  await login(await signUp())
  await page.goto(
    '/portal#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb=',
  )
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link no longer works')
  await expect(page.getByRole('button', { name: 'Resend confirmation email' })).toBeVisible()
})

test('A sign-up by a bot that fills in every field starts no session', async ({ page }) => {
  await page.goto('/auth?mode=sign-up')
  await page.getByLabel('Email').fill(newEmail())
  await page.getByLabel('Password', { exact: true }).fill(newPassword)
  await page.locator('input[name=note_to_editor]').fill('https://example.com', { force: true })
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confirm your email')
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.endsWith('auth-token')))).toEqual([])
})

test('The sign-up form solves the proof of work that the server requires', async ({ page }) => {
  const challenge = 'a-task-of-the-server'
  await page.route('**/functions/v1/sign-up-rules', (route) =>
    route.fulfill({
      json: { open: true, passwordMinLength: 8, refuseWeakPasswords: false, proofOfWork: { challenge, bits: 12 } },
    }),
  )
  await page.goto('/auth?mode=sign-up')
  await expect(page.getByText('At least 8 characters.')).toBeVisible()
  await page.getByLabel('Email').fill(newEmail())
  await page.getByLabel('Password', { exact: true }).fill(newPassword)
  const asked = page.waitForRequest('**/auth/v1/signup**')
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
  const { gotrue_meta_security: proof } = (await asked).postDataJSON() as {
    gotrue_meta_security: { captcha_token: string }
  }
  expect(proof.captcha_token).toMatch(/^a-task-of-the-server:[0-9a-z]+$/)
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(proof.captcha_token))
  expect(new DataView(digest).getUint16(0) >> 4).toBe(0)
})

test('Closed sign-ups show a message and still let users sign in', async ({ page }) => {
  await page.route('**/functions/v1/sign-up-rules', (route) =>
    route.fulfill({ json: { open: false, passwordMinLength: 6, refuseWeakPasswords: false, proofOfWork: null } }),
  )
  await page.goto('/auth?mode=sign-up')
  await expect(page.getByText('Sign-ups are closed right now.')).toBeVisible()
  await page.getByRole('button', { name: 'Already have an account? Sign in' }).click()
  await expect(page.getByLabel('Email')).toBeVisible()
})

test('Accessible and without overflow at every width: the pages for an unconfirmed email', async ({
  page,
  signUp,
  login,
}) => {
  await login(await signUp())
  await page.goto('/account/preferences')
  await expect(confirmBanner(page)).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await inspect(page, 'unconfirmed-email')
  await page.goto('/auth/confirm')
  await expect(page.getByLabel('Code from the email')).toBeVisible()
  await expect(toasts(page)).toHaveCount(0)
  await inspect(page, 'confirm-email')
})
