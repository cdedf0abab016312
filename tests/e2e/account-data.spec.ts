import { readFile } from 'node:fs/promises'
import type { APIRequestContext } from '@playwright/test'
import { newPassword, publishableKey, savePreferences } from './support/accounts.ts'
import { waitForEmail } from './support/emails.ts'
import { inspect } from './support/inspect.ts'
import { buy, sandboxOrigin } from './support/stripe-sandbox.ts'
import { banner, expect, test, toast } from './support/test.ts'

test('The export contains the user’s own data and no secret', async ({ page, request, signUp, login }) => {
  const other = await signUp()
  const account = await signUp()
  await savePreferences(request, account, { focusAreas: ['Finance'], goals: ['Reduce costs'] })
  await login(account)
  await page.goto('/account/data')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download my data' }).click(),
  ])
  await expect(toast(page, 'Your file is ready')).toBeVisible()
  expect(file.suggestedFilename()).toMatch(/^account-data-\d{4}-\d\d-\d\d\.json$/)
  const text = await readFile(await file.path(), 'utf8')
  expect(JSON.parse(text)).toBeInstanceOf(Object)
  for (const mine of [account.email, account.session.user.id, 'Finance', 'Reduce costs']) expect(text).toContain(mine)
  for (const foreign of [other.email, other.session.user.id, '$argon2', account.session.access_token]) {
    expect(text).not.toContain(foreign)
  }
})

test.describe('Deleting an account', () => {
  /** Reads from the Stripe sandbox with its secret key. */
  const stripe = (request: APIRequestContext, origin: string) => async (path: string) =>
    (await request.get(`${origin}/v1/${path}`, { headers: { Authorization: 'Bearer sk_test_reader' } })).json()

  const signInStatus = async (request: APIRequestContext, email: string) =>
    (
      await request.post('/auth/v1/token?grant_type=password', {
        headers: { apikey: publishableKey },
        data: { email, password: newPassword },
      })
    ).status()

  test('with a subscription explains the cancellation, cancels, and returns to the landing page', async ({
    page,
    request,
    signUp,
    login,
    baseURL,
  }) => {
    const account = await signUp()
    await login(account)
    await buy(request, account, 'pro_monthly')
    const ask = stripe(request, sandboxOrigin(baseURL ?? ''))
    const [customer] = (await ask(`customers?email=${encodeURIComponent(account.email)}`)).data
    const [subscription] = (await ask(`subscriptions?customer=${customer.id}`)).data
    expect(subscription.status).toBe('active')

    await page.goto('/account/data')
    await page.getByRole('button', { name: 'Delete my account' }).click()
    const leave = page.getByRole('region', { name: 'Delete your account' }).last()
    await expect(leave).toContainText('Your Pro Monthly plan is canceled right away, and you won’t be charged again.')
    await inspect(page, 'account-data')
    await expect(leave.getByRole('time')).toHaveText(/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/)
    const typed = leave.getByLabel('Type your email address to confirm')
    await typed.fill('other@example.com')
    await leave.getByRole('button', { name: 'Permanently delete my account' }).click()
    await expect(leave.getByRole('alert')).toContainText(
      'The address doesn’t match your account. Check it and try again.',
    )
    expect(await signInStatus(request, account.email)).toBe(200)

    await typed.fill(account.email)
    await leave.getByRole('button', { name: 'Permanently delete my account' }).click()
    await expect(toast(page, 'Your account was deleted')).toContainText('Thanks for reading.')
    await expect(page).toHaveURL('/')
    await expect(banner(page).getByRole('link', { name: 'Sign In' })).toBeVisible()
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('auth-token')))).toEqual([])

    expect(await signInStatus(request, account.email)).toBe(400)
    await expect.poll(async () => (await ask(`subscriptions/${subscription.id}`)).status).toBe('canceled')
    await waitForEmail(request, account.email, /deleted|goodbye|farewell|closed/i)
    await page.goto('/portal')
    await expect(page).toHaveURL('/auth')
  })

  test('without a plan says that nothing is charged, and can be canceled', async ({ page, signUp, login }) => {
    await login(await signUp())
    await page.goto('/account/data')
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await expect(page.getByRole('region', { name: 'Delete your account' }).last()).toBeFocused()
    await expect(page.getByText('You don’t have an active subscription, so you won’t be charged.')).toBeVisible()
    await page.getByRole('button', { name: 'Keep my account' }).click()
    await expect(page.getByLabel('Type your email address to confirm')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Delete my account' })).toBeFocused()
    await page.reload()
    await expect(page.getByRole('button', { name: 'Delete my account' })).toBeVisible()
  })
})
