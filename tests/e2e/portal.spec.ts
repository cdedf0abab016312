import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { savePreferences } from './support/accounts.ts'
import { allLooks } from './support/all-looks.ts'
import { watchCalls } from './support/api-calls.ts'
import { layoutShifts, watchLayoutShifts } from './support/layout.ts'
import { failCall } from './support/refuse.ts'
import { banner, expect, test, toast, toasts } from './support/test.ts'

const drops = {
  close: 'Find ten minutes in your close, then prove it in payroll',
  estimates: 'Follow up every open estimate without giving AI one customer name',
  reviews: 'A week of reviews, answered in one sitting',
  ads: 'Claim back the local ad money you already spent',
  fees: 'Audit one week of delivery and marketplace fees',
  year: 'Review your year-end P&L before the books close',
}

const mainHeadings = (page: Page, level: number) => page.getByRole('main').getByRole('heading', { level })
const dropTitles = (page: Page) => page.getByRole('main').getByRole('heading', { level: 2 }).getByRole('link')
const tab = (page: Page, name: string) => page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name })

test.describe('Access', () => {
  test('redirects a visitor to the sign-in page', async ({ page }) => {
    for (const path of ['/portal', '/portal/guides', '/account', '/admin']) {
      await page.goto(path)
      await expect(page, path).toHaveURL('/auth')
    }
  })

  test('redirects a user without a subscription home and says why', async ({ page, loginAs }) => {
    await loginAs('new')
    await page.goto('/portal/tools')
    const notice = toast(page, 'You need an active subscription to access the portal')
    // It stays while the pointer rests on it.
    await notice.hover()
    await expect(notice).toHaveAttribute('data-type', 'error')
    await expect(page).toHaveURL('/')
    await expect(toasts(page)).toHaveCount(1)
  })

  test('starts with the weekly drops and has a tab for each section', async ({ page, loginAs }) => {
    await loginAs('pro')
    await page.goto('/portal')
    await expect(page).toHaveURL('/portal/weekly-drops')
    await expect(page).toHaveTitle(/^Weekly Drops/)
    const header = banner(page)
    await expect(header.getByRole('button', { name: 'Manage' })).toBeVisible()
    await expect(header.getByRole('button', { name: 'Sign Out' })).toBeVisible()
    await expect(header.getByRole('link', { name: 'Admin' })).toHaveCount(0)
    for (const [name, path, title] of [
      ['Prompt Packs', '/portal/prompt-packs', 'Prompt Packs'],
      ['Guides', '/portal/guides', 'Guides and Templates'],
      ['Tools', '/portal/tools', 'Tool Picks'],
      ['Weekly Drops', '/portal/weekly-drops', 'Weekly Drops'],
    ] as const) {
      await tab(page, name).click()
      await expect(page).toHaveURL(path)
      await expect(mainHeadings(page, 1)).toHaveText(title)
      await expect(tab(page, name)).toHaveAttribute('aria-current', 'page')
    }
    await tab(page, 'Tools').click()
    await header.getByRole('link', { name: /Front Counter/ }).click()
    await expect(page).toHaveURL('/portal/weekly-drops')
  })

  test('ends with the session', async ({ page, signUp, login }) => {
    await login(await signUp())
    await page.goto('/account/preferences')
    await banner(page).getByRole('button', { name: 'Sign Out' }).click()
    await expect(page).toHaveURL('/auth')
    await page.goto('/portal')
    await expect(page).toHaveURL('/auth')
  })
})

for (const [group, pages] of [
  [
    'what subscribers read',
    [
      ['/portal/weekly-drops', drops.reviews],
      ['/portal/prompt-packs', '24 prompts'],
      ['/portal/guides', 'Opening Week AI Playbook'],
      ['/portal/tools', 'NotebookLM'],
    ],
  ],
  [
    'pages that texts link to',
    [
      ['/portal/start-here', 'Write down the limits'],
      ['/portal/glossary', 'Royalty base'],
      ['/portal/safety', 'Anything about a child.'],
    ],
  ],
] as const) {
  test(`A cold load takes at most two round trips, requests nothing twice and has no layout shift: ${group}`, async ({
    context,
    loginAs,
  }) => {
    await loginAs('pro')
    for (const [path, shown] of pages) {
      const page = await context.newPage()
      await watchLayoutShifts(page)
      // Longer than a busy machine takes between two requests that don't wait for each other.
      const calls = await watchCalls(page, 4_000)
      await page.goto(path)
      await expect(page.getByRole('main').getByText(shown).first()).toBeVisible()
      await page.waitForLoadState('networkidle')
      expect(calls.longestChain(), `${path}: ${calls.names().join('\n')}`).toBeLessThanOrEqual(2)
      expect(calls.names().toSorted(), path).toEqual([...new Set(calls.names())].toSorted())
      expect(await layoutShifts(page), path).toEqual([])
      await page.close()
    }
  })
}

