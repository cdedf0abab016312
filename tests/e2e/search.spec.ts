import type { Page } from '@playwright/test'
import { inspect } from './support/inspect.ts'
import { banner, expect, test } from './support/test.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Search' })
const box = (page: Page) => page.getByRole('combobox', { name: 'Search the portal' })

test('finds a section by keyboard alone, despite a typo, and lands on it with the focus', async ({ page, loginAs }) => {
  await loginAs('pro')
  await page.goto('/portal/tools')
  await expect(page.getByRole('heading', { name: 'ChatGPT' })).toBeVisible()
  const loaded = Promise.withResolvers<void>()
  await page.route(/\/search-dialog-[^/]+\.js$/, async (route) => {
    await loaded.promise
    await route.continue()
  })
  await page.keyboard.press('/')
  await page.keyboard.type('sort ')
  loaded.resolve()
  await expect(box(page)).toBeFocused()
  await expect(box(page)).toHaveValue('sort ')
  await page.keyboard.type('reveiws by hand')
  await expect(dialog(page).getByText('Showing results for reviews')).toBeVisible()
  const results = dialog(page).getByRole('option')
  await expect(results.first()).toHaveAttribute('aria-selected', 'true')
  await expect(results.first().locator('mark').first()).toBeVisible()
  await inspect(page, 'search-dialog')

  await page.keyboard.press('ArrowDown')
  await expect(results.nth(1)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowUp')
  await expect(results.first()).toContainText('Sort by hand before you write')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/portal/weekly-drops/a-week-of-reviews#sort-by-hand')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Sort by hand before you write' })).toBeFocused()

  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('royalty')
  await expect(box(page)).toBeFocused()
  await expect(box(page)).toHaveValue('royalty')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)

  await page.goto('/portal/archive')
  await page.getByRole('button', { name: /^Marketing/ }).click()
  await expect(page).toHaveURL('/portal/archive?tag=Marketing')
  await inspect(page, 'archive')
})

test('on a phone: opens full-screen, filters, and keeps the search in the address', async ({ page, loginAs }) => {
  await page.setViewportSize({ width: 360, height: 780 })
  await loginAs('pro')
  await page.goto('/portal/weekly-drops')
  await banner(page).getByRole('button', { name: 'Search' }).click()
  await box(page).fill('catering')
  await expect(dialog(page).getByRole('option').first()).toBeVisible()
  expect(await dialog(page).boundingBox()).toMatchObject({ x: 0, y: 0, width: 360, height: 780 })
  await dialog(page).getByRole('button', { name: 'Prompt Packs' }).click()
  await expect(dialog(page).getByRole('group')).toHaveCount(1)
  await dialog(page).getByRole('link', { name: 'See all results and filters' }).click()
  await expect(page).toHaveURL('/portal/search?q=catering&in=prompts')
  const prompt = page.getByRole('main').getByRole('link', { name: /First catering email/ })
  await expect(prompt).toBeVisible()

  await page.getByText('More filters').click()
  await page.getByRole('button', { name: 'Advanced' }).click()
  await expect(page).toHaveURL('/portal/search?q=catering&in=prompts&level=advanced')
  await expect(prompt).toHaveCount(0)
  await page.goBack()
  await expect(page).toHaveURL('/portal/search?q=catering&in=prompts')
  await inspect(page, 'search')
  await prompt.click()
  await expect(page).toHaveURL('/portal/prompt-packs#sales-catering-outreach')
})

test('questions owners ask are one tap away, and “how do I cancel” leads to the billing page', async ({
  page,
  loginAs,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await loginAs('pro')
  await page.goto('/portal/weekly-drops')
  await banner(page).getByRole('button', { name: 'Search' }).click()
  await inspect(page, 'search-questions')
  await dialog(page).getByRole('button', { name: 'How do I cancel?' }).click()
  await expect(box(page)).toHaveValue('How do I cancel?')
  await expect(box(page)).toBeFocused()
  const help = dialog(page).getByRole('group', { name: 'Help and account' })
  await expect(help.getByRole('option')).toHaveText([/Cancel your plan/])
  await expect(dialog(page).getByRole('status')).toHaveText(/result/)
  await inspect(page, 'search-help')
  await help.getByRole('option').click()
  await expect(page).toHaveURL('/account/billing')
})
