import type { APIRequestContext, Page } from '@playwright/test'
import {
  type Account,
  demoEmail,
  demoPassword,
  newEmail,
  publishableKey,
  sessionKey,
  signIn,
} from './support/accounts.ts'
import { countCalls } from './support/api-calls.ts'
import { inspect } from './support/inspect.ts'
import { banner, expect, test, toast, toasts } from './support/test.ts'

const fillForm = async (page: Page, email: string, password: string) => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
}

const readStoredSession = (page: Page) => page.evaluate((key) => localStorage.getItem(key), sessionKey)

test.describe('The sign-in page', () => {
  test('switches between sign-in and sign-up, keeps what was typed, and links back home', async ({ page }) => {
    await page.goto('/auth')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome back')
    await fillForm(page, 'someone@example.com', 'typed before')
    await page.getByRole('button', { name: 'Need an account? Sign up' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create your account')
    await expect(page.getByLabel('Email')).toHaveValue('someone@example.com')
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('typed before')
    await page.getByRole('button', { name: 'Already have an account? Sign in' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome back')
    await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'password')
    await page.getByRole('button', { name: 'Show password' }).click()
    await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text')
    await page.getByRole('button', { name: 'Hide password' }).click()
    await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'password')
    await page.getByRole('link', { name: 'Back to home' }).click()
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('link', { name: 'Get Access' })).toBeVisible()
  })

  test('validates what was typed before it calls the server, and supports password managers and pasting', async ({
    page,
    context,
  }) => {
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/auth/v1/')) asked.push(request.url())
    })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/auth')
    const email = page.getByLabel('Email')
    const password = page.getByLabel('Password', { exact: true })
    await expect(email).toHaveAttribute('autocomplete', /username/)
    await expect(password).toHaveAttribute('autocomplete', 'current-password')
    const submit = page.getByRole('button', { name: 'Sign In', exact: true })

    await email.fill('not an address')
    await page.evaluate(() => navigator.clipboard.writeText('12345'))
    await password.press('ControlOrMeta+V')
    await submit.click()
    await expect(email).toBeFocused()
    await expect(page.getByText('Enter an email address such as name@example.com.')).toBeVisible()
    await email.fill('someone@example.com')
    await password.fill('')
    await password.pressSequentially('12345')
    await submit.click()
    await expect(password).toBeFocused()
    // Shown by the field instead of the browser's own bubble.
    await expect(password).toHaveAccessibleDescription(/Use at least 6 characters\./)
    await password.pressSequentially('6')
    await expect(page.getByText('Use at least 6 characters.')).toHaveCount(0)
    expect(asked).toEqual([])
    await page.evaluate(() => navigator.clipboard.writeText('kept by a manager'))
    await password.fill('')
    await password.press('ControlOrMeta+V')
    await expect(password).toHaveValue('kept by a manager')
  })

  test('shows a lockout and a wrong password next to the form and in a notification titled Error, and keeps what was typed', async ({
    page,
  }) => {
    const lockout = 'Too many failed attempts. Wait 15 minutes or reset your password.'
    await page.route('**/auth/v1/token**', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'X-Supabase-Api-Version': '2024-01-01' },
        json: { code: 'over_request_rate_limit', message: lockout },
      }),
    )
    await page.goto('/auth')
    const email = newEmail()
    await fillForm(page, email, 'not the password')
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expect(page.getByRole('main').getByRole('alert').filter({ hasText: lockout })).toBeVisible()
    await expect(toast(page, 'Error')).toContainText(lockout)
    await page.unroute('**/auth/v1/token**')

    const answered = page.waitForResponse('**/auth/v1/token**')
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    const { message } = (await (await answered).json()) as { message: string }
    expect(message).toBe('Invalid login credentials')

    const notice = toast(page, 'Error')
    await expect(notice).toContainText(message)
    await expect(notice).toHaveAttribute('data-type', 'error')
    // Beside the form is what to do; the same message twice would tell nothing new.
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(/^That email and password don’t match\./)
    await expect(page.getByLabel('Email')).toHaveValue(email)
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('not the password')
    await notice.hover()
    await page.getByRole('link', { name: 'Forgot your password?' }).press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Forgot your password?')
    await expect(toasts(page)).toHaveCount(0)
  })
})

test('Signing in shows a notification, opens the portal, offers no passkey without a device for one, and survives a reload', async ({
  page,
}) => {
  await page.goto('/auth')
  await fillForm(page, 'pro@frontcounter.test', 'front-counter')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(toast(page, 'Welcome back!')).toContainText("You've successfully signed in.")
  await expect(page).toHaveURL('/portal/weekly-drops')
  expect(await readStoredSession(page)).toContain('refresh_token')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Weekly Drops' })).toBeVisible()
  // This browser has no fingerprint reader, face recognition or PIN.
  await expect(page.getByRole('region', { name: 'Skip the password next time?' })).toHaveCount(0)
  await page.goto('/auth')
  await expect(page).toHaveURL('/portal/weekly-drops')
})

