import type { Locator, Page } from '@playwright/test'
import { newEmail, newPassword } from './support/accounts.ts'
import { codeIn, linkIn, waitForEmail } from './support/emails.ts'
import { inspect, inspectState } from './support/inspect.ts'
import { answerWithBareUser } from './support/refuse.ts'
import { expect, test, toast, toasts } from './support/test.ts'

const subject = /Confirm your email address/
const confirmBanner = (page: Page) => page.getByRole('region', { name: 'Confirm your email' })

test('An unconfirmed user is asked to confirm, also before two-step methods; the code from the email does so and leads back', async ({
  page,
  signUp,
  login,
  request,
}) => {
  const account = await signUp()
  await login(account)
  await page.goto('/account/security')
  await expect(confirmBanner(page)).toContainText('Confirm your email address')
  // Two-step methods and passkeys require a confirmed address.
  const twoStep = page.getByRole('region', { name: 'Two-step verification', exact: true })
  await expect(twoStep.getByRole('link', { name: 'Confirm email' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Add / })).toHaveCount(0)
  await twoStep.getByRole('link', { name: 'Confirm email' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confirm your email')
  await page.getByLabel('Code from the email').fill(codeIn(await waitForEmail(request, account.email, subject)))
  await expect(toast(page, 'Your email is confirmed.')).toBeVisible()
  await expect(page).toHaveURL('/account/security')
  await expect(page.getByRole('button', { name: 'Add authenticator app' })).toBeVisible()
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

test('After signing up with a known provider, one tap opens its mailbox with a search for our emails', async ({
  page,
}) => {
  const email = newEmail().replace(/@.*/, '@gmail.com')
  await signUpOnPage(page, email)
  await page.goto('/account/preferences')
  const link = (place: Page | Locator) => place.getByRole('link', { name: 'Open Gmail (opens in a new tab)' })
  const address = 'https://mail.google.com/mail/u/0/#search/from%3Anewsletter%40frontcounter.test+in%3Aanywhere'
  await expect(link(confirmBanner(page))).toHaveAttribute('href', address)
  await confirmBanner(page).getByRole('link', { name: 'Enter code' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confirm your email')
  await expect(link(page.getByRole('main'))).toHaveAttribute('href', address)
  await expect(link(page.getByRole('main'))).toHaveAttribute('target', '_blank')
  await expect(link(page.getByRole('main'))).toHaveAttribute('rel', /noreferrer/)
  await inspect(page, 'confirm-email-mailbox')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Add to contacts' }).click()
  expect((await download).suggestedFilename()).toBe('contact.vcf')
})

test('Of other addresses, the page that awaits a sign-in email offers no mailbox, and our sender as a contact', async ({
  page,
}) => {
  await page.goto('/auth/mail')
  await page.getByLabel('Email').fill(newEmail())
  await page.getByRole('button', { name: 'Send sign-in email' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check your email')
  await expect(page.getByRole('link', { name: 'Add to contacts' })).toBeVisible()
  await expect(page.getByRole('link', { name: /^Open / })).toHaveCount(0)
})

async function signUpOnPage(page: Page, email: string) {
  await page.goto('/auth?mode=sign-up')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(newPassword)
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
  await expect(page.getByText('Step 1 of 3')).toBeVisible()
}

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
    await inspectState(page, 'confirm-sign-up')

    await page.getByLabel('Code from the email').fill(codeIn(await waitForEmail(request, email, subject)))
    await expect(toast(page, 'Account created!')).toBeVisible()
    await expect(page.getByText('Step 1 of 3')).toBeVisible()
  })
})

test('The sign-up form solves the proof of work that the server requires, and sends the hidden field that bots fill in', async ({
  page,
}) => {
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
  // As a bot does.
  await page.locator('input[name=note_to_editor]').fill('https://example.com', { force: true })
  const asked = page.waitForRequest('**/auth/v1/signup**')
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
  const { gotrue_meta_security: proof, data } = (await asked).postDataJSON() as {
    gotrue_meta_security: { captcha_token: string }
    data: object
  }
  expect(data).toMatchObject({ note_to_editor: 'https://example.com' })
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
