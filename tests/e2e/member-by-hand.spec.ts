import { readFile } from 'node:fs/promises'
import { signUp } from './support/accounts.ts'
import { inspectState } from './support/inspect.ts'
import { expect, test, toast } from './support/test.ts'

test('A publisher adds a member, corrects name and address, merges another account, downloads their data and deletes the account', async ({
  page,
  loginAs,
  baseURL,
}) => {
  const mark = crypto.randomUUID().slice(0, 8)
  const email = `zoe-${mark}@example.test`
  await loginAs('admin')
  await page.goto('/admin/members')
  await page.getByRole('button', { name: 'Add member' }).click()
  const adding = page.getByRole('dialog', { name: 'Add a member' })
  await adding.getByRole('textbox', { name: 'Email' }).fill(`tpyo-${mark}@example.test`)
  await adding.getByRole('textbox', { name: 'Name' }).fill('Zoe')
  await inspectState(page, 'admin-add-member')
  await adding.getByRole('button', { name: 'Add member' }).click()

  await expect(page).toHaveURL(/\/admin\/members\/[0-9a-f-]{36}$/)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const editing = page.getByRole('dialog', { name: 'Edit name and address' })
  await editing.getByRole('textbox', { name: 'Name' }).fill('Zoe Lopez')
  await editing.getByRole('textbox', { name: 'Email' }).fill(email)
  await expect(editing).toContainText('If they have never signed in, the address changes at once.')
  await inspectState(page, 'admin-edit-member')
  await editing.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Address changed')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(email)

  await page.getByText('Close the account').click()
  const other = await signUp(baseURL ?? '')
  await page.getByLabel('Email of the other account').fill(`no-one-${mark}@example.test`)
  await page.getByRole('button', { name: 'Check accounts' }).click()
  await expect(page.getByRole('alert')).toContainText('No member has this address.')
  await page.getByLabel('Email of the other account').fill(other.email)
  await page.getByRole('button', { name: 'Check accounts' }).click()
  const merging = page.getByRole('dialog', { name: 'Merge this account?' })
  await expect(merging).toContainText(`${other.email} is deleted.`)
  await inspectState(page, 'admin-merge-members')
  await merging.getByRole('button', { name: 'Merge accounts' }).click()
  await expect(toast(page, 'Accounts merged')).toBeVisible()
  await expect(merging).toHaveCount(0)

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download their data' }).click(),
  ])
  expect(await readFile(await download.path(), 'utf8')).toContain(email)

  await page.getByRole('button', { name: 'Delete member' }).click()
  const deleting = page.getByRole('dialog', { name: 'Delete this member?' })
  await deleting.getByLabel(`Type ${email} to delete it`).fill('someone@else.test')
  await deleting.getByRole('button', { name: 'Delete member' }).click()
  await expect(deleting.getByRole('alert')).toContainText('The address doesn’t match this member.')
  await inspectState(page, 'admin-delete-member')
  await deleting.getByLabel(`Type ${email} to delete it`).fill(email)
  await deleting.getByRole('button', { name: 'Delete member' }).click()
  await expect(page).toHaveURL(/\/admin\/members$/)
  await page.getByLabel('Search by name or email').fill(email)
  await expect(page.getByText('No matching members.')).toBeVisible()
})

test('An editor of the glossary sees the shipped text and takes a change back', async ({ page, loginAs }) => {
  await loginAs('admin')
  await page.goto('/admin/settings/pages')
  await page.getByLabel('Page', { exact: true }).selectOption('Safety rules')
  await page.getByLabel('Title', { exact: true }).fill('What stays in the shop')
  await inspectState(page, 'admin-page-texts')
  await page.getByRole('button', { name: 'Use default: Title' }).click()
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue('What never goes into an AI tool')
})
