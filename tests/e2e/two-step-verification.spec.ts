import type { Page } from '@playwright/test'
import { type Account, callAs, sessionKey } from './support/accounts.ts'
import { addAuthenticator } from './support/authenticator.ts'
import { planCard } from './support/checkout.ts'
import { addPhone, addTotp, passTotp, totpCode } from './support/factors.ts'
import { inspect, inspectState } from './support/inspect.ts'
import { buy } from './support/stripe-sandbox.ts'
import { expect, test, toast, toasts } from './support/test.ts'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

const signInWithPassword = async (page: Page, { email, password }: Account) => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(heading(page)).toHaveText('Two-step verification')
}

const aalOf = (page: Page) =>
  page.evaluate((key) => {
    const { access_token } = JSON.parse(localStorage.getItem(key) ?? '{}') as { access_token: string }
    return (JSON.parse(atob(access_token.split('.')[1] ?? '')) as { aal: string }).aal
  }, sessionKey)

test('A code from the authenticator app leads to the requested page', async ({ page, signUp, request }) => {
  await addAuthenticator(page)
  const { account, secret } = await addTotp(request, await signUp())
  await page.goto('/account/preferences')
  await expect(page).toHaveURL('/auth')
  const known = page.waitForResponse('**/functions/v1/security-overview')
  await signInWithPassword(page, account)
  await known
  // Without a passkey, none is offered.
  await expect(page.getByText('Can’t use any of these?')).toContainText('takes about a day')
  await expect(page.getByRole('button', { name: 'Use a passkey instead' })).toHaveCount(0)
  await expect(toasts(page)).toHaveCount(0)
  const field = page.getByLabel('Authenticator code')
  await expect(field).toBeFocused()
  await expect(field).toHaveAttribute('autocomplete', 'one-time-code')

  const right = totpCode(secret, 1)
  await field.fill(right === '123456' ? '654321' : '123456')
  await expect(page.getByRole('alert').filter({ hasText: 'That code is wrong. Wait for the next one' })).toBeVisible()
  await field.fill(right)
  await expect(toast(page, 'Welcome back!')).toBeVisible()
  await expect(page).toHaveURL('/account/preferences')
  expect(await aalOf(page)).toBe('aal2')
})

test('Until two-step verification every page leads there; a chosen plan then leads to the checkout', async ({
  page,
  signUp,
  request,
}) => {
  const { account, secret } = await addTotp(request, await signUp())
  await page.goto('/auth')
  await signInWithPassword(page, account)
  for (const path of ['/account/preferences', '/admin', '/reset-password', '/auth']) {
    await page.goto(path)
    await expect(page).toHaveURL('/auth/second-step')
  }
  await page.goto('/')
  await planCard(page, 'pro_monthly').getByRole('button', { name: 'Get Started' }).click()
  await expect(heading(page)).toHaveText('Two-step verification')
  await page.getByLabel('Authenticator code').fill(totpCode(secret, 1))
  await expect(page.getByLabel('Card number')).toBeVisible()
})

test('A trusted device needs only the password, until the trust is ended', async ({ page, signUp, request }) => {
  const { account, secret } = await addTotp(request, await signUp())
  await page.goto('/account/security')
  await signInWithPassword(page, account)
  await page.getByLabel('Trust this device for 30 days').click()
  const trusted = page.waitForResponse('**/auth/v1/trusted-device')
  await page.getByLabel('Authenticator code').fill(totpCode(secret, 1))
  await trusted
  await expect(page).toHaveURL('/account/security')
  await page.evaluate((key) => localStorage.removeItem(key), sessionKey)
  await page.goto('/account/security')
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()

  await expect(page.getByRole('list', { name: 'Trusted devices' })).toContainText('Trusted until')
  await inspect(page, 'account-security-trusted-device')
  // This session relies on the trust, so it ends with it.
  await page.getByRole('button', { name: /Stop trusting/ }).click()
  await expect(page).toHaveURL('/auth')
})

test('A session that still needs its second factor is redirected to two-step verification', async ({
  page,
  signUp,
  login,
}) => {
  await login(await signUp())
  await page.route('**/functions/v1/check-subscription', (route) =>
    route.fulfill({ status: 403, json: { error: 'Please complete the second step', code: 'mfa_required' } }),
  )
  await page.goto('/portal')
  await expect(page).toHaveURL('/auth/second-step')
})

