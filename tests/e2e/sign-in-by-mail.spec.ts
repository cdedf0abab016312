import type { Page } from '@playwright/test'
import { type Account, newEmail, type Session, sessionKey } from './support/accounts.ts'
import { inspect } from './support/inspect.ts'
import { codeIn, linkIn, mailsTo, waitForMail } from './support/mail.ts'
import { expect, test } from './support/test.ts'

const subject = /sign-in link/

test('The link of a mail signs in without a password', async ({ page, signUp, request }) => {
  const { email } = await signUp()
  await page.goto('/auth')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('link', { name: 'Get a link by mail' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Come in by mail')
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await page.getByRole('button', { name: 'Send the mail' }).click()
  await page.goto(linkIn(await waitForMail(request, email, subject)))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Sign Out' })).toBeVisible()
})

test('The code of a mail signs in and leads to where the person was going', async ({ page, signUp, request }) => {
  const { email } = await signUp()
  await page.goto('/account/preferences')
  await expect(page).toHaveURL('/auth')
  await page.getByRole('link', { name: 'Get a link by mail' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Come in by mail')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send the mail' }).click()
  await page.getByLabel('Code from the mail').fill(codeIn(await waitForMail(request, email, subject)))
  await expect(page).toHaveURL('/account/preferences')
})

test('Nobody becomes a reader by asking for a link', async ({ page, request }) => {
  const stranger = newEmail()
  await page.goto('/auth/mail')
  await page.getByLabel('Email').fill(stranger)
  await page.getByRole('button', { name: 'Send the mail' }).click()
  await expect(page.getByText(`If ${stranger} has an account here`)).toBeVisible()
  expect(await mailsTo(request, stranger)).toEqual([])
})

test('A link that works no more leads to another mail', async ({ page }) => {
  await page.goto(
    '/portal#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb=',
  )
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link no longer works')
  await page.getByRole('link', { name: 'Mail me a new one' }).click()
  await expect(page).toHaveURL('/auth/mail')
})

test('Accessible, and in one piece at every width: signing in by mail', async ({ page }) => {
  await page.goto('/auth/mail')
  await inspect(page, 'sign-in-by-mail')
})

test.describe('A link that signs in somebody else than whoever is here', () => {
  const openLinkOf = async (page: Page, { session }: Account) => {
    const { access_token, refresh_token } = session as Session & { refresh_token: string }
    await page.goto(
      `/account/preferences#access_token=${access_token}&refresh_token=${refresh_token}&expires_in=3600&token_type=bearer&type=magiclink`,
    )
  }
  const emailHere = (page: Page) =>
    page.evaluate((key) => (JSON.parse(localStorage.getItem(key) ?? '{}') as Session).user?.email, sessionKey)

  test('asks first, and leaves everything as it is for whoever stays', async ({ page, signUp, login }) => {
    const [here, there] = [await signUp(), await signUp()]
    await login(here)
    await openLinkOf(page, there)
    await expect(page).toHaveURL('/auth/link')
    await expect(
      page.getByText(`You are signed in as ${here.email}. This link signs you in as ${there.email}.`),
    ).toBeVisible()
    expect(await emailHere(page)).toBe(here.email)
    await page.getByRole('button', { name: 'Stay signed in' }).click()
    await expect(page).toHaveURL('/')
    expect(await emailHere(page)).toBe(here.email)
  })

  test('goes on as the other when that is wanted', async ({ page, signUp, login }) => {
    const [here, there] = [await signUp(), await signUp()]
    await login(here)
    await openLinkOf(page, there)
    await page.getByRole('button', { name: `Sign in as ${there.email}` }).click()
    await expect(page).toHaveURL('/account/preferences')
    expect(await emailHere(page)).toBe(there.email)
  })
})
