import type { Page } from '@playwright/test'
import { sessionKey, signIn } from './support/accounts.ts'
import { codeIn, linkIn, waitForEmail } from './support/emails.ts'
import { addTotp, totpCode } from './support/factors.ts'
import { inspect, inspectState } from './support/inspect.ts'
import { expect, test, toast, toasts } from './support/test.ts'

const subject = /^Reset your/
const fresh = 'seven chairs by a window'

const requestEmail = async (page: Page, email: string) => {
  await page.goto('/auth')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Forgot your password?')
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await page.getByRole('button', { name: 'Send reset email' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check your email')
}

const choosePassword = async (page: Page) => {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Choose a new password')
  await page.getByLabel('New password').fill(fresh)
  await page.getByRole('button', { name: 'Save new password' }).click()
  await expect(toast(page, 'Your password was changed.')).toContainText('You’ve been signed out on all other devices.')
}

test('The link in the email resets a forgotten password and signs out other devices', async ({
  page,
  signUp,
  request,
  baseURL,
}) => {
  const { email, session } = await signUp()
  await requestEmail(page, email)
  await page.goto(linkIn(await waitForEmail(request, email, subject)))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL('/reset-password')
  // The tokens of the link must not stay in the history.
  expect(await page.evaluate(() => window.location.href)).not.toContain('token')
  await choosePassword(page)
  // Without a subscription the portal redirects to the plans, and says nothing beside the success.
  await expect(page).toHaveURL('/#pricing')
  await expect(toasts(page)).toHaveText(/^Your password was changed/)

  expect((await signIn(baseURL ?? '', email, fresh)).email).toBe(email)
  const elsewhere = await request.get('/auth/v1/user', { headers: { Authorization: `Bearer ${session.access_token}` } })
  expect(elsewhere.status()).toBe(403)
})

test('The code in the email resets a forgotten password, on accessible pages without overflow', async ({
  page,
  signUp,
  request,
  baseURL,
}) => {
  const { email } = await signUp()
  await page.goto('/auth/forgot')
  await inspect(page, 'forgot-password')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send reset email' }).click()
  const field = page.getByLabel('Code from the email')
  await expect(field).toBeFocused()
  await inspectState(page, 'forgot-password-code')
  const code = codeIn(await waitForEmail(request, email, subject))

  await field.fill(code === '111111' ? '222222' : '111111')
  await expect(page.getByRole('alert').filter({ hasText: 'That code is wrong' })).toBeVisible()
  await expect(field).toHaveValue('')
  // Pasted with a space, as email clients show it; submits without a click.
  await field.fill(`${code.slice(0, 3)} ${code.slice(3)}`)
  await expect(page).toHaveURL('/reset-password')
  await page.getByLabel('New password').fill('password1')
  await expect(page.getByText('Easy to guess')).toBeVisible()
  await expect(toasts(page)).toHaveCount(0)
  await inspect(page, 'reset-password')
  await choosePassword(page)
  expect((await signIn(baseURL ?? '', email, fresh)).email).toBe(email)
  await page.goto(
    '/portal#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired',
  )
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link no longer works')
  await inspect(page, 'expired-link')
})

test('The email can be resent after a minute, which the button counts down', async ({ page, signUp }) => {
  await page.clock.install()
  const { email } = await signUp()
  await requestEmail(page, email)
  const button = page.getByRole('button', { name: /^Resend email/ })
  await expect(button).toHaveText(/^Resend email in \d+ s$/)
  // Ahead of the real time, since the clock can't be paused in the past.
  await page.clock.pauseAt(Date.now() + 15_000)
  const left = async () => Number(/\d+/.exec((await button.textContent()) ?? '')?.[0] ?? 0)
  await expect.poll(left, 'shown after the pause').toBeLessThanOrEqual(46)
  const before = await left()
  expect(before).toBeGreaterThan(22)
  await page.clock.fastForward(20_000)
  // The label was up to a second old when the clock was paused.
  await expect(button).toHaveText(new RegExp(`^Resend email in (${before - 21}|${before - 20}) s$`))
  // Only the page's clock moved, so the server rejects the early request with the real wait.
  await page.clock.fastForward((before - 20) * 1000)
  await expect(button).toHaveText('Resend email')
  await page.clock.resume()
  await button.click()
  await expect(button).toHaveText(/^Resend email in \d+ s$/)
})

test('Resetting a password does not bypass two-step verification', async ({ page, signUp, request, baseURL }) => {
  const { account, secret } = await addTotp(request, await signUp())
  await requestEmail(page, account.email)
  await page.goto(linkIn(await waitForEmail(request, account.email, subject)))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Two-step verification')
  await page.goto('/reset-password')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Two-step verification')
  await page.getByLabel('Authenticator code').fill(totpCode(secret, 1))
  await choosePassword(page)
  expect((await signIn(baseURL ?? '', account.email, fresh)).email).toBe(account.email)
})

test('Without a session the page says how to request an email, and a used link says so and leads to a new one', async ({
  page,
  signUp,
  request,
}) => {
  const { email } = await signUp()
  await requestEmail(page, email)
  const resetEmail = await waitForEmail(request, email, subject)
  await page.getByLabel('Code from the email').fill(codeIn(resetEmail))
  await expect(page).toHaveURL('/reset-password')
  await page.evaluate((key) => localStorage.removeItem(key), sessionKey)
  await page.reload()
  await page.getByRole('link', { name: 'Request the email' }).click()
  await expect(page).toHaveURL('/auth/forgot')
  await page.goto(linkIn(resetEmail))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link no longer works')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link no longer works')
  await page.getByRole('link', { name: 'Request a new link' }).click()
  await expect(page).toHaveURL('/auth/forgot')
})