test('A font that arrives while the page is loading moves nothing', async ({ page, loginAs }) => {
  await loginAs('pro')
  await watchLayoutShifts(page)
  const fonts = Promise.withResolvers<void>()
  await page.route(/\.woff2$/, async (route) => {
    await fonts.promise
    await route.continue()
  })
  // Never answered: the page keeps loading.
  await page.route('**/functions/v1/check-subscription', () => {})
  await page.goto('/portal/weekly-drops', { waitUntil: 'commit' })
  await expect(page.getByText('Loading...')).toBeVisible()
  fonts.resolve()
  expect(await layoutShifts(page)).toEqual([])
})

test('No layout shift while an account page loads, on a phone and on a desktop', async ({ page, loginAs }) => {
  await loginAs('team')
  await watchLayoutShifts(page)
  for (const width of allLooks ? [390, 1280] : [390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of ['profile', 'business', 'preferences', 'email', 'security', 'billing', 'data']) {
      await page.goto(`/account/${path}`)
      await page.waitForLoadState('networkidle')
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      expect(await layoutShifts(page), `${path}, ${width} px`).toEqual([])
    }
  }
})

test.describe('Weekly drops', () => {
  test('follow the focus areas, the newest is marked, and a banner says so', async ({ page, loginAs }) => {
    await loginAs('pro') // Marketing and Customer Service
    await page.goto('/portal/weekly-drops')
    await expect(dropTitles(page)).toHaveText([drops.reviews, drops.ads, drops.close])
    const newest = page.getByRole('main').getByRole('listitem').filter({ hasText: drops.close }).first()
    await expect(newest).toContainText(/This week|Latest/)
    const recommended = page.getByRole('region', { name: 'Recommended for You' })
    await expect(recommended).toContainText('Marketing and Customer Service')
    await expect(recommended).toContainText('Beginner')

    const first = page.getByRole('main').getByRole('listitem').filter({ hasText: drops.reviews }).first()
    await expect(first).toContainText(/\d+ min read/)
    await expect(first.getByRole('time')).toHaveText(/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/)
    await expect(first.getByRole('list', { name: 'Tags' }).getByRole('listitem')).toHaveText([
      'Customer Service',
      'Marketing',
    ])
  })

  test('are all in the list: three first, the others by month in an archive, and one that came since the last visit is unread until it is opened', async ({
    page,
    request,
    signUpSubscriber,
    login,
  }) => {
    const account = await signUpSubscriber()
    await savePreferences(request, account, { focusAreas: ['Marketing', 'Customer Service'] })
    await login(account)
    const came = 'follow-up-open-estimates'
    await page.route('**/functions/v1/item-marks', async (route) => {
      const isList = route.request().postDataJSON().scope.kind === 'issues'
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), ...(isList && { newIssues: [came] }) } })
    })
    await page.goto('/portal/weekly-drops')
    await expect(page.getByText('Unread', { exact: true })).toHaveCount(1)
    const archive = page.getByRole('region', { name: 'Archive' })
    await expect(archive.getByRole('heading', { level: 3 })).toHaveText([
      'November 2026',
      'October 2026',
      'September 2026',
    ])
    const days = await archive
      .getByRole('time')
      .evaluateAll((times) => times.map((time) => time.getAttribute('datetime')))
    expect(days).toEqual(days.toSorted().reverse())
    const titles = await page.getByRole('main').locator('a[href^="/portal/weekly-drops/"]').allInnerTexts()
    expect(titles.length).toBeGreaterThanOrEqual(12)
    expect(titles).toEqual([...new Set(titles)])

    const row = archive.getByRole('listitem').filter({ hasText: drops.estimates })
    await expect(row).toContainText('Sales, Technology')
    await expect(row.getByText('Unread')).toBeVisible()
    await row.getByRole('link', { name: drops.estimates }).click()
    await expect(mainHeadings(page, 1)).toHaveText(drops.estimates)
    await expect(page).toHaveTitle(new RegExp(drops.estimates))
    await expect(page.getByRole('navigation', { name: 'In this drop' }).getByRole('link')).not.toHaveCount(0)
    await page.getByRole('link', { name: 'All weekly drops' }).click()
    await expect(row.getByText('Unread')).toHaveCount(0)
  })

  test('say what they are worth, show matching sections first and why, keep the steps together, and the example fits the trade', async ({
    page,
    loginAs,
  }) => {
    await loginAs('team') // Sales and Finance
    await page.goto('/portal/weekly-drops')
    await expect(dropTitles(page)).toHaveText([drops.close, drops.estimates, drops.year])
    await dropTitles(page).first().click()
    await expect(page).toHaveURL('/portal/weekly-drops/ten-minutes-in-your-close')
    const regions = page.getByRole('main').getByRole('region')
    await expect(regions.first()).toContainText('2 people × 10 minutes × 4 nights = 80 minutes a week')
    await expect(regions.nth(1)).toContainText('Up front because you chose Finance')
    await expect(regions.nth(1)).toContainText('Tool note')
    await expect(page.getByText(/^Up front because/)).toHaveCount(1)
    const steps = page.getByRole('region', { name: 'Step by step' })
    await expect(steps.getByRole('heading', { level: 2 })).toHaveText([
      'Step 1: Time three closes before you change anything',
      'Step 2: Have the tasks sorted inside your rules',
      'Step 3: Judge the answer on the longer list',
    ])
    for (const kind of ['Prompt of the week', 'Question for your franchisor', 'Rule to know']) {
      await expect(page.getByRole('main').getByRole('region').getByText(kind, { exact: true })).toBeVisible()
    }
    await expect(page.getByRole('region', { name: 'Your question until the next drop' })).toContainText(
      'Which task did you move, and what got worse?',
    )
    await expect(page.getByText('Last checked Nov 28, 2026')).toBeVisible()

    // The team is in Health & Fitness; another choice is remembered.
    const trade = page.getByRole('combobox', { name: 'Example for' })
    await expect(trade).toHaveValue('fitness')
    await expect(page.getByText('In a studio these are usually FIXED')).toBeVisible()
    await trade.selectOption('Automotive')
    await expect(page.getByText('In an oil-change shop these are usually FIXED')).toBeVisible()
    await expect(page.getByText('In a studio these are usually FIXED')).toHaveCount(0)
    await page.goto('/portal/weekly-drops/year-end-pl-review')
    await expect(trade).toHaveValue('automotive')
    await expect(page.getByText('two names for one vendor')).toBeVisible()
  })

  test('scroll to a linked section, in the same drop and in another one', async ({ page, loginAs }) => {
    await loginAs('pro')
    await page.goto('/portal/weekly-drops/ten-minutes-in-your-close#last-hour')
    await expect(page.getByRole('heading', { name: 'What the last hour sells' })).toBeInViewport()
    const text = page.getByRole('region', { name: 'Step by step' })
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    await text.getByRole('link', { name: 'time clock' }).click()
    const clock = page.getByRole('heading', { name: 'Let the time clock settle it' })
    await expect(clock).toBeInViewport()
    await expect(clock).toBeFocused()
    await expect(page).toHaveURL('/portal/weekly-drops/ten-minutes-in-your-close#time-clock')
    await page.getByRole('link', { name: 'differ by state and city' }).click()
    await expect(page).toHaveURL('/portal/weekly-drops/schedules-with-notice')
    await expect(page.getByRole('heading', { level: 1, name: 'Post schedules with notice' })).toBeVisible()
    const last = page.getByRole('navigation', { name: 'In this drop' }).getByRole('link').last()
    const anchor = new URL((await last.getAttribute('href')) ?? '', page.url()).hash
    await last.click()
    await expect(page.locator(anchor)).toBeInViewport()
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
  })

  test('say why the first section matches, and let a reader copy each prompt, with its placeholders marked', async ({
    page,
    loginAs,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await loginAs('pro')
    await page.goto('/portal/weekly-drops/a-week-of-reviews')
    // The first section matches although it was written first.
    const first = page.getByRole('region', { name: 'What changed: Google tightened its rules for asking' })
    await expect(first.getByText('Up front because you chose Marketing')).toBeVisible()
    await expect(page.getByText(/^Up front because/)).toHaveCount(1)
    const prompt = page.getByRole('blockquote').filter({ hasText: 'Draft a public reply to a review' })
    await expect(prompt.locator('mark').first()).toHaveText('[Type of business]')
    await prompt.getByRole('button', { name: 'Copy: Draft a public reply to a' }).click()
    const readClipboard = () => page.evaluate(() => navigator.clipboard.readText())
    await expect
      .poll(readClipboard)
      .toMatch(/^Draft a public reply to a review of a \[Type of business\]\. A manager edits and posts it\./)
    const copied = await readClipboard()
    expect(copied).toMatch(/\n\nFACTS: \[two to four lines, true and allowed in public\]\./)
    expect(copied).toMatch(/\n\nREVIEW: \[Review\]$/)
  })

  test('keep the default order, without an error, if personalization fails', async ({ page, loginAs }) => {
    const logged: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') logged.push(message.text())
    })
    await loginAs('pro')
    await failCall(page, 'personalize-content')
    await page.goto('/portal/weekly-drops')
    await expect(dropTitles(page)).toHaveText([drops.close, drops.estimates, drops.reviews])
    await expect(page.getByText('Recommended for You')).toHaveCount(0)
    await expect(toasts(page)).toHaveCount(0)
    expect(logged.join('\n')).toContain('Personalization failed')
  })

  test('can be retried after failing to load, and say so at an unknown URL', async ({ page, loginAs }) => {
    await loginAs('pro')
    await failCall(page, 'weekly-drops', 403)
    await page.goto('/portal/weekly-drops')
    await expect(page.getByRole('alert')).toContainText('We couldn’t load the weekly drops')
    await page.unroute('**/functions/v1/weekly-drops')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(dropTitles(page)).toHaveCount(3)
    await page.goto('/portal/weekly-drops/never-written')
    await expect(mainHeadings(page, 1)).toHaveText('We couldn’t find that drop')
    await page.getByRole('link', { name: 'See all weekly drops' }).click()
    await expect(page).toHaveURL('/portal/weekly-drops')
  })
})

