import type { Page } from '@playwright/test'
import { expect, test } from './support/test.ts'

const tab = (page: Page, name: string) => page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name })

/** A device that hasn't stored anything for reading offline yet. */
const withoutLibrary = (page: Page) => page.route('**/functions/v1/offline-library', (route) => route.abort())

const title = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 })

test('Offline, a tab that was never opened keeps the current page on screen and opens once the reader is back online', async ({
  page,
  context,
  loginAs,
}) => {
  await withoutLibrary(page)
  await loginAs('pro')
  await page.goto('/portal/weekly-drops')
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await context.setOffline(true)
  await expect(page.getByText('You’re offline.', { exact: true })).toBeVisible()
  await tab(page, 'Tools').click()
  await expect(page.getByText('The page you chose opens when you’re back.').first()).toBeVisible()
  await expect(title(page)).toHaveText('Weekly Drops')

  await context.setOffline(false)
  await expect(title(page)).toHaveText('Tool Picks')
  await expect(page.getByRole('main').getByText('NotebookLM').first()).toBeVisible()
  await expect(page.getByText('You’re offline.', { exact: true })).toHaveCount(0)
})

test('Offline, a drop that was never opened shows a message and loads once the reader is back online', async ({
  page,
  context,
  loginAs,
}) => {
  await withoutLibrary(page)
  await loginAs('pro')
  await page.goto('/portal/weekly-drops/a-week-of-reviews')
  await expect(title(page)).toContainText('A week of reviews')
  await page.getByRole('link', { name: 'All weekly drops' }).click()
  await expect(title(page)).toHaveText('Weekly Drops')
  const unopened = page.getByRole('link', { name: /Find ten minutes in your close/ }).first()
  await expect(unopened).toBeVisible()
  await context.setOffline(true)
  await unopened.click()
  await expect(page.getByText('It appears when you’re back online.')).toBeVisible()
  await page.goBack()
  await page
    .getByRole('link', { name: /A week of reviews/ })
    .first()
    .click()
  await expect(title(page), 'what was read before is still there').toContainText('A week of reviews')
  await page.goBack()
  await unopened.click()

  await context.setOffline(false)
  await expect(title(page)).toContainText('Find ten minutes')
})

test('With a network but no server, pages and lists load automatically once the server responds, and no one is signed out', async ({
  page,
  loginAs,
}) => {
  await withoutLibrary(page)
  await loginAs('pro')
  await page.goto('/portal/weekly-drops')
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await page.route('**/*', (route) => route.abort('connectionreset'))
  await tab(page, 'Guides').click()
  await expect(page.getByText('We can’t reach the server.', { exact: true })).toBeVisible()
  await expect(title(page)).toHaveText('Weekly Drops')
  // The subscription is checked again when the window regains focus.
  const check = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/check-subscription'))
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await check
  await expect(title(page)).toHaveText('Weekly Drops')

  await page.unroute('**/*')
  await withoutLibrary(page)
  await page.route('**/functions/v1/guides', (route) => route.abort('connectionreset'))
  await expect(page.getByRole('alert')).toContainText('We’ll keep trying')
  await page.unroute('**/functions/v1/guides')
  await expect(page.getByRole('main').getByText('Opening Week AI Playbook').first()).toBeVisible()
})
