import type { Page } from '@playwright/test'
import { findPaid, paidSentences } from '#tests/integration/content/paid-sentences.ts'
import { callAs } from './support/accounts.ts'
import { ageLibrary, expectReadyOffline, readDeviceStorage, storeEarlierChange } from './support/device-storage.ts'
import { planAtStripe, stripeOf } from './support/stripe-sandbox.ts'
import { expect, test } from './support/test.ts'

test.use({ serviceWorkers: 'allow' })

/** Each drop in the library begins with an uploaded image, whose path is returned. The sample drops have none. */
async function addImages(page: Page): Promise<string> {
  const path = `/media/${'a'.repeat(64)}.png`
  await page.route(`**${path}`, async (route) => {
    const url = new URL('/app-icon-192.png', route.request().url()).href
    await route.fulfill({ response: await route.fetch({ url }) })
  })
  await page.route('**/functions/v1/offline-library', async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    const image = JSON.stringify(`<p><img src="${path}" alt="A slip" width="192" height="192"></p>`).slice(1, -1)
    await route.fulfill({ response, body: text.replaceAll('"introHtml":"', `"introHtml":"${image}`) })
  })
  return path
}

test('Offline, a reader reads drops and prompts, fills a collection and checks off a task, and all of it is sent once', async ({
  page,
  context,
  request,
  login,
  signUpSubscriber,
}) => {
  const account = await signUpSubscriber('team_monthly')
  await callAs(request, account, 'assign', {
    assignmentId: crypto.randomUUID(),
    item: { kind: 'prompt', id: 'operations-closing-handover' },
    to: { userId: account.session.user.id },
    dueOn: null,
    note: '',
  })
  const image = await addImages(page)
  await login(account)
  await page.goto('/portal/weekly-drops')
  await expectReadyOffline(page)
  await expect.poll(() => readDeviceStorage(page), 'its image is stored').toContain(image)
  await page.unrouteAll()
  await context.setOffline(true)

  // A phone first, then a desktop.
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/portal')
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Weekly Drops')
  await expect(page.getByText(/^You’re offline\. This is from \w+ \d+/).first()).toBeVisible()
  await main
    .getByRole('link', { name: /Ask your franchisor|Get a written answer on AI/ })
    .first()
    .click()
  await expect(main.getByRole('heading', { level: 1 })).toContainText('Get a written answer on AI')
  await expect(main.getByRole('heading', { level: 2 }).nth(1)).toBeVisible()

  const picture = main.getByRole('img', { name: 'A slip' })
  await picture.scrollIntoViewIfNeeded()
  await expect
    .poll(() => picture.evaluate((img) => (img as HTMLImageElement).naturalWidth), 'from this device')
    .toBe(192)

  const sent: string[] = []
  page.on('requestfinished', (one) => {
    if (one.url().endsWith('/record-try')) sent.push(one.postData() ?? '')
  })
  const tried = main.getByRole('button', { name: /^Tried it ?: / }).first()
  const title = ((await tried.textContent()) ?? '').replace(/^Tried it\s*:\s*/, '')
  await tried.click()
  await main.getByRole('button', { name: 'Worked', exact: true }).click()
  await page.reload()
  await expect(
    main.getByRole('button', { name: /^Worked ?: / }).filter({ hasText: title }),
    'after a reload',
  ).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)

  await page.setViewportSize({ width: 1440, height: 900 })
  await main
    .getByRole('button', { name: /^More: / })
    .first()
    .click()
  await main.getByRole('button', { name: /^Add to collection: / }).click()
  const dialog = page.getByRole('dialog', { name: 'Add to collection' })
  await dialog.getByRole('textbox', { name: 'New collection' }).fill('Monday meeting')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('checkbox', { name: 'Monday meeting' })).toBeChecked()
  await page.goto('/portal/saved')
  await page.getByRole('link', { name: 'Monday meeting 1' }).click()
  await expect(main.getByRole('heading', { name: 'Monday meeting' })).toBeVisible()
  await expect(main.getByRole('list', { name: 'Saved items' }).getByRole('listitem')).toHaveCount(1)

  await page.keyboard.press('/')
  await page.keyboard.type('closing handover')
  const search = page.getByRole('dialog', { name: 'Search' })
  await expect(search.getByText('You’re offline. Results appear when you’re back.')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.goto('/portal/assignments')
  const task = main.getByRole('checkbox', { name: 'Done: Closing handover note' })
  await task.click()
  await expect(task).toBeChecked()
  await page.reload()
  await expect(page.getByText('Show 1 done'), 'after a reload').toBeVisible()

  await page.goto('/portal/prompt-packs')
  await expect(main.getByText('24 prompts')).toBeVisible()
  await page.goto('/portal/guides')
  await expect(main.getByText('Page previews and downloads need a connection.')).toBeVisible()
  await expect(main.getByText('Opening Week AI Playbook').first()).toBeVisible()

  // The token expires after an hour, which offline no one can refresh.
  await page.evaluate(() => {
    const key = 'sb-localhost-auth-token'
    const session = JSON.parse(localStorage.getItem(key) ?? '{}') as object
    localStorage.setItem(key, JSON.stringify({ ...session, expires_at: Math.floor(Date.now() / 1000) - 60 }))
  })
  await page.goto('/portal/weekly-drops')
  await expect(main.getByRole('listitem').first()).toBeVisible()

  await context.setOffline(false)
  await expect(page.locator('span', { hasText: /This is from/ })).toHaveCount(0)
  await expect(main.getByRole('listitem').first()).toBeVisible()
  await expect.poll(() => sent.length, 'sent by itself').toBe(1)
  const input = JSON.parse(sent[0] ?? '{}') as { kind: string; id: string }
  const { kind, id } = input
  expect(await callAs(request, account, 'read-try', { kind, id })).toMatchObject({ answer: { outcome: 'worked' } })
  await expect
    .poll(() => callAs(request, account, 'collections', {}))
    .toMatchObject({ collections: [{ name: 'Monday meeting', count: 1 }] })
  await expect
    .poll(() => callAs(request, account, 'team-assignments', {}))
    .toMatchObject({ team: { assignments: [{ done: true }] } })
  await page.reload()
  await expect(main.getByRole('listitem').first()).toBeVisible()
  expect(sent, 'and not again').toHaveLength(1)

  // A page ends at the tap, before the queue could load.
  await page.goto('/portal/guides')
  const saved = page.waitForResponse('**/save-item')
  const save = main.getByRole('button', { name: /^Save/ }).first()
  await save.evaluate((button: HTMLElement) => {
    button.click()
    window.location.reload()
  })
  expect((await saved).status(), 'sent by the next page').toBe(200)
  await expect(main.getByRole('button', { name: /^Saved/ }).first()).toBeVisible()

  // Answers stored by another release may lack fields that this one shows, so they aren't read.
  // Away from the app, which could store it again.
  await page.goto('/robots.txt')
  await ageLibrary(page)
  await context.setOffline(true)
  await page.goto('/portal/guides')
  await expect(page.getByText('You’re offline. This page opens when you’re back online.')).toBeVisible()
  await context.setOffline(false)
  await expect(main.getByText('Opening Week AI Playbook').first()).toBeVisible()

  // Version 0.4 kept unsent changes in the database.
  await page.goto('/robots.txt')
  const change = { kind: 'prompt', id: 'operations-closing-handover', saved: true, at: new Date().toISOString() }
  await storeEarlierChange(page, { userId: account.session.user.id, name: 'save-item', input: change })
  const moved = page.waitForResponse('**/save-item')
  await page.goto('/portal/guides')
  expect((await moved).status(), 'sent once the page is idle').toBe(200)
})

