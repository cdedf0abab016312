import type { APIRequestContext, Page } from '@playwright/test'
import { type Account, sessionKey } from './support/accounts.ts'
import { addAuthenticator } from './support/authenticator.ts'
import { addTotp } from './support/factors.ts'
import { inspectState } from './support/inspect.ts'
import { buy } from './support/stripe-sandbox.ts'
import { banner, expect, test, toast } from './support/test.ts'

const offer = (page: Page) => page.getByRole('region', { name: 'Skip the password next time?' })

const signInWithPassword = async (page: Page, { email, password }: Pick<Account, 'email' | 'password'>) => {
  await page.goto('/auth')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(toast(page, 'Welcome back!')).toBeVisible()
}

/** Signs in with a password, to an account with a plan so that the portal opens. */
async function enterPortal(page: Page, request: APIRequestContext, account: Account) {
  await buy(request, account, 'pro_monthly')
  await signInWithPassword(page, account)
  await expect(page).toHaveURL('/portal/weekly-drops')
}

/** Forgets the used passkey. Otherwise the autofill suggestion succeeds at once, before the button can be clicked. */
const forgetSuggestion = (page: Page) => page.evaluate(() => localStorage.removeItem('front-counter-passkey'))

const signOut = (page: Page) => banner(page).getByRole('button', { name: 'Sign Out' }).click()

test('A passkey is offered after signing in with a password, is created with one click, signs in, and is then suggested', async ({
  page,
  signUpConfirmed,
  request,
}) => {
  const device = await addAuthenticator(page)
  const account = await signUpConfirmed()
  await enterPortal(page, request, account)
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await inspectState(page, 'passkey-offer')
  await offer(page).getByRole('button', { name: 'Add a passkey' }).click()
  await expect(toast(page, 'Your passkey is ready.')).toBeVisible()
  await expect(offer(page)).toHaveCount(0)
  expect(await device.keys()).toHaveLength(1)

  await forgetSuggestion(page)
  await signOut(page)
  await expect(page).toHaveURL('/auth')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page).toHaveURL('/portal/weekly-drops')
  await page.goto('/portal/guides')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Guides and Templates')
  await expect(offer(page)).toHaveCount(0)

  // The next time, the browser suggests it.
  await page.evaluate((key) => localStorage.removeItem(key), sessionKey)
  await page.goto('/auth')
  await expect(toast(page, 'Welcome back!')).toBeVisible()
  await expect(banner(page).getByRole('button', { name: 'Sign Out' })).toBeVisible()
})

test('The offer stays on the portal pages of its tab until "Not now", which hides it on this device', async ({
  page,
  signUpConfirmed,
  request,
}) => {
  await addAuthenticator(page)
  const account = await signUpConfirmed()
  await enterPortal(page, request, account)
  await page.reload()
  await expect(offer(page), 'it survives a reload').toBeVisible()
  const visit = await page.context().newPage()
  await visit.goto('/portal/guides')
  await expect(visit.getByRole('heading', { level: 1 })).toHaveText('Guides and Templates')
  await expect(offer(visit)).toHaveCount(0)
  await visit.close()
  await page.getByRole('link', { name: 'Account', exact: true }).click()
  await expect(page).toHaveURL('/account/profile')
  await expect(offer(page)).toHaveCount(0)
  await page.goBack()

  await offer(page).getByRole('button', { name: 'Not now' }).click()
  await expect(offer(page)).toHaveCount(0)

  await signOut(page)
  await signInWithPassword(page, account)
  const looked = page.waitForResponse('**/functions/v1/check-subscription')
  await page.goto('/portal/guides')
  await looked
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Guides and Templates')
  expect(await page.evaluate(() => sessionStorage.getItem('front-counter-passkey-offer-due'))).toBeNull()
  await expect(offer(page)).toHaveCount(0)
})

test('Without a passkey on the device the button shows an error, and the password still works', async ({
  page,
  signUpConfirmed,
}) => {
  const device = await addAuthenticator(page)
  await device.failVerification()
  const account = await signUpConfirmed()
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'choose another option' })).toBeVisible()
  await signInWithPassword(page, account)
})

test('A passkey covers both steps', async ({ page, signUpConfirmed, login, request }) => {
  await addAuthenticator(page)
  const { account } = await addTotp(request, await signUpConfirmed())
  await login(account)
  await buy(request, account, 'pro_monthly')
  await page.addInitScript(() => sessionStorage.setItem('front-counter-passkey-offer-due', 'yes'))
  await page.goto('/portal/weekly-drops')
  await offer(page).getByRole('button', { name: 'Add a passkey' }).click()
  await expect(toast(page, 'Your passkey is ready.')).toBeVisible()
  await forgetSuggestion(page)
  await page.evaluate((key) => localStorage.removeItem(key), sessionKey)

  await page.goto('/auth')
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.getByRole('button', { name: 'Use a passkey instead' }).click()
  await page.getByRole('button', { name: 'Use a passkey', exact: true }).click()
  await expect(toast(page, 'Welcome back!')).toBeVisible()
  await page.goto('/account/preferences')
  await expect(page.getByRole('button', { name: 'Save preferences' })).toBeVisible()
})