test('Signing in without a plan welcomes, says that the portal needs a plan, and opens the landing page', async ({
  page,
  signUp,
}) => {
  const { email, password } = await signUp()
  await page.goto('/auth')
  await fillForm(page, email, password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(toast(page, 'You need an active subscription to access the portal')).toBeVisible()
  await expect(toast(page, 'Welcome back!')).toBeVisible()
  await expect(page).toHaveURL('/')
})

test('Signing out in one tab signs out in the other', async ({ page, context, signUp, login }) => {
  await login(await signUp())
  await page.goto('/account/preferences')
  await expect(page.getByRole('button', { name: 'Save preferences' })).toBeVisible()
  const second = await context.newPage()
  await second.goto('/')
  await expect(second.getByRole('link', { name: 'Choose a Plan' })).toBeVisible()

  await banner(second).getByRole('button', { name: 'Sign Out' }).click()
  await expect(banner(second).getByRole('link', { name: 'Sign In' })).toBeVisible()
  await expect(page).toHaveURL('/auth')
  expect(await readStoredSession(page)).toBeNull()
})

test('Signing out takes effect at once, even if the page is closed right after the click', async ({
  page,
  signUp,
  login,
}) => {
  await login(await signUp())
  await page.goto('/account/preferences')
  const button = await banner(page).getByRole('button', { name: 'Sign Out' }).elementHandle()
  const left = await page.evaluate(
    async ([clicked, key]) => {
      clicked.click()
      // The click handler finishes before the browser leaves the page.
      for (let step = 0; step < 100; step++) await null
      return localStorage.getItem(key)
    },
    [button as unknown as HTMLElement, sessionKey] as const,
  )
  expect(left).toBeNull()
})

test('A loading screen shows until the session is known', async ({ page, signUp, login }) => {
  const account = await signUp()
  await login({ ...account, session: { ...account.session, expires_at: 1 } as typeof account.session })
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/auth/v1/token?grant_type=refresh_token', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/account/preferences')
  await expect(page.getByRole('status').filter({ hasText: 'Loading...' })).toBeVisible()
  await expect(page.getByText('Loading...', { exact: true })).toBeVisible()
  answer()
  await expect(page.getByRole('button', { name: 'Save preferences' })).toBeVisible()
  await expect(page.getByText('Loading...')).toHaveCount(0)
})

test('An unknown URL shows a not-found page that leads home', async ({ page }) => {
  const response = await page.goto('/no-such-page')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oops! Page not found')
  await inspect(page, 'not-found')
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await expect(page).toHaveURL('/')
})

test('For a member, the not-found page leads to the newest drop, the search and the portal', async ({
  page,
  loginAs,
}) => {
  await loginAs('pro')
  await page.goto('/no-such-page')
  await expect(page.getByRole('searchbox')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Enter Portal' })).toBeVisible()
  await page.getByText('The newest drop:').getByRole('link').click()
  await expect(page).toHaveURL(/\/portal\/weekly-drops\/[a-z]/)
})

test.describe('A session that ended on another device', () => {
  const endedElsewhere = 'Your session has ended. Sign in again to continue.'
  /** Subscribed, so that a redirect to the plans would show up as a wrong check. */
  const signedInSubscriber = async (baseURL: string) => signIn(baseURL, demoEmail('pro'), demoPassword)

  const signOutElsewhere = async (request: APIRequestContext, { session }: Account) => {
    const headers = { apikey: publishableKey, Authorization: `Bearer ${session.access_token}` }
    expect((await request.post('/auth/v1/logout?scope=local', { headers })).status()).toBe(204)
  }

  const comeBack = async (page: Page, { email, password }: Account, path: string) => {
    await expect(page).toHaveURL('/auth')
    await expect(page.getByText(endedElsewhere)).toBeVisible()
    await expect(toasts(page)).toHaveCount(0)
    expect(await readStoredSession(page)).toBeNull()
    await fillForm(page, email, password)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expect(page).toHaveURL(path)
  }

  test('is detected by the open page and by other tabs, which say why and lead back', async ({
    page,
    context,
    request,
    baseURL,
    login,
  }) => {
    const account = await signedInSubscriber(baseURL ?? '')
    await login(account)
    const neighbour = await context.newPage()
    // Any request would notice that the session has ended, and none but the click's may be under way.
    await context.route('**/{offline-library,record-first-week,save-time-zone}', (route) => route.abort())
    for (const tab of [page, neighbour]) await tab.goto('/portal/weekly-drops', { waitUntil: 'networkidle' })
    for (const tab of [page, neighbour]) await expect(tab.getByRole('heading', { level: 1 })).toBeVisible()
    await signOutElsewhere(request, account)
    await page.getByRole('link', { name: 'Tools' }).first().click()
    await expect(page).toHaveURL('/auth')
    await expect(neighbour).toHaveURL('/auth')
    await expect(neighbour.getByText(endedElsewhere)).toBeVisible()
    await comeBack(page, account, '/portal/tools')
    await expect(neighbour).toHaveURL(/\/portal/)
  })

  test('continues if only its access token was rejected: the page refreshes it', async ({ page, login, baseURL }) => {
    const account = await signedInSubscriber(baseURL ?? '')
    await login(account)
    const refused = { status: 401, json: { error: 'Not authenticated', code: 'not_authenticated' } }
    await page.route('**/functions/v1/**', async (route) => {
      const sent = await route.request().headerValue('authorization')
      return sent === `Bearer ${account.session.access_token}` ? route.fulfill(refused) : route.fallback()
    })
    const renewals = countCalls(page, 'token')
    await page.goto('/portal/guides')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Guides and Templates')
    expect(renewals()).toBe(1)
  })

  test('ends here if a refreshed token is rejected too, without retrying forever', async ({ page, login, baseURL }) => {
    await login(await signedInSubscriber(baseURL ?? ''))
    await page.route('**/functions/v1/**', (route) =>
      route.fulfill({ status: 401, json: { error: 'Not authenticated', code: 'not_authenticated' } }),
    )
    const renewals = countCalls(page, 'token')
    await page.goto('/portal/guides')
    await expect(page.getByText(endedElsewhere)).toBeVisible()
    expect(await readStoredSession(page)).toBeNull()
    expect(renewals()).toBe(1)
  })
})
