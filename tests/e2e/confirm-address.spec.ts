import type { Page } from '@playwright/test'
import { newEmail, newPassword } from './support/accounts.ts'
import { inspect } from './support/inspect.ts'
import { codeIn, linkIn, waitForMail } from './support/mail.ts'
import { answerWithBareUser } from './support/refuse.ts'
import { expect, test, toast, toasts } from './support/test.ts'

const subject = /Confirm your address/
const strip = (page: Page) => page.getByRole('region', { name: 'Your address' })

test('Whoever has not confirmed their address is asked to, and the code of the mail does it', async ({
  page,
  signUp,
  login,
  request,
}) => {
  const account = await signUp()
  await login(account)
  await page.goto('/account/preferences')
  await expect(strip(page)).toContainText('Please confirm your address')
  await strip(page).getByRole('link', { name: 'Type the code' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confirm your address')
  await page.getByLabel('Code from the mail').fill(codeIn(await waitForMail(request, account.email, subject)))
  await expect(toast(page, 'Thank you. Your address is confirmed.')).toBeVisible()
  await page.goto('/account/preferences')
  await expect(page.getByRole('button', { name: 'Save preferences' })).toBeVisible()
  await expect(strip(page)).toHaveCount(0)
})

test('The link of the mail does it as well, in another tab', async ({ page, context, request }) => {
  const email = newEmail()
  await signUpOnPage(page, email)
  await page.goto('/account/preferences')
  await expect(strip(page)).toBeVisible()
  const second = await context.newPage()
  await second.goto(linkIn(await waitForMail(request, email, subject)))
  await second.getByRole('button', { name: 'Confirm my address' }).click()
  // The questions are still due, and this is the place to answer them.
  await expect(second.getByText('Step 1 of 3')).toBeVisible()
  await expect(strip(page)).toHaveCount(0)
})

test('In another browser the page of the link asks who signed up, and starting fresh signs the first browser out', async ({
  page,
  browser,
  request,
}) => {
  const email = newEmail()
  await signUpOnPage(page, email)
  const elsewhere = await browser.newPage()
  await elsewhere.goto(linkIn(await waitForMail(request, email, subject)))
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

test('After the code is typed into the page that signed up, the list of devices shows this one alone', async ({
  page,
  request,
}) => {
  const email = newEmail()
  await signUpOnPage(page, email)
  await page.goto('/auth/confirm')
  await page.getByLabel('Code from the mail').fill(codeIn(await waitForMail(request, email, subject)))
  await expect(toast(page, 'Thank you. Your address is confirmed.')).toBeVisible()
  await page.goto('/account/security')
  const devices = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
  await expect(devices).toHaveCount(1)
  await expect(devices).toContainText('This device')
})

test('Another mail can be asked for, once a minute', async ({ page, signUp, login }) => {
  await login(await signUp())
  await page.goto('/account/preferences')
  const button = strip(page).getByRole('button', { name: /^Send another/ })
  // The mail of the sign-up itself left a moment ago, which the server knows better than this page.
  await button.click()
  await expect(button).toHaveText(/^Send another in \d+ s$/)
  await expect(button).toBeDisabled()
})

test('A device learns of a confirmation that happened on another one', async ({ page, signUp, login, request }) => {
  const account = await signUp()
  await login(account)
  const token = codeIn(await waitForMail(request, account.email, subject))
  await request.post('/auth/v1/verify', { data: { type: 'signup', email: account.email, token } })
  await page.goto('/auth/confirm')
  await expect(page).toHaveURL('/')
})

test.describe('Where the address has to be confirmed before the first session', () => {
  test('the code of the mail opens the account, and the three steps follow', async ({ page, request }) => {
    const email = newEmail()
    await page.route('**/auth/v1/signup**', answerWithBareUser)
    await page.goto('/auth?mode=sign-up')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(newPassword)
    await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confirm your address')
    await expect(page.getByText(`We have written to ${email}`)).toBeVisible()
    await inspect(page, 'confirm-first')

    await page.getByLabel('Code from the mail').fill(codeIn(await waitForMail(request, email, subject)))
    await expect(toast(page, 'Account created!')).toBeVisible()
    await expect(page.getByText('Step 1 of 3')).toBeVisible()
  })
})

test('A link that works no more offers another confirmation to whoever is signed in', async ({
  page,
  signUp,
  login,
}) => {
  await login(await signUp())
  await page.goto(
    '/portal#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb=',
  )
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link no longer works')
  await expect(page.getByRole('button', { name: 'Send a new confirmation' })).toBeVisible()
})

test('A sign-up by a program that fills in every field opens nothing', async ({ page }) => {
  await page.goto('/auth?mode=sign-up')
  await page.getByLabel('Email').fill(newEmail())
  await page.getByLabel('Password', { exact: true }).fill(newPassword)
  await page.locator('input[name=note_to_editor]').fill('https://example.com', { force: true })
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confirm your address')
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.endsWith('auth-token')))).toEqual([])
})

test('The sign-up form does the work that the operator asks of browsers', async ({ page }) => {
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

test('Closed sign-ups say so, and leave the way to sign in', async ({ page }) => {
  await page.route('**/functions/v1/sign-up-rules', (route) =>
    route.fulfill({ json: { open: false, passwordMinLength: 6, refuseWeakPasswords: false, proofOfWork: null } }),
  )
  await page.goto('/auth?mode=sign-up')
  await expect(page.getByText('New accounts cannot be made at the moment.')).toBeVisible()
  await page.getByRole('button', { name: 'Already have an account? Sign in' }).click()
  await expect(page.getByLabel('Email')).toBeVisible()
})

test('Accessible, and in one piece at every width: the pages of an unconfirmed address', async ({
  page,
  signUp,
  login,
}) => {
  await login(await signUp())
  await page.goto('/account/preferences')
  await expect(strip(page)).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await inspect(page, 'unconfirmed-address')
  await page.goto('/auth/confirm')
  await expect(page.getByLabel('Code from the mail')).toBeVisible()
  await expect(toasts(page)).toHaveCount(0)
  await inspect(page, 'confirm-address')
})
