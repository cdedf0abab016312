import type { Page } from '@playwright/test'
import { callAs } from './support/accounts.ts'
import { inspect } from './support/inspect.ts'
import { expect, test, toasts } from './support/test.ts'

test.describe.configure({ timeout: 120_000 })

/** The day so many days from now, in the zone of the browser. */
const dayFromNow = (page: Page, days: number) =>
  page.evaluate((count) => {
    const day = new Date()
    day.setDate(day.getDate() + count)
    return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
  }, days)

test('An owner enters a date from the drop that explains it, sees it on the first page, and moves it on a year', async ({
  page,
  request,
  login,
  signUpSubscriber,
}) => {
  const owner = await signUpSubscriber()
  const stores = ['Oak Avenue', 'Harbor Street']
  const ids = await Promise.all(
    stores.map(async (name) => {
      const id = crypto.randomUUID()
      await callAs(request, owner, 'save-location', { id, name: { from: '', to: name } })
      return id
    }),
  )
  await login(owner)
  const dialog = page.getByRole('dialog', { name: 'Add a deadline' })
  const list = (name: string) => page.getByRole('list', { name, exact: true })

  await test.step('the page says what it is for', async () => {
    await page.goto('/portal/deadlines')
    await expect(page.getByRole('heading', { name: 'No deadlines yet' })).toBeVisible()
    await inspect(page, 'deadlines-empty')
  })

  await test.step('one tap in the drop opens the form with the kind filled in', async () => {
    await page.goto('/portal/weekly-drops/field-audit-prep#insurance-certificate')
    await page.getByRole('link', { name: 'a reminder 60 days before it' }).click()
    await expect(dialog.getByRole('combobox', { name: 'Kind' })).toHaveValue('insurance-certificate')
    await expect(dialog.getByRole('textbox', { name: 'What is due' })).toHaveValue('Insurance certificate')
    await expect(dialog.getByLabel('Date')).toBeFocused()
    await inspect(page, 'deadlines-form')
    await dialog.getByRole('combobox', { name: 'Store' }).selectOption('Oak Avenue')
    await dialog.getByLabel('Date').fill(await dayFromNow(page, 20))
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page).toHaveURL(/\/portal\/deadlines$/)
    await expect(list('Coming up').getByRole('listitem')).toContainText('Oak Avenue')
    await expect(list('Coming up').getByRole('link', { name: 'Read your insurance certificate' })).toHaveAttribute(
      'href',
      '/portal/weekly-drops/field-audit-prep#insurance-certificate',
    )
  })

  await test.step('a date of no kind is entered by keyboard', async () => {
    await page.getByRole('button', { name: 'Add a deadline' }).press('Enter')
    await expect(dialog.getByRole('combobox', { name: 'Kind' })).toBeFocused()
    await dialog.getByRole('combobox', { name: 'Kind' }).selectOption('Something else')
    await dialog.getByRole('textbox', { name: 'What is due' }).fill('Fire inspection')
    await dialog.getByLabel('Date').fill(await dayFromNow(page, -3))
    await dialog.getByLabel('Date').press('Enter')
    await expect(list('Passed').getByRole('listitem')).toContainText('Passed 3 days ago')
  })

  await test.step('the first page has a line for it', async () => {
    for (const [index, title] of ['Franchise renewal', 'Lease option', 'Remodel'].entries()) {
      await callAs(request, owner, 'save-deadline', {
        ...{ id: crypto.randomUUID(), kind: ['renewal', 'lease-option', 'remodel'][index], title, yearly: false },
        ...{ locationId: ids[index % 2], dueOn: `2031-0${index + 3}-14`, leadDays: 365, done: false },
      })
    }
    await page.goto('/portal/weekly-drops')
    await expect(page.getByRole('link', { name: /^Deadline, was due .* Fire inspection and 1 more$/ })).toBeVisible()
    await inspect(page, 'deadlines-first-page')
    await page.getByRole('link', { name: /^Deadline, was due / }).click()
    await expect(list('Later').getByRole('listitem')).toHaveCount(3)
  })

  await test.step('the calendar has an address of its own', async () => {
    const address = page.getByRole('textbox', { name: 'Address of your calendar' })
    await expect(address).toHaveValue(/\/feed\/.+\.ics$/)
    const file = await request.get(await address.inputValue())
    expect(await file.text()).toContain('SUMMARY:Insurance certificate\\, Oak Avenue')
    await inspect(page, 'deadlines')
  })

  await test.step('one tap checks off, and moves a yearly date on', async () => {
    await list('Passed').getByRole('button', { name: 'Done Fire inspection' }).click()
    await expect(list('Passed').getByRole('button', { name: 'Reopen Fire inspection' })).toBeFocused()
    await list('Coming up')
      .getByRole('button', { name: /^Done, next .* Insurance certificate$/ })
      .click()
    await expect(toasts(page).filter({ hasText: /^Moved to / })).toBeVisible()
    await expect(list('Later').getByRole('listitem')).toHaveCount(4)
    await page.reload()
    await expect(page.getByText('Show 1 done')).toBeVisible()
  })

  await test.step('it is edited and deleted', async () => {
    await list('Later').getByRole('button', { name: 'Edit Remodel' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit deadline' })
    await edit.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: 'Delete “Remodel”?' }).getByRole('button', { name: 'Delete' }).click()
    await expect(list('Later').getByRole('listitem')).toHaveCount(3)
  })
})
