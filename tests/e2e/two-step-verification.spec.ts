import type { Page } from '@playwright/test'
import { type Account, callAs, sessionKey } from './support/accounts.ts'
import { addAuthenticator } from './support/authenticator.ts'
import { planCard } from './support/checkout.ts'
import { addPhone, addTotp, passTotp, totpCode } from './support/factors.ts'
import { inspect } from './support/inspect.ts'
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
  const { account, secret } = await addTotp(request, await signUp())
  await page.goto('/account/preferences')
  await expect(page).toHaveURL('/auth')
  await signInWithPassword(page, account)
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

test('Until two-step verification every page leads there, even after a reload, and signing out leaves it', async ({
  page,
  signUp,
  request,
}) => {
  const { account } = await addTotp(request, await signUp())
  await page.goto('/auth')
  await signInWithPassword(page, account)
  for (const path of ['/account/preferences', '/portal/tools', '/admin', '/reset-password', '/auth']) {
    await page.goto(path)
    await expect(page).toHaveURL('/auth/second-step')
  }
  await page.reload()
  await expect(heading(page)).toHaveText('Two-step verification')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/auth')
})

test('Choosing a plan before two-step verification leads there first, then to the checkout', async ({
  page,
  signUp,
  request,
}) => {
  const { account, secret } = await addTotp(request, await signUp())
  await page.goto('/auth')
  await signInWithPassword(page, account)
  await page.goto('/')
  await planCard(page, 'pro_monthly').getByRole('button', { name: 'Get Started' }).click()
  await expect(heading(page)).toHaveText('Two-step verification')
  await page.getByLabel('Authenticator code').fill(totpCode(secret, 1))
  await expect(page.getByLabel('Card number')).toBeVisible()
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

  test('is sent at most once a minute, and the page says so', async ({ page, signUp, request }) => {
    const account = await addPhone(request, await signUp(), newPhone())
    await page.goto('/auth')
    await signInWithPassword(page, account)
    await page.getByRole('button', { name: 'Send code' }).click()
    await expect(page.getByText(/We just sent you a message. You can request another in \d+ seconds/)).toBeVisible()
  })

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

test('A backup code signs in once, and the page says how many are left', async ({ page, signUp, request }) => {
  const { account } = await addTotp(request, await signUp())
  const { codes } = await callAs<{ codes: string[] }>(request, account, 'create-backup-codes')
  await page.goto('/auth')
  await signInWithPassword(page, account)
  await page.getByRole('button', { name: 'Backup code' }).click()
  const field = page.getByLabel('Backup code')
  await expect(field).toBeFocused()
  await field.fill('AAAAA-AAAAA')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'isn’t valid or has already been used' })).toBeVisible()
  await field.fill(codes[0] ?? '')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(toast(page, 'Welcome back!')).toContainText('9 backup codes left')
  await expect(page).toHaveURL('/')
  expect(await aalOf(page)).toBe('aal2')

  await page.evaluate((key) => localStorage.removeItem(key), sessionKey)
  await page.goto('/auth')
  await signInWithPassword(page, account)
  await page.getByRole('button', { name: 'Backup code' }).click()
  await field.fill(codes[0] ?? '')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'isn’t valid or has already been used' })).toBeVisible()
})

test.describe('On a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } })

  test('a subscriber who uses a backup code sees one notification in the portal', async ({
    page,
    signUpConfirmed,
    request,
  }) => {
    const whole = await signUpConfirmed()
    await buy(request, whole, 'pro_monthly')
    const { account } = await addTotp(request, whole)
    const { codes } = await callAs<{ codes: string[] }>(request, account, 'create-backup-codes')
    await page.goto('/portal/guides')
    await signInWithPassword(page, account)
    await page.getByRole('button', { name: 'Backup code' }).click()
    await page.getByLabel('Backup code').fill(codes[0] ?? '')
    await page.getByRole('button', { name: 'Continue' }).click()
    // Doesn't disappear while the pointer rests on it.
    await toast(page, 'Welcome back!').hover()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Guides and Templates')
    await expect(toasts(page)).toHaveCount(1)
  })
})

test('A passkey is offered for two-step verification only to users who have one', async ({
  page,
  signUpConfirmed,
  request,
}) => {
  await addAuthenticator(page)
  const { account } = await addTotp(request, await signUpConfirmed())
  await page.goto('/auth')
  const known = page.waitForResponse('**/functions/v1/security-overview')
  await signInWithPassword(page, account)
  await known
  await expect(page.getByText('Can’t use any of these?')).toContainText('takes about a day')
  await expect(page.getByRole('button', { name: 'Use a passkey instead' })).toHaveCount(0)
})

test('A security key completes two-step verification', async ({ page, signUpConfirmed, login }) => {
  await addAuthenticator(page)
  const account = await signUpConfirmed()
  await login(account)
  await page.goto('/account/preferences')
  await registerKey(page, account)
  await page.evaluate((key) => localStorage.removeItem(key), sessionKey)
  await page.goto('/auth')
  await signInWithPassword(page, account)
  await page.getByRole('button', { name: 'Use the security key' }).click()
  await expect(toast(page, 'Welcome back!')).toBeVisible()
  expect(await aalOf(page)).toBe('aal2')
})

/** Sets up a security key with the browser's WebAuthn API, without the page for it. */
const registerKey = (page: Page, { session }: Account) =>
  page.evaluate(async (token) => {
    const call = async (path: string, body: object) => {
      const response = await fetch(`/auth/v1/${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
      return response.json()
    }
    const { id } = await call('factors', { factor_type: 'webauthn', friendly_name: 'Key on my ring' })
    const challenge = await call(`factors/${id}/challenge`, {})
    const options = challenge.webauthn.credential_options.publicKey
    const credential = await navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
    })
    const credential_response = (credential as PublicKeyCredential).toJSON()
    await call(`factors/${id}/verify`, {
      challenge_id: challenge.id,
      webauthn: { type: 'create', rpId: location.hostname, rpOrigins: [location.origin], credential_response },
    })
  }, session.access_token)

test('Accessible and without overflow at every width: two-step verification', async ({ page, signUp, request }) => {
  const phone = `+1556${Date.now().toString().slice(-7)}`
  const { account } = await addTotp(request, await addPhone(request, await signUp(), phone))
  await callAs(request, account, 'create-backup-codes')
  await page.goto('/auth')
  await signInWithPassword(page, account)
  await expect(page.getByRole('button', { name: 'Text message to' })).toBeVisible()
  await inspect(page, 'two-step-verification')
  await page.getByRole('button', { name: 'Backup code' }).click()
  await inspect(page, 'two-step-verification-backup-code')
})
