import type { Locator, Page } from '@playwright/test'
import { focusAreas } from '#shared/domain/preferences.ts'
import { planKeys, plans } from '#tests/support/default-plans.ts'
import { allLooks } from './support/all-looks.ts'
import { planCard } from './support/checkout.ts'
import { layoutShifts, watchLayoutShifts } from './support/layout.ts'
import { takeover, watchTakeover } from './support/takeover.ts'
import { banner, expect, test } from './support/test.ts'

/** Until the returned function is called, the page is only what the server rendered. */
async function holdApplication(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/assets\/index-[^/]*\.js$/, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** The element for screen reader announcements. */
const liveRegion = (page: Page) => page.locator('body > [role=status]')

/** The texts of the header's links and buttons, without the publication's name. */
const headerTexts = async (page: Page) =>
  (
    await banner(page)
      .getByRole('navigation', { name: 'Account' })
      .getByRole('button')
      .or(banner(page).getByRole('navigation', { name: 'Account' }).getByRole('link'))
      .allInnerTexts()
  ).toSorted()

const headings = (within: Locator) => within.getByRole('heading', { level: 3 }).allInnerTexts()

test.describe('A visitor', () => {
  test('can sign in, get access and get started', async ({ page }) => {
    await watchTakeover(page)
    await page.goto('/')
    await expect(banner(page).getByRole('link', { name: 'Sign In' })).toBeVisible()
    expect(await headerTexts(page)).toEqual(['Sign In'])
    for (const key of planKeys) {
      await expect(planCard(page, key).getByRole('button')).toHaveText('Get Started')
      await expect(planCard(page, key)).toContainText(plans[key].priceText)
    }
    await expect(planCard(page, 'pro_yearly')).toContainText('Save $21 a year')
    await expect(planCard(page, 'team_monthly')).toContainText(/Up to 3 team members\s*3 people, including you/)

    for (const [key, compared] of [
      ['pro_monthly', '$120 a year'],
      ['pro_yearly', '$8.25 a month'],
      ['team_monthly', '$240 a year'],
    ] as const) {
      await expect(planCard(page, key)).toContainText(compared)
    }
    for (const title of ['Weekly Drops', 'Prompt Packs', 'Guides and Templates', 'Tool Picks']) {
      await expect(page.getByRole('heading', { level: 3, name: title, exact: true })).toBeVisible()
    }
    await expect(page.getByRole('heading', { level: 2, name: 'Choose Your Plan' })).toBeVisible()

    await takeover(page)
    await banner(page).getByRole('link', { name: 'Sign In' }).click()
    await expect(page).toHaveURL('/auth')
    await page.goBack()
    await page.getByRole('link', { name: 'Get Access' }).click()
    await expect(page).toHaveURL('/auth')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create your account')
    await expect(liveRegion(page)).toHaveText('Create your account · Front Counter')
  })

  test('can sign up with a click before the application has loaded', async ({ page }) => {
    const held = Promise.withResolvers<void>()
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto('/', { waitUntil: 'commit' })
    await page.getByRole('link', { name: 'Get Access' }).click()
    held.resolve()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create your account')
    // With the mode if the click came even before the script that keeps it for the application.
    await expect(page).toHaveURL(/\/auth(\?mode=sign-up)?$/)
  })

  test('can sign up after opening Get Access in a new tab', async ({ page }) => {
    await page.goto('/')
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Get Access' }).click({ button: 'middle' }),
    ])
    await expect(tab.getByRole('heading', { level: 1 })).toHaveText('Create your account')
  })

  test('loads no code of the sign-in, portal or admin pages, logs nothing to the console and sees no layout shift', async ({
    page,
  }) => {
    const scripts: Promise<string>[] = []
    const messages: string[] = []
    page.on('console', (message) => messages.push(`${message.type()}: ${message.text()}`))
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.push(response.text())
    })
    await watchLayoutShifts(page)
    await watchTakeover(page)
    await page.goto('/')
    await page.keyboard.press('Tab')
    await takeover(page)
    await page.waitForLoadState('networkidle')

    const code = (await Promise.all(scripts)).join('\n')
    const telltales = [
      'Read the whole drop',
      'Create your account',
      'grant_type=password',
      'Recommended for You',
      'Curated for You',
      'New This Week',
      'No preferences set',
    ]
    expect(telltales.filter((text) => code.includes(text))).toEqual(['Read the whole drop'])
    expect(messages).toEqual([])
    expect(await layoutShifts(page)).toEqual([])
  })

  for (const [name, interest] of [
    ['pressed a key', (page: Page) => page.keyboard.press('Tab')],
    ['stayed for four seconds', (page: Page) => page.clock.runFor(4_000)],
  ] as const) {
    test(`loads the application once they have ${name}, and nothing of it before`, async ({ page }) => {
      await watchTakeover(page)
      await page.clock.install()
      await page.clock.pauseAt(Date.now() + 60_000)
      await page.goto('/', { waitUntil: 'networkidle' })
      const scripts = () => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
      expect((await scripts()).filter((url) => /\/assets\/.*\.js$/.test(url))).toEqual([])
      await interest(page)
      await page.clock.resume()
      await takeover(page)
    })
  }

  test('chooses any focus area and sees the sample drop in another order, with nothing omitted and its steps together, and copies the sample prompt', async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/')
    const drop = page.getByRole('article', { name: 'Find ten minutes in your close, then prove it in payroll' })
    const before = await headings(drop)
    const steps = drop
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'steps that stay in order' }) })
    const stepsBefore = await steps.getByRole('listitem').allInnerTexts()
    expect(stepsBefore).toHaveLength(3)
    for (const area of focusAreas) {
      const button = drop.getByRole('button', { name: area })
      await button.click()
      await expect(button).toHaveAttribute('aria-pressed', 'true')
      await expect(drop.getByRole('status')).toContainText(`${area} comes first now.`)
      await expect(drop.getByRole('listitem').first()).toContainText(area)
      expect((await headings(drop)).toSorted()).toEqual(before.toSorted())
      expect(await steps.getByRole('listitem').allInnerTexts()).toEqual(stepsBefore)
    }
    expect(await headings(drop)).not.toEqual(before)
    await drop.getByRole('button', { pressed: true }).click()
    expect(await headings(drop)).toEqual(before)

    await page.getByRole('button', { name: 'Copy: Closing handover note' }).click()
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toContain('I am closing [Store name] on [day and shift].')
    await expect(liveRegion(page)).toHaveText('Copied: Closing handover note')
  })

  test('who has started to read stays at the same place when the application loads', async ({ page }) => {
    const arrive = await holdApplication(page)
    await watchTakeover(page)
    await page.goto('/')
    await page.getByText('Every plan includes everything').scrollIntoViewIfNeeded()
    const place = await page.evaluate(() => window.scrollY)
    expect(place).toBeGreaterThan(500)
    arrive()
    await takeover(page)
    expect(await page.evaluate(() => window.scrollY)).toBe(place)
  })

  test('keeps a theme chosen before the application has loaded, also after a reload', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light' })
    const arrive = await holdApplication(page)
    await watchTakeover(page)
    await page.goto('/')
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    const light = await background()
    await page.getByRole('radio', { name: 'Dark' }).check()
    arrive()
    await takeover(page)
    await expect.poll(background).not.toBe(light)
    await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
    const dark = await background()
    await page.reload()
    expect(await background()).toBe(dark)
    await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
    await takeover(page)
    await page.getByRole('radio', { name: 'System' }).check()
    await expect.poll(background).toBe(light)
  })
})