test.describe('Prompt packs', () => {
  test('show three samples per category and the rest after one click, and are searched all at once', async ({
    page,
    loginAs,
  }) => {
    await loginAs('pro') // Marketing and Customer Service
    await page.goto('/portal/prompt-packs')
    await expect(page.getByRole('region', { name: 'Curated for You' })).toBeVisible()
    for (const [title, count] of [
      ['Operations', 24],
      ['Marketing', 18],
      ['Sales', 15],
    ] as const) {
      const category = page.getByRole('region', { name: title })
      const prompts = category.getByRole('heading', { level: 3 })
      await expect(category).toContainText(`${count} prompts`)
      await expect(prompts).toHaveCount(3)
      await category.getByRole('button', { name: `Show all ${count}` }).click()
      await expect(prompts).toHaveCount(count)
      await category.getByRole('button', { name: 'Show only three' }).click()
      await expect(prompts).toHaveCount(3)
    }

    const search = page.getByRole('searchbox', { name: 'Search all prompts' })
    const packs = mainHeadings(page, 2).filter({ hasNotText: 'Curated for You' })
    await expect(page.getByRole('search').getByRole('status')).toHaveText('57 prompts in all packs')
    await search.fill('closing handover')
    await expect(packs).toHaveText(['Operations'])
    await expect(mainHeadings(page, 3).first()).toHaveText('Closing handover note')
    await search.fill('review')
    await expect.poll(() => packs.count()).toBeGreaterThan(1)
    await search.fill('no such words anywhere')
    await expect(page.getByText('No matching prompts.')).toBeVisible()
    await page.getByRole('button', { name: 'Clear search' }).click()
    await expect(packs).toHaveCount(3)
    await page.getByRole('combobox', { name: 'Trade of the worked example' }).selectOption('Fitness')
    await expect(page.getByRole('search').getByRole('status')).toHaveText(/^[1-9]\d* prompts found$/)
    await mainHeadings(page, 3).first().getByRole('button').click()
    await expect(page.getByText('Worked example: Fitness').first()).toBeVisible()
  })

  test('can be copied, searched and expanded before all of them are here', async ({ page, loginAs, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await loginAs('pro')
    const all = Promise.withResolvers<void>()
    await page.route('**/functions/v1/prompt-packs', async (route) => {
      await all.promise
      await route.continue()
    })
    await page.goto('/portal/prompt-packs')
    const operations = page.getByRole('region', { name: 'Operations' })
    await operations.getByRole('button', { name: 'Copy: Closing handover note' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('I am closing [Store name]')
    await expect(page.getByRole('search').getByRole('status')).toHaveText('57 prompts in all packs')
    await operations.getByRole('button', { name: 'Show all 24' }).click()
    const search = page.getByRole('searchbox', { name: 'Search all prompts' })
    await search.fill('closing handover')
    const found = page.getByRole('search').getByRole('status')
    await expect(found).toHaveText('Searching…')
    all.resolve()
    await expect(found).toHaveText(/\d prompts? found/)
    await search.fill('')
    await expect(operations.getByRole('heading', { level: 3 })).toHaveCount(24)
    await search.fill('why we lose quotes')
    await expect(mainHeadings(page, 3)).toHaveText(['Why we lose quotes'])
  })

  test('say that a search has only the first of them if the rest can’t be loaded, and load them on retry', async ({
    page,
    loginAs,
  }) => {
    await loginAs('pro')
    await failCall(page, 'prompt-packs', 403)
    await page.goto('/portal/prompt-packs')
    await page.getByRole('searchbox', { name: 'Search all prompts' }).fill('closing handover')
    const found = page.getByRole('search').getByRole('status')
    await expect(found).toHaveText('1 prompt found so far')
    await page.unroute('**/functions/v1/prompt-packs')
    await page.getByRole('button', { name: 'Try again' }).press('Enter')
    await expect(found).toHaveText(/\d prompts? found$/)
    await expect(page.getByRole('main')).toBeFocused()
  })

  test('show the reader’s categories first and mark them with an icon', async ({ page, loginAs }) => {
    await loginAs('team') // Sales and Finance
    await page.goto('/portal/prompt-packs')
    await expect(mainHeadings(page, 2).filter({ hasNotText: 'Curated for You' })).toHaveText([
      'Sales',
      'Operations',
      'Marketing',
    ])
    const mark = { name: 'Priority for you' }
    await expect(page.getByRole('region', { name: 'Sales' }).getByRole('img', mark)).toBeVisible()
    await expect(page.getByRole('region', { name: 'Operations' }).getByRole('img', mark)).toHaveCount(0)
  })

  test('say what may go in before a click copies the prompt verbatim, and what to check in the answer', async ({
    page,
    loginAs,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await loginAs('pro')
    await page.goto('/portal/prompt-packs')
    const prompt = page
      .getByRole('region', { name: 'Operations' })
      .getByRole('listitem')
      .filter({ hasText: 'Closing handover note' })
      .first()
    await expect(prompt.getByRole('link', { name: 'No personal data' })).toHaveAttribute('href', '/portal/safety')
    await expect(prompt).toContainText('5 min · Beginner · 3 blanks to fill in')
    await expect(prompt.getByText('Check in the answer')).toBeHidden()
    await prompt.getByRole('button', { name: 'Copy: Closing handover note' }).click()
    const readClipboard = () => page.evaluate(() => navigator.clipboard.readText())
    await expect.poll(readClipboard).toContain('I am closing [Store name] on [day and shift].')
    const copied = await readClipboard()

    const unfold = prompt.getByRole('button', { name: 'Closing handover note', exact: true })
    await unfold.click()
    await expect(unfold).toHaveAttribute('aria-expanded', 'true')
    const shown = await prompt.getByText('I am closing').innerText()
    expect(copied.trim()).toBe(shown.trim())

    await expect(prompt.getByRole('heading', { name: 'Check in the answer' })).toBeVisible()
    const example = prompt.getByText('Worked example: Food')
    await expect(example).toContainText('Written for illustration')
    await expect(prompt.getByText('The mistake')).toBeHidden()
    await example.click()
    await expect(prompt.getByRole('term')).toHaveText(['Goes into the blanks', 'Answer', 'The mistake', 'Corrected'])
    await expect(prompt.getByRole('term').last()).toBeVisible()
  })

  test('open at the prompt that a link names, also on a page that is open already', async ({ page, loginAs }) => {
    await loginAs('pro')
    for (const [id, title] of [
      ['operations-weekly-schedule', 'Next week’s coverage by role and hour'],
      ['sales-lost-quote-patterns', 'Why we lose quotes'],
    ] as const) {
      await page.goto(`/portal/prompt-packs#${id}`)
      const linked = page.getByRole('button', { name: title, exact: true })
      await expect(linked).toBeFocused()
      await expect(linked).toBeInViewport()
      await expect(linked).toHaveAttribute('aria-expanded', 'true')
    }
  })

  test('on a phone, are reached from an index, and lead back to the drop that uses them', async ({ page, loginAs }) => {
    await page.setViewportSize({ width: 360, height: 780 })
    await loginAs('pro')
    await page.goto('/portal/prompt-packs')
    await page.getByRole('navigation', { name: 'Packs' }).getByRole('link', { name: 'Operations 24' }).click()
    await expect(page.getByRole('heading', { level: 2, name: 'Operations' })).toBeFocused()
    const prompt = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { level: 3, name: 'Closing handover note' }) })
    const drop = prompt.getByText('From the drop').getByRole('link')
    await expect(drop).toBeHidden()
    await prompt.getByRole('button', { name: 'Closing handover note', exact: true }).click()
    const title = await drop.innerText()
    await drop.click()
    await expect(mainHeadings(page, 1)).toContainText(title)
  })
})

test.describe('In print', () => {
  const chrome = (page: Page) =>
    page
      .getByRole('banner')
      .or(page.getByRole('contentinfo'))
      .or(page.getByRole('navigation'))
      .or(page.getByRole('search'))
      .or(page.getByRole('button', { name: /^(Copy|Copied|Show|Download)/ }))
      .or(page.getByText('Unread', { exact: true }))
      .filter({ visible: true })

  test('the packs contain all of their prompts in full, with placeholders marked, and one is printed alone', async ({
    page,
    loginAs,
  }) => {
    await loginAs('pro')
    await page.goto('/portal/prompt-packs')
    await page.emulateMedia({ media: 'print' })
    await expect(mainHeadings(page, 3)).toHaveCount(57)
    const bodies = page.getByRole('main').locator('li p.whitespace-pre-line').filter({ visible: true })
    await expect(bodies).toHaveCount(57)
    await expect(page.locator('mark', { hasText: '[Store name]' }).first()).toBeVisible()
    await expect(chrome(page)).toHaveCount(0)
    // The first pack starts below the title, each other pack on a new sheet.
    const packs = mainHeadings(page, 2).locator('xpath=ancestor::section[1]')
    await expect(packs.nth(0)).toHaveCSS('break-before', 'auto')
    await expect(packs.nth(1)).toHaveCSS('break-before', 'page')
    await expect(mainHeadings(page, 4).filter({ visible: true })).toHaveText(Array(57).fill('Check in the answer'))

    await page.emulateMedia({ media: null })
    await page.evaluate(() => {
      window.print = () => {}
    })
    await page.getByRole('button', { name: 'Print all 15 in Sales' }).click()
    await page.emulateMedia({ media: 'print' })
    await expect(mainHeadings(page, 3).filter({ visible: true })).toHaveCount(15)
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(0)
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    await expect(mainHeadings(page, 3).filter({ visible: true })).toHaveCount(57)
  })

  test('pages are their text alone, without navigation', async ({ page, loginAs }) => {
    await loginAs('pro')
    for (const [path, text] of [
      ['/portal/weekly-drops/a-week-of-reviews', 'Sort by hand before you write'],
      ['/portal/guides', 'Six conditions to check before you start'],
      ['/portal/glossary', 'Royalty base'],
      ['/portal/tools', 'Watch out'],
      ['/portal/safety', 'Anything about a child.'],
    ] as const) {
      const shown = page.getByRole('main').getByText(text).filter({ visible: true }).first()
      await page.emulateMedia({ media: null })
      await page.goto(path)
      await expect(shown).toBeVisible()
      await page.emulateMedia({ media: 'print' })
      await expect(shown).toBeVisible()
      await expect(chrome(page)).toHaveCount(0)
      if (path.startsWith('/portal/weekly-drops/')) {
        await expect(mainHeadings(page, 2).filter({ visible: true })).toHaveCount(13)
        await expect(page.getByText('Last checked')).toBeVisible()
      }
      if (path === '/portal/tools') {
        await expect(page.getByRole('table').getByRole('row')).not.toHaveCount(0)
        await expect(page.getByRole('table')).not.toContainText('..')
      }
    }
    await page.emulateMedia({ media: null })
    for (const format of ['Letter', 'A4'] as const) {
      const pdf = (await page.pdf({ format })).toString('latin1')
      expect(pdf.match(/\/Type\s*\/Page\b/g), `sheets of the safety rules, ${format}`).toHaveLength(1)
    }
  })
})

test.describe('Guides', () => {
  test('describe themselves, show their pages, and are downloaded as a real file, which is counted', async ({
    page,
    loginAs,
  }) => {
    await loginAs('pro')
    await page.goto('/portal/guides')
    const guides = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { level: 2 }) })
    await expect(guides).toHaveCount(4)
    await expect(guides.filter({ has: page.getByText('Playbook', { exact: true }) })).toHaveCount(2)
    await expect(guides.filter({ has: page.getByText('Template', { exact: true }) })).toHaveCount(2)
    // Those that no test downloads.
    for (const downloads of ['189', '156']) {
      await expect(guides.filter({ has: page.getByText(downloads, { exact: true }) })).toHaveCount(1)
    }
    for (const guide of await guides.all()) {
      await expect(guide.getByRole('button', { name: 'Download' })).toHaveCount(1)
    }

    const scorecard = guides.filter({ has: page.getByRole('heading', { name: 'AI Pilot Scorecard' }) })
    await expect(scorecard.getByRole('img', { name: 'Cover' })).toBeVisible()
    await scorecard.getByRole('button', { name: 'Page 2 of 5' }).click()
    const dialog = page.getByRole('dialog', { name: 'AI Pilot Scorecard' })
    const shown = dialog.getByRole('img')
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(400)
    await dialog.getByRole('button', { name: 'Next' }).click()
    await expect(dialog.getByRole('status')).toHaveText('3 of 5')
    await dialog.getByRole('button', { name: 'Previous' }).click()
    await expect(shown).toHaveAccessibleName('Page 2')
    await page.keyboard.press('Escape')
    await expect(scorecard.getByRole('button', { name: 'Page 2 of 5' })).toBeFocused()

    const playbook = guides.filter({ has: page.getByRole('heading', { name: 'Opening Week AI Playbook' }) })
    const count = playbook.getByRole('definition').last()
    const before = Number(await count.innerText())
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      playbook.getByRole('button', { name: 'Download' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('opening-week-playbook.pdf')
    const file = await readFile(await download.path())
    expect(file.byteLength).toBeGreaterThan(3000)
    expect(file.subarray(0, 4).toString()).toBe('%PDF')
    await expect(count).toHaveText(String(before + 1))
    await page.reload()
    await expect(count).toHaveText(String(before + 1))
  })
})

