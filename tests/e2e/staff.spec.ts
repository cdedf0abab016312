import { type Account, newEmail, newPassword, storageOf } from './support/accounts.ts'
import { codeIn, waitForEmail } from './support/emails.ts'
import { inspect } from './support/inspect.ts'
import { expect, test, toast } from './support/test.ts'

test.describe.configure({ timeout: 120_000 })

test('An owner invites an editor, whose pages follow the role', async ({
  page,
  browser,
  request,
  baseURL,
  loginAs,
  signUpConfirmed,
}) => {
  const editor: Account = await signUpConfirmed()
  await loginAs('admin')
  await page.goto('/admin/settings/staff')
  await page.getByRole('textbox', { name: 'Email address' }).fill(editor.email)
  await page.getByRole('combobox', { name: 'Role' }).selectOption('Editor')
  const invited = page.waitForResponse('**/functions/v1/admin-invite-staff')
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await invited
  const invitations = page.getByRole('list', { name: 'Open invitations' }).getByRole('listitem')
  await expect(invitations.filter({ hasText: editor.email })).toContainText('Editor')
  await inspect(page, 'staff')

  const { text } = await waitForEmail(request, editor.email, /invited to the staff/)
  const link = /https?:\/\/\S+\/staff\/join\S+/.exec(text)?.[0] ?? ''
  const context = await browser.newContext({
    baseURL: baseURL ?? '',
    viewport: { width: 360, height: 780 },
    storageState: storageOf(editor.session, baseURL),
  })
  const phone = await context.newPage()
  await phone.goto(link)
  await expect(phone.getByText('invites you to help publish')).toContainText('editor')
  await inspect(phone, 'staff-join')
  await phone.setViewportSize({ width: 360, height: 780 })
  await phone.getByRole('button', { name: 'Join the staff' }).click()
  await expect(toast(phone, 'Welcome to the staff')).toBeVisible()
  await expect(phone).toHaveURL('/admin')

  // Content is an editor's; members aren't.
  await phone.goto('/admin/content/drops')
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Weekly drops')
  await phone.goto('/admin/members')
  await expect(phone.getByText('This page isn’t part of your role')).toBeVisible()
  await phone.goto('/admin/content/drops')
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Weekly drops')

  // Meanwhile the role changes; the next call notices.
  const people = page.getByRole('list', { name: 'People' }).getByRole('listitem')
  const row = people.filter({ hasText: editor.email })
  await page.reload()
  await expect(row).toContainText('Editor')
  await row.getByRole('button', { name: 'Change role' }).click()
  await page.getByRole('dialog').getByRole('combobox', { name: 'Role' }).selectOption('Support')
  const changed = page.waitForResponse('**/functions/v1/admin-change-staff-role')
  await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click()
  await changed
  await expect(row).toContainText('Support')
  await phone.getByRole('link', { name: 'Prompt packs' }).click()
  await expect(toast(phone, 'Your role is now Support')).toBeVisible()
  await expect(phone.getByText('This page isn’t part of your role')).toBeVisible()

  await row.getByRole('button', { name: 'Suspend' }).click()
  const suspended = page.waitForResponse('**/functions/v1/admin-suspend-staff')
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  await suspended
  await expect(row).toContainText('Suspended')
  await phone.goto('/admin')
  await expect(toast(phone, 'Access denied. Admin privileges required.')).toBeVisible()
  await context.close()
})