test.describe('Without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the landing page is readable and its links work', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Choose Your Plan' })).toBeVisible()
    for (const key of planKeys) await expect(planCard(page, key)).toContainText(plans[key].priceText)
    await expect(page.getByRole('contentinfo')).toContainText('© 2025')
    await expect(page.getByRole('link', { name: 'Get Access' })).toHaveAttribute('href', '/auth?mode=sign-up')
    await expect(page.getByText('Loading...')).toHaveCount(0)
  })
})

test.describe('A user without a subscription', () => {
  test('can choose a plan, which scrolls to the plans, and sign out', async ({ page, loginAs }) => {
    await loginAs('new')
    await watchLayoutShifts(page)
    await page.goto('/')
    const choose = page.getByRole('link', { name: 'Choose a Plan' })
    await expect(choose).toBeVisible()
    await expect(banner(page).getByRole('button', { name: 'Sign Out' })).toBeVisible()
    expect(await headerTexts(page)).toEqual(['', 'Sign Out'])
    await expect(banner(page).getByRole('link', { name: 'Account' })).toHaveAttribute('href', '/account')
    for (const key of planKeys) await expect(planCard(page, key).getByRole('button')).toHaveText('Get Started')
    expect(await layoutShifts(page)).toEqual([])

    const title = page.getByRole('heading', { name: 'Choose Your Plan' })
    await expect(title).not.toBeInViewport()
    await choose.click()
    await expect(title).toBeInViewport()
    await expect(page).toHaveURL('/#pricing')
  })
})

test('The name in the header is painted where it stays, however little of the page has arrived', async ({ page }) => {
  await page.goto('/')
  for (const width of [360, 390, 768, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    const [whole, alone] = await banner(page).evaluate((header) => {
      const name = header.querySelector('a')
      const box = () => JSON.stringify(name?.getBoundingClientRect())
      const whole = box()
      const rest = [...header.querySelectorAll<HTMLElement>('a ~ *, nav')]
      for (const element of rest) element.style.display = 'none'
      const alone = box()
      for (const element of rest) element.style.display = ''
      return [whole, alone]
    })
    expect(alone, `${width} px`).toBe(whole)
  }
})

test('No layout shift while the page learns that a subscriber is signed in, on a phone and a desktop', async ({
  page,
  loginAs,
}) => {
  await loginAs('pro')
  await watchLayoutShifts(page)
  for (const width of allLooks ? [360, 390, 768, 1280] : [360, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/')
    await expect(page.getByRole('link', { name: 'Enter Portal' })).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(await layoutShifts(page), `${width} px`).toEqual([])
  }
})

test.describe('A subscriber', () => {
  test('is linked to the portal and sees which plan is the current one', async ({ page, loginAs }) => {
    await loginAs('pro')
    await watchLayoutShifts(page)
    await page.goto('/')
    await expect(page.getByRole('link', { name: 'Enter Portal' })).toBeVisible()
    await expect(banner(page).getByRole('link', { name: 'Go to Portal' })).toBeVisible()
    expect(await headerTexts(page)).toEqual(['Go to Portal', 'Sign Out'])
    const current = planCard(page, 'pro_monthly').getByRole('button')
    await expect(current).toHaveText('Current Plan')
    await expect(current).toBeDisabled()
    for (const key of ['pro_yearly', 'team_monthly'] as const) {
      await expect(planCard(page, key).getByRole('button', { name: 'Get Started' })).toBeEnabled()
    }
    expect(await layoutShifts(page)).toEqual([])

    await page.getByRole('link', { name: 'Enter Portal' }).click()
    await expect(page).toHaveURL('/portal/weekly-drops')
    await page.goto('/')
    await banner(page).getByRole('link', { name: 'Go to Portal' }).click()
    await expect(page).toHaveURL('/portal/weekly-drops')
  })
})