test.describe('Tools', () => {
  const tools = (page: Page) =>
    page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { level: 2 }) })

  test('show verdict, price, criteria and rating, open in a new tab, and have a test sheet to download', async ({
    page,
    loginAs,
  }) => {
    await loginAs('pro')
    await page.goto('/portal/tools')
    await expect(tools(page).getByRole('heading', { level: 2 })).toHaveText([
      'ChatGPT',
      'Canva',
      'Zapier',
      'NotebookLM',
      '7shifts',
      'Square Dashboard',
      'Birdeye',
      'Jobber',
      'Gemini',
      'Microsoft Copilot',
      'Claude',
      'PieLine',
      'NiceJob',
      'Homebase',
    ])
    for (const [index, rating] of ['4.8', '4.6', '4.5', '4.7', ...Array<null>(10).fill(null)].entries()) {
      const tool = tools(page).nth(index)
      const shown = rating ? `${rating} / 5.0` : 'Not rated yet'
      await expect(tool.getByText(shown, { exact: true })).toBeVisible()
      await expect(tool.getByRole('term').filter({ visible: true })).toHaveText([
        'Price',
        'Last checked',
        'Data terms',
        'Price clarity',
        'Use on a phone',
        'Export',
        'Team controls',
      ])
      for (const name of ['Who should skip it', 'Good for', 'Watch out', 'Use case']) {
        await expect(tool.getByRole('heading', { name })).toBeVisible()
      }
      const link = tool.getByRole('link', { name: /^Visit / })
      await expect(link).toHaveAttribute('href', /^https:/)
      await expect(link).toHaveAttribute('target', '_blank')
      await expect(link).toHaveAttribute('rel', /noopener/)
    }
    await expect(page.getByRole('link', { name: 'How we choose and rate' })).toHaveAttribute('href', '/portal/method')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      tools(page).nth(4).getByRole('button', { name: 'Download test sheet' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('seven-shifts-test.xlsx')
    expect((await readFile(await download.path())).subarray(0, 2).toString()).toBe('PK')
  })

  test('are found by their job, also from a link, and fold their criteria on a phone', async ({ page, loginAs }) => {
    await loginAs('pro')
    await page.setViewportSize({ width: 360, height: 780 })
    await page.goto('/portal/tools#birdeye')
    const linked = page.getByRole('heading', { level: 2, name: 'Birdeye' })
    await expect(linked).toBeFocused()
    await expect(linked).toBeInViewport()
    await page.goBack()
    await page.goto('/portal/tools')
    const contents = page.getByRole('navigation', { name: 'Tools on this page' })
    await expect(contents.getByRole('link', { name: 'Field service' })).toBeVisible()
    expect(await page.evaluate(() => window.scrollY), 'a page that is opened anew starts at its top').toBe(0)
    await contents.getByRole('link', { name: 'Field service' }).click()
    await expect(page.getByRole('heading', { level: 2, name: 'Jobber' })).toBeInViewport()
    const tool = tools(page).filter({ hasText: 'Jobber' }).first()
    await expect(tool.getByText('Data terms')).toBeHidden()
    await tool.getByRole('button', { name: 'On our five criteria for Jobber' }).click()
    await expect(tool.getByText('Data terms')).toBeVisible()
  })
})

