import type { Browser, Page } from '@playwright/test'
import { type Account, savePreferences, storageOf } from './support/accounts.ts'
import { inspect } from './support/inspect.ts'
import { failCall } from './support/refuse.ts'
import { banner, expect, test, toast } from './support/test.ts'

const reviews = 'A week of reviews, answered in one sitting'
const facts = 'Give it facts and a list of limits'
const drop = '/portal/weekly-drops/a-week-of-reviews'
/** Where earlier versions kept read marks. */
const earlierMarks = (account: Account) => `front-counter:read-issues:${account.session.user.id}`

/** Another device of the same reader. */
async function openPhone(browser: Browser, baseURL: string | undefined, account: Account) {
  const origin = baseURL ?? ''
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 360, height: 780 },
    hasTouch: true,
    serviceWorkers: 'block',
    storageState: storageOf(account.session, origin),
  })
  return context.newPage()
}

const row = (page: Page, title: string) =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: title }).first()
const saveButton = (page: Page, title: string) =>
  page.getByRole('main').getByRole('button', { name: new RegExp(`^Saved? ${title}$`) })

test('What a reader reads and saves on a desktop is on the phone, and collections are kept there', async ({
  page,
  browser,
  baseURL,
  request,
  signUpSubscriber,
  login,
}) => {
  const account = await signUpSubscriber()
  await savePreferences(request, account, { focusAreas: ['Marketing', 'Customer Service'] })
  await login(account)

  // On the desktop: an empty page that teaches, the checklist, and a drop.
  await page.goto('/portal/weekly-drops')
  await expect(row(page, reviews)).toBeVisible()
  await expect(page.getByText('Unread', { exact: true })).toHaveCount(0)
  const checklist = page.getByRole('region', { name: 'Your first week' })
  await expect(checklist).toContainText('1 of 6')
  await expect(checklist.getByRole('link', { name: 'Connect your assistant' })).toHaveAttribute(
    'href',
    '/portal/assistants',
  )
  await banner(page).getByRole('link', { name: 'Saved' }).click()
  await expect(page.getByRole('heading', { name: 'Nothing saved yet' })).toBeVisible()
  await page.goto(drop)
  const save = saveButton(page, reviews)
  await expect(save).toHaveAttribute('aria-pressed', 'false')
  await save.focus()
  await page.keyboard.press('Enter')
  await expect(save).toHaveAttribute('aria-pressed', 'true')
  const isStored = page.waitForResponse(
    (response) =>
      response.url().endsWith('/save-position') &&
      (response.request().postData()?.includes('facts-and-limits') ?? false) &&
      response.ok(),
  )
  await page.getByRole('heading', { name: facts }).evaluate((heading) => {
    window.scrollTo(0, heading.getBoundingClientRect().top + window.scrollY - 100)
  })
  await isStored
  await page.getByRole('link', { name: 'All weekly drops' }).click()
  await expect(row(page, reviews).getByText('Unread')).toHaveCount(0)
  await expect(checklist).toContainText('2 of 6')

  // On the phone: the drop is read, and continues where the desktop stopped.
  const phone = await openPhone(browser, baseURL, account)
  await phone.goto('/portal/weekly-drops')
  await expect(row(phone, reviews)).toBeVisible()
  await expect(row(phone, reviews).getByText('Unread')).toHaveCount(0)
  await phone.getByRole('link', { name: new RegExp(`^Continue: ${facts}`) }).click()
  await expect(phone).toHaveURL(`${drop}#facts-and-limits`)
  await expect(phone.getByRole('heading', { name: facts })).toBeInViewport()

  // Holding Save chooses a collection, which also saves the section.
  await saveButton(phone, facts).click({ delay: 700 })
  const dialog = phone.getByRole('dialog', { name: 'Add to collection' })
  await dialog.getByLabel('New collection').fill('Hiring')
  const isKept = phone.waitForResponse('**/collect-item')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog.getByRole('checkbox', { name: 'Hiring' })).toBeChecked()
  await isKept
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(saveButton(phone, facts)).toHaveAttribute('aria-pressed', 'true')
  await phone.goto('/portal/weekly-drops')
  await phone.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name: 'Saved' }).click()
  const saved = phone.getByRole('list', { name: 'Saved items' })
  await expect(saved.getByRole('listitem')).toHaveCount(2)
  await inspect(phone, 'saved')
  await phone.setViewportSize({ width: 360, height: 780 })
  await phone.getByRole('button', { name: 'Sections' }).click()
  await expect(saved.getByRole('link')).toHaveText([facts])

  // The desktop renames the collection, deletes it and takes that back; an equal name is refused.
  await page.goto('/portal/saved')
  await page.getByRole('button', { name: 'New collection' }).click()
  const naming = page.getByRole('dialog', { name: 'New collection' })
  await naming.getByLabel('Name').fill('hiring')
  await page.keyboard.press('Enter')
  await expect(naming.getByRole('alert')).toHaveText('You already have a collection named “hiring”.')
  await naming.getByLabel('Name').fill('Monday')
  await page.keyboard.press('Enter')
  await expect(naming).toBeHidden()
  const tabs = page.getByRole('navigation', { name: 'Collections' })
  await expect(tabs.getByRole('link')).toHaveText(['Everything', 'Hiring1', 'Monday0'])
  await tabs.getByRole('link', { name: 'Hiring' }).click()
  await expect(page.getByRole('list', { name: 'Saved items' }).getByRole('link')).toHaveText([facts])
  await page.getByRole('button', { name: 'Rename Hiring' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('New people')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 2, name: 'New people' })).toBeVisible()
  await page.getByRole('button', { name: 'Delete New people' }).click()
  await expect(tabs.getByRole('link')).toHaveText(['Everything', 'Monday0'])
  await toast(page, '“New people” was deleted').getByRole('button', { name: 'Undo' }).click()
  await expect(tabs.getByRole('link')).toHaveText(['Everything', 'Monday0', 'New people1'])
  await phone.context().close()
})

test('Marks of an earlier version move to the server, and a change that the server refuses is taken back', async ({
  page,
  browser,
  baseURL,
  signUpSubscriber,
  login,
}) => {
  const account = await signUpSubscriber()
  await login(account)
  await page.addInitScript((key) => {
    if (!sessionStorage.getItem('seeded')) localStorage.setItem(key, '["a-week-of-reviews","gone"]')
    sessionStorage.setItem('seeded', 'yes')
  }, earlierMarks(account))
  const sent = page.waitForRequest((sending) => sending.url().endsWith('/mark-read'))
  await page.goto('/portal/weekly-drops')
  await expect(row(page, reviews).getByText('Unread')).toHaveCount(0)
  await (await sent).response()
  await expect.poll(() => page.evaluate((key) => localStorage.getItem(key), earlierMarks(account))).toBeNull()
  const phone = await openPhone(browser, baseURL, account)
  await phone.goto('/portal/weekly-drops')
  await expect(row(phone, reviews)).toBeVisible()
  await expect(row(phone, reviews).getByText('Unread')).toHaveCount(0)
  await phone.context().close()

  await page.goto('/portal/tools')
  const save = saveButton(page, 'NotebookLM')
  await failCall(page, 'save-item', 404)
  await save.click()
  await expect(toast(page, 'A change couldn’t be saved')).toBeVisible()
  await expect(save).toHaveAttribute('aria-pressed', 'false')
})