test('Nothing that was paid for stays on the device after signing out, or once the plan has ended', async ({
  page,
  baseURL,
  login,
  signUpSubscriber,
}) => {
  const sentences = await paidSentences()
  const paidOnDevice = async () => findPaid(await readDeviceStorage(page), sentences)
  const image = await addImages(page)
  const account = await signUpSubscriber()
  await login(account)
  await page.goto('/portal/weekly-drops')
  await expectReadyOffline(page)
  expect(await paidOnDevice(), 'while the reader is entitled').toHaveLength(3)

  const stripe = stripeOf(baseURL ?? '')
  const { id } = await planAtStripe(baseURL ?? '', account.email)
  await stripe.subscriptions.cancel(id)
  await expect(async () => {
    const checked = page.waitForResponse('**/functions/v1/check-subscription')
    await page.goto('/account/billing')
    await checked
    await expect.poll(paidOnDevice, { message: 'after the plan ended', timeout: 1_000 }).toEqual([])
  }).toPass({ timeout: 60_000 })
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)

  const second = await signUpSubscriber()
  await login(second)
  await page.goto('/portal/weekly-drops')
  await expectReadyOffline(page)
  expect(await paidOnDevice()).toHaveLength(3)
  await expect.poll(() => readDeviceStorage(page)).toContain(image)
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/\/auth/)
  await expect.poll(paidOnDevice, 'after signing out').toEqual([])
  const left = await readDeviceStorage(page)
  expect(left).not.toContain(second.email)
  expect(left).not.toContain(image)
})
