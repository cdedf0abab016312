import type { Page } from '@playwright/test'
import { expectReadyOffline } from './support/device-storage.ts'
import { expect, test } from './support/test.ts'

test.use({ serviceWorkers: 'allow' })

const key = 'front-counter:snapshots'
const weeklyDrops = '/portal/weekly-drops'

const storedPaths = (page: Page) =>
  page.evaluate((key) => Object.keys(JSON.parse(localStorage.getItem(key) ?? '{"pages":{}}').pages as object), key)

/** Changes the stored snapshots; `change` runs in the page. */
const changeSnapshots = (page: Page, change: string) =>
  page.evaluate(`{
    const snapshots = JSON.parse(localStorage.getItem('${key}'))
    ${change}
    localStorage.setItem('${key}', JSON.stringify(snapshots))
  }`)

test('On the second visit a tab shows what it showed before, until the server has answered', async ({
  page,
  login,
  signUpSubscriber,
}) => {
  await login(await signUpSubscriber())
  await page.goto(weeklyDrops)
  await expectReadyOffline(page)
  await expect.poll(() => storedPaths(page), 'once the page is idle').toEqual([weeklyDrops])
  await page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name: 'Guides' }).click()
  await expect.poll(() => storedPaths(page), 'after a navigation').toEqual(['/portal/guides', weeklyDrops])

  const answered = Promise.withResolvers<void>()
  await page.route('**/functions/v1/weekly-drops', async (route) => {
    await answered.promise
    await route.continue()
  })
  await page.goto(weeklyDrops)
  const snapshot = page.locator('body > [inert]')
  await expect(snapshot.locator('main h2').first(), 'before the server has answered').toBeVisible()
  expect(await page.locator('#root').isVisible()).toBe(false)
  expect(await snapshot.locator('[id], [name]').count(), 'ids are those of the app').toBe(0)
  const title = await snapshot.locator('main h2').first().textContent()
  answered.resolve()
  await expect(snapshot).toHaveCount(0)
  await expect(page.getByRole('main').getByRole('heading', { level: 2 }).first()).toHaveText(title ?? '')
  await page.unrouteAll()

  // A server that doesn't answer for long: the page says that it is loading, and its links work.
  await page.route('**/functions/v1/weekly-drops', () => {})
  await page.goto(weeklyDrops)
  await expect(snapshot.locator('main h2').first()).toBeVisible()
  await expect(snapshot).toHaveCount(0, { timeout: 15_000 })
  await expect(page.getByRole('main').getByText('Loading...')).toBeAttached()
})

test('A snapshot of someone else, of another release or older than a week is not shown', async ({
  page,
  login,
  signUpSubscriber,
}) => {
  await login(await signUpSubscriber())
  await page.goto(weeklyDrops)
  await expectReadyOffline(page)
  await expect.poll(() => storedPaths(page)).toEqual([weeklyDrops])
  await page.route('**/functions/v1/weekly-drops', () => {})
  const expectNone = async (change: string, stays: boolean) => {
    // Away from the app, which stores the page when it is left.
    await page.goto('/robots.txt')
    const before = await page.evaluate((key) => localStorage.getItem(key), key)
    await changeSnapshots(page, change)
    await page.goto(weeklyDrops)
    await expect(page.getByRole('main').getByText('Loading...')).toBeAttached()
    await expect(page.locator('body > [inert]')).toHaveCount(0)
    expect(await storedPaths(page), change).toEqual(stays ? [weeklyDrops] : [])
    await page.evaluate(([key, value]) => localStorage.setItem(key, value), [key, before ?? ''] as const)
  }
  await expectNone(`snapshots.userId = crypto.randomUUID()`, false)
  await expectNone(`snapshots.pages['${weeklyDrops}'].checkedAt -= 8 * 24 * 60 * 60 * 1000`, false)
  await expectNone(`snapshots.latestSeen += 8 * 24 * 60 * 60 * 1000 // The clock was set back.`, false)
  await expectNone(`snapshots.release = '/assets/index-older.js'`, true)
  await page.goto(weeklyDrops)
  await expect(page.locator('body > [inert]'), 'unchanged, it is shown').toHaveCount(1)

  // Signed out in a browser that has lost the app's own clean-up.
  await page.goto('/robots.txt')
  await page.evaluate(() => localStorage.removeItem('sb-localhost-auth-token'))
  await page.goto(weeklyDrops)
  await expect(page).toHaveURL(/\/auth/)
  expect(await storedPaths(page)).toEqual([])
})
