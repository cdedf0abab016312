import type { Page } from '@playwright/test'
import { type Account, type Session, sessionKey, signIn } from './support/accounts.ts'
import { codeIn, linkIn, waitForEmail } from './support/emails.ts'
import { inspect } from './support/inspect.ts'
import { expect, test } from './support/test.ts'

const subject = /sign-in link/

test('The link in an email signs in without a password', async ({ page, signUp, request }) => {
  const { email } = await signUp()
  await page.goto('/auth')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('link', { name: 'Email me a sign-in link' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in by email')
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await page.getByRole('button', { name: 'Send sign-in email' }).click()
  await page.goto(linkIn(await waitForEmail(request, email, subject)))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Sign Out' })).toBeVisible()
})

test('The code in an email signs in and leads to the requested page', async ({ page, signUp, request }) => {
  const { email } = await signUp()
  await page.goto('/account/preferences')
  await expect(page).toHaveURL('/auth')
  await page.getByRole('link', { name: 'Email me a sign-in link' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in by email')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send sign-in email' }).click()
  await page.getByLabel('Code from the email').fill(codeIn(await waitForEmail(request, email, subject)))
  await expect(page).toHaveURL('/account/preferences')
})

test('An expired link leads to a new email, on an accessible page without overflow', async ({ page }) => {
  await page.goto(
    '/portal#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb=',
  )
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link no longer works')
  await page.getByRole('link', { name: 'Email me a new link' }).click()
  await expect(page).toHaveURL('/auth/mail')
  await inspect(page, 'sign-in-by-email')
})

test.describe('A link for another account than the signed-in one', () => {
  const openLinkOf = async (page: Page, { session }: Account) => {
    const { access_token, refresh_token } = session as Session & { refresh_token: string }
    await page.goto(
      `/account/preferences#access_token=${access_token}&refresh_token=${refresh_token}&expires_in=3600&token_type=bearer&type=magiclink`,
    )
  }
  const emailHere = (page: Page) =>
    page.evaluate((key) => (JSON.parse(localStorage.getItem(key) ?? '{}') as Session).user?.email, sessionKey)

  test('asks first, changes nothing if the user stays, and switches accounts if they choose to', async ({
    page,
    signUp,
    login,
    baseURL,
  }) => {
    const [here, there] = [await signUp(), await signUp()]
    await login(here)
    await openLinkOf(page, there)
    await expect(page).toHaveURL('/auth/link')
    await expect(
      page.getByText(`You’re signed in as ${here.email}. This link signs you in as ${there.email}.`),
    ).toBeVisible()
    expect(await emailHere(page)).toBe(here.email)
    await page.getByRole('button', { name: 'Stay signed in' }).click()
    await expect(page).toHaveURL('/')
    expect(await emailHere(page)).toBe(here.email)

    // Staying ended the session of the first link.
    await openLinkOf(page, await signIn(baseURL ?? '', there.email, there.password))
    await page.getByRole('button', { name: `Sign in as ${there.email}` }).click()
    await expect(page).toHaveURL('/account/preferences')
    expect(await emailHere(page)).toBe(there.email)
  })
})