test.describe('A text message', () => {
  const newPhone = () => `+1555${Date.now().toString().slice(-7)}`

  test('completes two-step verification', async ({ page, signUp, request }) => {
    const { account, secret } = await addTotp(request, await addPhone(request, await signUp(), newPhone()))
    // Stubs the phone factor to avoid the one-minute limit, and passes with the account's other factor.
    await page.route('**/auth/v1/factors/*/challenge', (route) =>
      route.fulfill({
        json: { id: crypto.randomUUID(), type: 'phone', expires_at: Math.ceil(Date.now() / 1000) + 300 },
      }),
    )
    await page.route('**/auth/v1/factors/*/verify', async (route) => {
      const { code } = route.request().postDataJSON() as { code: string }
      if (code !== '246810') {
        const body = { code: 'mfa_verification_failed', message: 'Invalid MFA Phone code entered' }
        return route.fulfill({ status: 422, headers: { 'X-Supabase-Api-Version': '2024-01-01' }, json: body })
      }
      const token = (await route.request().headerValue('authorization'))?.replace('Bearer ', '') ?? ''
      await route.fulfill({ json: await passTotp(request, token, totpCode(secret, 1)) })
    })
    await page.goto('/auth')
    await signInWithPassword(page, account)
    await page.getByRole('button', { name: 'Text message to' }).click()
    await page.getByRole('button', { name: 'Send code' }).click()
    const field = page.getByLabel('Code from the text message')
    await expect(field).toBeFocused()
    await expect(page.getByRole('button', { name: /^Resend code in \d+ s$/ })).toBeDisabled()
    await field.fill('111111')
    await expect(page.getByRole('alert').filter({ hasText: 'That code is wrong or has expired' })).toBeVisible()
    await field.fill('246810')
    await expect(toast(page, 'Welcome back!')).toBeVisible()
    expect(await aalOf(page)).toBe('aal2')
  })
})

test('A backup code opens the portal on a phone, once, and one notification says how many are left', async ({
  page,
  signUpConfirmed,
  request,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  const whole = await signUpConfirmed()
  await buy(request, whole, 'pro_monthly')
  const { account } = await addTotp(request, whole)
  const { codes } = await callAs<{ codes: string[] }>(request, account, 'create-backup-codes')
  await page.goto('/portal/guides')
  await signInWithPassword(page, account)
  await page.getByRole('button', { name: 'Backup code' }).click()
  const field = page.getByLabel('Backup code')
  await expect(field).toBeFocused()
  await field.fill('AAAAA-AAAAA')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'isn’t valid or has already been used' })).toBeVisible()
  await field.fill(codes[0] ?? '')
  await page.getByRole('button', { name: 'Continue' }).click()
  // Doesn't disappear while the pointer rests on it.
  await toast(page, 'Welcome back!').hover()
  await expect(toast(page, 'Welcome back!')).toContainText('9 backup codes left')
  await expect(heading(page)).toHaveText('Guides and Templates')
  await expect(toasts(page)).toHaveCount(1)
  expect(await aalOf(page)).toBe('aal2')
})

test('A security key is set up and completes two-step verification', async ({ page, signUpConfirmed, login }) => {
  await addAuthenticator(page)
  const account = await signUpConfirmed()
  await login(account)
  await page.goto('/account/security')
  await page.getByRole('button', { name: 'Add security key' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Key ring')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(toast(page, 'Your security key is set up')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Two-step methods' })).toContainText('Key ring')
  await page.evaluate((key) => localStorage.removeItem(key), sessionKey)
  await page.goto('/auth')
  await signInWithPassword(page, account)
  await page.getByRole('button', { name: 'Use the security key' }).click()
  await expect(toast(page, 'Welcome back!')).toBeVisible()
  expect(await aalOf(page)).toBe('aal2')
})

test('Accessible and without overflow: two-step verification, which a reload keeps and signing out leaves', async ({
  page,
  signUp,
  request,
}) => {
  const phone = `+1556${Date.now().toString().slice(-7)}`
  const { account } = await addTotp(request, await addPhone(request, await signUp(), phone))
  await callAs(request, account, 'create-backup-codes')
  await page.goto('/auth')
  await signInWithPassword(page, account)
  await expect(page.getByRole('button', { name: 'Text message to' })).toBeVisible()
  await inspect(page, 'two-step-verification')
  await page.getByRole('button', { name: 'Backup code' }).click()
  await inspectState(page, 'two-step-verification-backup-code')
  await page.reload()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/auth')
})
