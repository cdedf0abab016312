import type { Locator, Page } from '@playwright/test'
import { newEmail, newPassword } from './support/accounts.ts'
import { planCard } from './support/checkout.ts'
import { failCall } from './support/refuse.ts'
import { expect, test, toast, toasts } from './support/test.ts'

/** Stops the page's time, so that a slow machine uses up none of a notification's. Time can't stop in the past. */
const stopTime = (page: Page) => page.clock.pauseAt(Date.now() + 60_000)

/** Lets the page's time pass until the locator matches once, at most 50 ms more than that takes. */
const passTimeUntilShown = (page: Page, locator: Locator) =>
  expect
    .poll(
      async () => {
        await page.clock.runFor(50)
        return locator.count()
      },
      { intervals: [50] },
    )
    .toBe(1)

const staying = (page: Page) => toasts(page).and(page.locator('[data-removed=false]'))

test('An error notification is shown for five seconds', async ({ page, loginAs }) => {
  await page.clock.install()
  await loginAs('new')
  await stopTime(page)
  await page.goto('/portal')
  const notice = toast(page, 'You need an active subscription to access the portal')
  await passTimeUntilShown(page, notice)
  await page.clock.runFor(4_000)
  await expect(notice.and(staying(page))).toBeVisible()
  await page.clock.runFor(1_300)
  await expect(notice).toHaveCount(0)
})

test('A notification that is repeated while the first is leaving is shown again', async ({ page, loginAs }) => {
  await page.clock.install()
  await loginAs('new')
  await stopTime(page)
  await page.goto('/portal')
  await passTimeUntilShown(page, toast(page, 'You need an active subscription to access the portal'))
  const repeated = page.evaluate(async () => {
    const first = document.querySelector<HTMLElement>('[data-sonner-toast]')
    const leaving = Promise.withResolvers<void>()
    if (first) new MutationObserver(() => leaving.resolve()).observe(first, { attributeFilter: ['data-removed'] })
    await leaving.promise
    window.history.pushState(null, '', '/portal')
    window.dispatchEvent(new PopStateEvent('popstate'))
  })
  await page.clock.runFor(5_000)
  await repeated
  await passTimeUntilShown(page, staying(page))
})

test('A success notification is shown for four seconds', async ({ page }) => {
  await page.clock.install()
  await page.goto('/auth')
  await page.getByLabel('Email').fill('pro@frontcounter.test')
  await page.getByLabel('Password', { exact: true }).fill('front-counter')
  await stopTime(page)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  const notice = toast(page, 'Welcome back!')
  await passTimeUntilShown(page, notice)
  await page.clock.runFor(3_000)
  await expect(notice.and(staying(page))).toBeVisible()
  await page.clock.runFor(1_300)
  await expect(notice).toHaveCount(0)
})

test('A success replaces the error notification before it', async ({ page }) => {
  await page.goto('/auth')
  await page.getByLabel('Email').fill('pro@frontcounter.test')
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  // Doesn't disappear while the pointer rests on it.
  await toast(page, 'Error').hover()
  await page.getByLabel('Password', { exact: true }).fill('front-counter')
  await page.getByLabel('Password', { exact: true }).press('Enter')
  await expect(toast(page, 'Welcome back!')).toBeVisible()
  await expect(toast(page, 'Error')).toHaveCount(0)
})

test('At most three notifications are visible at once', async ({ page }) => {
  await failCall(page, 'create-checkout', 502)
  await page.goto('/auth?mode=sign-up')
  await page.getByLabel('Email').fill(newEmail())
  await page.getByLabel('Password', { exact: true }).fill(newPassword)
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
  // None disappears while the pointer rests on them.
  await toast(page, 'Account created!').hover()
  await page.getByRole('checkbox', { name: 'Sales' }).press('Space')
  await page.getByRole('button', { name: 'Continue' }).press('Enter')
  await page.getByRole('radio', { name: 'Beginner' }).press('Space')
  await page.getByRole('button', { name: 'Continue' }).press('Enter')
  await page.getByRole('button', { name: 'Finish' }).press('Enter')
  await expect(toast(page, 'Welcome! Your preferences have been saved.')).toBeVisible()
  await expect(page).toHaveURL(/#pricing$/)
  // Opens the portal without a page load, which would clear the notifications.
  await page.evaluate(() => {
    window.history.pushState(null, '', '/portal')
    window.dispatchEvent(new PopStateEvent('popstate'))
  })
  await expect(toast(page, 'You need an active subscription to access the portal')).toBeVisible()
  await planCard(page, 'pro_monthly').getByRole('button', { name: 'Get Started' }).press('Enter')
  await expect(toast(page, 'Unable to start checkout. Please try again.')).toBeVisible()
  await expect(toasts(page)).toHaveCount(4)
  const seen = () =>
    toasts(page).evaluateAll((all) => all.filter((item) => Number(getComputedStyle(item).opacity) > 0).length)
  await expect.poll(seen).toBe(3)
})
