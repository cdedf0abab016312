import type { Page } from '@playwright/test'
import { callAs } from './support/accounts.ts'
import { inspect } from './support/inspect.ts'
import { settle } from './support/layout.ts'
import { banner, expect, test } from './support/test.ts'

/** Left edge of the page's title, and of the publication's name above it. */
async function edges(page: Page) {
  const title = page.getByRole('heading', { level: 1 })
  await expect(title).toBeVisible()
  await settle(page)
  return {
    title: Math.round((await title.boundingBox())?.x ?? -1),
    name: Math.round((await banner(page).getByRole('link').first().boundingBox())?.x ?? -2),
  }
}

/** The lines that the first text of an element takes, without its line spacing. */
const spaceAbove = async (page: Page) => {
  const title = await page.getByRole('heading', { level: 1 }).boundingBox()
  const header = await banner(page).boundingBox()
  return (title?.y ?? 0) - (header?.y ?? 0) - (header?.height ?? 0)
}

test.describe('One edge for all titles:', () => {
  test('pages for visitors begin below the publication’s name', async ({ page }) => {
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      for (const path of [
        '/auth',
        '/auth/forgot',
        '/gift',
        '/unsubscribe',
        '/no-such-page',
        '/portal/safety',
        '/free',
        '/drops',
        '/drops/ten-minutes-in-your-close',
        '/glossary',
        '/auth/v1/verify?token=broken',
      ]) {
        await page.goto(path)
        const { title, name } = await edges(page)
        expect.soft(title, `${path} at ${width} px`).toBe(name)
      }
    }
  })

  test('pages for members do, and their titles keep their distance from the header on a phone', async ({
    page,
    loginAs,
    request,
  }) => {
    const account = await loginAs('team')
    const { issues } = await callAs<{ issues: { slug: string }[] }>(request, account, 'weekly-drops')
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      for (const path of [
        '/portal/weekly-drops',
        `/portal/weekly-drops/${issues[0]?.slug}`,
        '/portal/prompt-packs',
        '/portal/search?q=review',
        '/portal/assignments',
        '/account',
        '/account/team',
        '/account/billing',
      ]) {
        await page.goto(path)
        const { title, name } = await edges(page)
        expect.soft(title, `${path} at ${width} px`).toBe(name)
        expect.soft(await spaceAbove(page), `${path} at ${width} px`).toBeGreaterThanOrEqual(12)
      }
    }
  })
})

test('On a phone, actions of the billing page stand in one column at the right edge', async ({ page, loginAs }) => {
  await loginAs('pro')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/account/billing')
  const actions = page.getByRole('main').getByRole('button', { name: /Update card|See the cost/ })
  await expect(actions).toHaveCount(3)
  const rights = await actions.evaluateAll((buttons) =>
    buttons.map((button) => Math.round(button.getBoundingClientRect().right)),
  )
  expect(rights).toEqual([374, 374, 374])
})

test('On a phone, Copy keeps its distance from the text above it', async ({ page, loginAs }) => {
  await loginAs('pro')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/portal/prompt-packs')
  const copy = page.getByRole('button', { name: /^Copy/ })
  await expect(copy.first()).toBeVisible()
  const gaps = await page.locator('.ticket').evaluateAll((tickets) =>
    tickets.flatMap((ticket) => {
      const [button, text] = ['.ticket-copy', '.ticket-when'].map((part) => ticket.querySelector(part))
      if (!button?.checkVisibility() || !text) return []
      return [(button.firstElementChild ?? button).getBoundingClientRect().top - text.getBoundingClientRect().bottom]
    }),
  )
  expect(gaps.length).toBeGreaterThan(0)
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(8)
})

test('The page for gifts leads on when none are sold', async ({ page }) => {
  await page.route('**/functions/v1/gift-offer', (route) => route.fulfill({ json: { offer: null } }))
  await page.goto('/gift')
  const main = page.getByRole('main')
  await expect(main.getByRole('status')).toContainText('doesn’t sell gifts right now')
  await expect(main.getByRole('region', { name: 'What a year includes' }).getByRole('listitem')).toHaveCount(4)
  await inspect(page, 'gift-not-sold')
  await main.getByRole('link', { name: 'Find a drop to pass on' }).click()
  await expect(page).toHaveURL('/drops')
})

test('Search across everything shows the best of each kind, and all of one kind with a tap', async ({
  page,
  loginAs,
}) => {
  await loginAs('pro')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/portal/search?q=review')
  const drops = page.getByRole('region', { name: 'Weekly Drops' })
  await expect(drops.getByRole('listitem')).toHaveCount(4)
  await expect(page.getByRole('region', { name: 'Prompt Packs' })).toBeVisible()
  await inspect(page, 'search-all')
  await drops.getByRole('button', { name: /^Show all/ }).click()
  await expect(page).toHaveURL('/portal/search?q=review&in=drops')
  await expect(page.getByRole('main').getByRole('listitem').nth(10)).toBeVisible()
})

test('A member’s page begins with what staff need; details of signing in are folded', async ({ page, loginAs }) => {
  await loginAs('admin')
  await page.goto('/admin/members?search=pro%40frontcounter.test')
  await page.getByRole('link', { name: 'pro@frontcounter.test' }).click()
  const account = page.getByRole('region', { name: 'Account' })
  await expect(account.getByText('Last seen')).toBeVisible()
  await expect(account.getByText('Account ID', { exact: true })).toBeHidden()
  const titles = await page.getByRole('heading', { level: 3 }).allTextContents()
  expect(titles.slice(0, 2)).toEqual(['Sign-in and email', 'Account'])
  await account.getByText('Sign-in details and account ID').click()
  await expect(account.getByText('Account ID', { exact: true })).toBeVisible()
})
