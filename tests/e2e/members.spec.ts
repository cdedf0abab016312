import type { Page } from '@playwright/test'
import { savePreferences } from './support/accounts.ts'
import { inspect, inspectState } from './support/inspect.ts'
import { expect, test } from './support/test.ts'

const rows = (page: Page) =>
  page
    .getByRole('list', { name: 'All users' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('checkbox') })
const changes = (page: Page) => page.getByRole('list', { name: 'Changes of many members' }).getByRole('listitem')

/** The page hears of a change only once it has ended, as if it took no time. */
const hideRunningChanges = (page: Page) =>
  page.route('**/admin-bulk-actions', async (route) => {
    for (;;) {
      const response = await route.fetch()
      const { items } = (await response.json()) as { items: { status: string }[] }
      if (!items.some(({ status }) => status === 'running')) return route.fulfill({ response })
    }
  })

test('A publisher filters members, saves the view, tags everyone in it, and undoes that', async ({
  page,
  request,
  loginAs,
  signUp,
}) => {
  const mark = crypto.randomUUID().slice(0, 8)
  const people = [await signUp(), await signUp()]
  for (const person of people) {
    await savePreferences(request, person, {
      focusAreas: ['Finance'],
      aiLevel: 'advanced',
      goals: ['Reduce costs'],
      franchiseType: 'Education',
    })
  }
  await loginAs('admin')
  await page.goto('/admin/members')
  await expect(rows(page).first()).toBeVisible()

  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const filter = page.getByRole('region', { name: 'Filter members' })
  await filter.getByLabel('Education').check()
  await filter.getByLabel('Finance').check()
  // A day of its own, so that no other run saves the same filter.
  const day = new Date(Date.UTC(2000, 0, 1 + Math.floor(Math.random() * 9_000))).toISOString().slice(0, 10)
  await filter.getByLabel('Joined, from').fill(day)
  await inspect(page, 'admin-members-filter')
  await filter.getByRole('button', { name: 'Show members' }).click()
  await expect(page).toHaveURL(/type=Education/)
  for (const { email } of people) await expect(rows(page).filter({ hasText: email })).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Remove filter: Franchise: Education' })).toBeVisible()

  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByLabel('Name', { exact: true }).fill(`Education ${mark}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
  const view = page.getByRole('button', { name: `Education ${mark}` })
  await expect(view).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'All members', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Remove filter: Franchise: Education' })).toBeHidden()
  await view.click()
  await expect(page).toHaveURL(/type=Education/)

  // Two of them, chosen by keyboard.
  for (const { email } of people) {
    const box = page.getByRole('checkbox', { name: `Select ${email}` })
    await box.focus()
    await page.keyboard.press('Space')
    await expect(box).toBeChecked()
  }
  await page.getByRole('button', { name: 'Change 2 selected' }).click()
  await page.getByLabel('Tag', { exact: true }).fill(`Pilot ${mark}`)
  await page.getByRole('button', { name: 'Preview' }).click()
  const preview = page.getByRole('dialog', { name: 'Add a tag: 2 members' })
  for (const { email } of people) await expect(preview).toContainText(email)
  await hideRunningChanges(page)
  await preview.getByRole('button', { name: 'Change 2 members' }).click()
  await expect(preview).toBeHidden()
  const change = changes(page).filter({ hasText: `pilot ${mark}` })
  await expect(change).toContainText('2 members changed')
  for (const { email } of people) await expect(rows(page).filter({ hasText: email })).toContainText(`pilot ${mark}`)

  await page.setViewportSize({ width: 360, height: 740 })
  await inspectState(page, 'admin-members-changed')
  await change.getByRole('button', { name: 'Undo' }).click()
  await expect(change).toContainText('Undone')
  for (const { email } of people) await expect(rows(page).filter({ hasText: email })).not.toContainText(`pilot ${mark}`)

  await page.getByRole('button', { name: 'Delete view' }).click()
  const deleted = page.waitForResponse('**/admin-delete-member-view')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click()
  await deleted
  await expect(view).toBeHidden()
})
