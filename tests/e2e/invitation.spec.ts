import type { APIRequestContext, Page } from '@playwright/test'
import { newEmail, newPassword, serviceKey, signIn } from './support/accounts.ts'
import { linkIn, waitForEmail } from './support/emails.ts'
import { inspect } from './support/inspect.ts'
import { expect, test, toast } from './support/test.ts'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Invites a user through the admin API and opens the link in the invitation email. */
async function acceptInvitation(page: Page, api: APIRequestContext, redirectTo: string) {
  const email = newEmail()
  const invited = await api.post('/auth/v1/invite', {
    headers: { apikey: serviceKey, Authorization: `Bearer ${serviceKey}` },
    params: { redirect_to: redirectTo },
    data: { email },
  })
  expect(invited.status(), await invited.text()).toBe(200)
  await page.goto(linkIn(await waitForEmail(api, email, /You’re invited/)))
  await page.getByRole('button').click()
  await expect(heading(page)).toHaveText('Choose a password')
  return email
}

test('An invited user chooses a password, then continues to the page of the invitation', async ({
  page,
  request,
  baseURL,
}) => {
  const email = await acceptInvitation(page, request, `${baseURL}/account/preferences`)
  expect(await page.evaluate(() => window.location.href)).not.toContain('token')
  await page.reload()
  await expect(heading(page)).toHaveText('Choose a password')
  await inspect(page, 'invitation')
  await page.getByLabel('Password', { exact: true }).fill(newPassword)
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(toast(page, 'Your password was set.')).toBeVisible()
  await expect(page).toHaveURL('/account/preferences')
  expect((await signIn(baseURL ?? '', email, newPassword)).email).toBe(email)
})

test('An invited user can skip the password', async ({ page, request, baseURL }) => {
  await acceptInvitation(page, request, `${baseURL}/account/security`)
  await page.getByRole('link', { name: 'Not now' }).click()
  await expect(page).toHaveURL('/account/security')
  await expect(page.getByRole('button', { name: 'Set a password' })).toBeVisible()
})