test('A new person signs up from a staff invitation, confirms the address, and joins without the reader’s questions', async ({
  page,
  browser,
  request,
  loginAs,
}) => {
  const email = newEmail()
  await loginAs('admin')
  await page.goto('/admin/settings/staff')
  await page.getByRole('textbox', { name: 'Email address' }).fill(email)
  await page.getByRole('combobox', { name: 'Role' }).selectOption('Editor')
  await page.getByRole('button', { name: 'Send invitation' }).click()
  const { text } = await waitForEmail(request, email, /invited to the staff/)
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin })
  const guest = await context.newPage()
  await guest.goto(/https?:\/\/\S+\/staff\/join\S+/.exec(text)?.[0] ?? '')
  await guest.getByRole('link', { name: 'Create an account' }).click()
  await guest.getByLabel('Password', { exact: true }).fill(newPassword)
  await guest.getByRole('button', { name: 'Sign Up' }).click()
  await guest.getByRole('link', { name: 'Enter code' }).click()
  const confirmation = await waitForEmail(request, email, /Confirm your email/)
  await guest.getByLabel('Code from the email').fill(codeIn(confirmation))
  await guest.getByRole('button', { name: 'Join the staff' }).click()
  await expect(guest).toHaveURL('/admin')

  // Editors can send to segments, but not change them.
  await guest.goto('/admin/newsletter/segments')
  await expect(guest.getByText('Ask an owner to add or change a segment')).toBeVisible()
  await expect(guest.getByRole('button', { name: 'New segment' })).toHaveCount(0)
  await context.close()
})

test('An owner creates an API key and a webhook, and their secrets are shown once', async ({
  page,
  request,
  loginAs,
}) => {
  await loginAs('admin')
  await page.goto('/admin/settings/api')
  await page.getByRole('button', { name: 'Create API key' }).click()
  const name = `CRM ${crypto.randomUUID().slice(0, 8)}`
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('checkbox', { name: /Read published drops/ }).click()
  await expect(page.getByRole('checkbox', { name: /Read published drops/ })).toBeChecked()
  const created = page.waitForResponse('**/functions/v1/admin-create-api-key')
  await page.getByRole('button', { name: 'Create key' }).click()
  await created
  const shown = page.getByText('Copy the key now').locator('..')
  const key = /fc_[\w-]{43}/.exec(await shown.innerText())?.[0]
  const headers = { Authorization: `Bearer ${key}` }
  expect((await request.get('/api/v1/drops', { headers })).status()).toBe(200)
  expect((await request.get('/api/v1/members', { headers })).status()).toBe(403)

  await page.getByRole('button', { name: 'Add webhook' }).click()
  const address = `https://hooks.invalid/${crypto.randomUUID()}`
  await page.getByRole('textbox', { name: 'Address' }).fill(address)
  await page.getByRole('checkbox', { name: 'member.created' }).click()
  const saved = page.waitForResponse('**/functions/v1/admin-save-webhook')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await saved
  await expect(page.getByText('Copy the signing secret now')).toBeVisible()
  await page.getByRole('button', { name: `Replace secret: ${address}` }).click()
  const replaced = page.waitForResponse('**/functions/v1/admin-rotate-webhook-secret')
  await page.getByRole('dialog').getByRole('button', { name: 'Replace secret' }).click()
  await replaced
  const webhook = page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem').filter({ hasText: address })
  await expect(webhook).toContainText('The former secret signs too until')
  await expect(webhook).toContainText('whsec_')
  await page.getByRole('button', { name: `Show log: ${address}` }).click()
  await inspect(page, 'api-and-webhooks')

  const row = page.getByRole('list', { name: 'API keys' }).getByRole('listitem').filter({ hasText: name })
  await expect(row).not.toContainText(key ?? '')
  await row.getByRole('button', { name: 'Revoke' }).click()
  const revoked = page.waitForResponse('**/functions/v1/admin-revoke-api-key')
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await revoked
  await expect(row).toContainText('Revoked')
  expect((await request.get('/api/v1/drops', { headers })).status()).toBe(401)
  await page.getByRole('button', { name: `Delete: ${address}` }).click()
  const deleted = page.waitForResponse('**/functions/v1/admin-delete-webhook')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await deleted
})

test('Staff choose which emails they get', async ({ page, loginAs }) => {
  await loginAs('admin')
  await page.goto('/admin#your-emails')
  const members = page.getByRole('checkbox', { name: 'New members' })
  await expect(members).not.toBeChecked()
  await inspect(page, 'admin-your-emails')
  for (const isOn of [true, false]) {
    const saved = page.waitForResponse('**/functions/v1/admin-staff-emails')
    await members.click()
    expect((await saved).status()).toBe(200)
    await page.reload()
    await expect(members).toBeChecked({ checked: isOn })
  }
})