test('Changing preferences in the account changes every order', async ({ page, signUpSubscriber, login }) => {
  await login(await signUpSubscriber())
  await page.goto('/portal/weekly-drops')
  const recommended = page.getByRole('region', { name: 'Recommended for You' })
  await expect(recommended).toContainText('You haven’t set your preferences yet')
  await expect(dropTitles(page)).toHaveText([drops.close, drops.estimates, drops.reviews])
  await recommended.getByRole('link').click()
  await expect(page).toHaveURL('/account/preferences')

  const save = page.getByRole('button', { name: 'Save preferences' })
  await save.click()
  await expect(toast(page, 'Select at least one focus area')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Sales' }).check()
  await save.click()
  await expect(toast(page, 'Please select your AI familiarity level')).toBeVisible()
  await page.getByRole('radio', { name: 'Beginner' }).check()
  await save.click()
  await expect(toast(page, 'Your preferences have been saved.')).toBeVisible()

  await tab(page, 'Weekly Drops').click()
  await expect(dropTitles(page)).toHaveText([drops.estimates, drops.fees, drops.close])
  await tab(page, 'Prompt Packs').click()
  await expect(page.getByRole('region', { name: 'Sales' }).getByRole('img', { name: 'Priority for you' })).toBeVisible()
  await expect(mainHeadings(page, 2).nth(1)).toHaveText('Sales')
})

test('On a phone the header fits on one line, including the sandbox badge', async ({ page, loginAs }) => {
  await page.setViewportSize({ width: 360, height: 780 })
  await loginAs('admin')
  for (const [path, button] of [
    ['/portal/weekly-drops', 'Admin'],
    ['/admin', 'Go to Portal'],
  ] as const) {
    await page.goto(path)
    await expect(banner(page).getByText(button, { exact: true })).toBeVisible()
    await expect(banner(page).getByRole('button', { name: path === '/admin' ? 'Sign Out' : 'Manage' })).toBeVisible()
    const header = await banner(page).boundingBox()
    const badge = await banner(page).getByText('Sandbox').boundingBox()
    expect(header?.height).toBeLessThanOrEqual(66)
    expect((badge?.y ?? 0) + (badge?.height ?? 0)).toBeLessThanOrEqual((header?.y ?? 0) + (header?.height ?? 0))
  }
})

test('Leaving or signing out with unsaved preferences asks first', async ({ page, signUp, login }) => {
  await login(await signUp())
  await page.goto('/account/preferences')
  await page.getByRole('checkbox', { name: 'Finance' }).check()
  await page.getByRole('link', { name: 'Profile', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(page.getByRole('checkbox', { name: 'Finance' })).toBeChecked()

  await banner(page).getByRole('button', { name: 'Sign Out' }).click()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(page.getByRole('checkbox', { name: 'Finance' })).toBeChecked()

  // Closing or reloading the tab shows the browser's own prompt.
  const asked = page.waitForEvent('dialog')
  await page.evaluate(() => void setTimeout(() => window.location.reload()))
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()

  await page.getByRole('radio', { name: 'Beginner' }).check()
  await page.getByRole('button', { name: 'Save preferences' }).click()
  await expect(toast(page, 'Your preferences have been saved.')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Sales' }).check()
  await page.getByRole('link', { name: 'Profile', exact: true }).click()
  await question.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(page).toHaveURL('/account/profile')
})

test.describe('Pages that texts link to', () => {
  const footer = (page: Page) => page.getByRole('contentinfo')

  test('are linked from the footer, and the tabs stay', async ({ page, loginAs }) => {
    await loginAs('pro')
    await page.goto('/portal/tools')
    for (const [name, path, title] of [
      ['Start here', '/portal/start-here', 'Start here'],
      ['Glossary', '/portal/glossary', 'Glossary'],
      ['How we choose', '/portal/method', 'How we choose, rate and check'],
      ['Safety rules', '/portal/safety', 'What never goes into an AI tool'],
      ['Editor', '/portal/editor', 'The editor'],
      ['Corrections', '/portal/corrections', 'Corrections'],
    ] as const) {
      await footer(page).getByRole('link', { name, exact: true }).click()
      await expect(page).toHaveURL(path)
      await expect(mainHeadings(page, 1)).toHaveText(title)
      await expect(page.getByRole('navigation', { name: 'Portal' }).getByRole('link')).toHaveCount(4)
    }
  })

  test('are open to visitors, except those for members', async ({ page }) => {
    await page.goto('/')
    await footer(page).getByRole('link', { name: 'How we choose' }).click()
    await expect(page.getByRole('heading', { name: 'Who pays' })).toBeVisible()
    await footer(page).getByRole('link', { name: 'Safety rules' }).click()
    await expect(page.getByText('Anything about a child.')).toBeVisible()
    await footer(page).getByRole('link', { name: 'Corrections' }).click()
    await expect(mainHeadings(page, 1)).toHaveText('Corrections')
    for (const path of ['/portal/glossary', '/portal/start-here']) {
      await page.goto(path)
      await expect(page, path).toHaveURL('/auth')
    }
  })

  test('the glossary opens at the linked term, terms lead to each other, and a link in a text doesn’t load the application again', async ({
    page,
    loginAs,
  }) => {
    await loginAs('pro')
    await page.goto('/portal/glossary#royalty-base')
    await expect(page.getByRole('heading', { level: 3, name: 'Royalty base' })).toBeInViewport()
    await page.locator('[id="royalty-base"]').getByRole('link', { name: 'Gross sales' }).click()
    await expect(page).toHaveURL('/portal/glossary#gross-sales')
    await expect(page.getByRole('heading', { level: 3, name: 'Gross sales' })).toBeInViewport()
    await expect(mainHeadings(page, 3)).toHaveCount(30)

    await page.goto('/portal/safety')
    await page.evaluate(() => document.documentElement.setAttribute('data-same-load', ''))
    await page.getByRole('main').getByRole('link', { name: 'field consultant' }).click()
    await expect(page).toHaveURL('/portal/glossary#field-consultant')
    await expect(page.getByRole('heading', { level: 3, name: 'Field consultant' })).toBeInViewport()
    await expect(page.locator('html[data-same-load]')).toBeAttached()
  })

  test('the list of drops leads a new member to the start page', async ({ page, signUpSubscriber, login }) => {
    await login(await signUpSubscriber())
    await page.goto('/portal/weekly-drops')
    const start = page.getByRole('link', { name: 'Read the start page' })
    const isStored = page.waitForResponse('**/record-first-week')
    await start.click()
    await expect(page).toHaveURL('/portal/start-here')
    await isStored
    await expect(mainHeadings(page, 2)).toHaveText([
      'Get one useful page in 20 minutes',
      'Write down the limits',
      'Run a five-day pilot and count',
    ])
    await page.getByRole('link', { name: 'Open the policy' }).click()
    await expect(page).toHaveURL('/portal/guides#ai-use-policy')
    await expect(page.getByRole('heading', { name: 'AI Use Policy for a Franchise Location' })).toBeInViewport()
    await page.goto('/portal/weekly-drops/a-week-of-reviews')
    await page.getByRole('link', { name: 'All weekly drops' }).click()
    await expect(dropTitles(page).first()).toBeVisible()
    await expect(start).toHaveCount(0)
  })

  test('an admin names the editor and lists a correction, and both pages show it', async ({ page, loginAs }) => {
    await loginAs('admin')
    await page.goto('/admin/settings/pages')
    const form = page.getByRole('region', { name: 'Trust pages' })
    await form.getByRole('button', { name: 'Add correction' }).click()
    await form.getByRole('button', { name: 'Save trust pages' }).click()
    await expect(form.getByText('Say what was corrected')).toBeVisible()
    await form.getByLabel('Name').fill('Ada Quill')
    await form.getByLabel('Contact address').fill('ada@frontcounter.test')
    await form.getByLabel('Where').fill('AI Use Policy')
    await form.getByLabel('Link (optional)').fill('/portal/guides#ai-use-policy')
    await form.getByLabel('What changed').fill('The date of the example was wrong.')
    await form.getByRole('button', { name: 'Save trust pages' }).click()
    await expect(toast(page, 'Trust pages saved')).toBeVisible()
    await page.goto('/portal/editor')
    await expect(page.getByRole('heading', { name: 'Ada Quill' })).toBeVisible()
    await page.goto('/portal/corrections')
    await expect(page.getByText('The date of the example was wrong.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'ada@frontcounter.test' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'AI Use Policy' })).toHaveAttribute(
      'href',
      '/portal/guides#ai-use-policy',
    )

    await page.goto('/admin/settings/pages')
    await form.getByLabel('Name').fill('')
    await form.getByLabel('Contact address').fill('')
    await form.getByRole('button', { name: 'Remove correction: AI Use Policy' }).click()
    await form.getByRole('button', { name: 'Save trust pages' }).click()
    await expect(toast(page, 'Trust pages saved')).toBeVisible()
    await page.goto('/portal/corrections')
    await expect(page.getByText('No corrections so far.')).toBeVisible()
  })
})
