import type { Page } from '@playwright/test'
import { newEmail, newPassword, signIn } from './support/accounts.ts'
import { axeViolations } from './support/axe.ts'
import { codeIn, confirmEmail, waitForEmail } from './support/emails.ts'
import { inspect } from './support/inspect.ts'
import { inspectSmallScreens } from './support/small-screens.ts'
import { expect, test, toast } from './support/test.ts'

const askFor = async (page: Page, email: string) => {
  await page.goto('/account/profile')
  await page.getByRole('button', { name: 'Change email' }).click()
  const form = page.getByRole('region', { name: 'Change email' })
  await form.getByLabel('New email').fill(email)
  await form.getByRole('button', { name: 'Change email' }).click()
}
const pending = (page: Page) => page.getByRole('region', { name: 'Pending email change' })
const code = (page: Page, mailbox: string) => pending(page).getByLabel(`Code sent to ${mailbox}`)

test('An email change needs the codes from both addresses, in any order', async ({
  page,
  request,
  baseURL,
  signUp,
  login,
}) => {
  const account = await signUp()
  await confirmEmail(request, account.email)
  const wanted = newEmail()
  await login(account)
  await askFor(page, wanted)
  await expect(pending(page)).toContainText(`Confirm ${wanted}`)
  await expect(page.getByText(account.email, { exact: true })).toBeVisible()
  await page.reload()
  await expect(pending(page)).toContainText(`Confirm ${wanted}`)
  await inspect(page, 'account-profile')

  const fromOld = codeIn(await waitForEmail(request, account.email, /email change/))
  const fromNew = codeIn(await waitForEmail(request, wanted, /new email/))
  await code(page, account.email).fill(fromOld)
  await expect(pending(page)).toContainText(`${account.email} is confirmed.`)
  expect((await signIn(baseURL ?? '', account.email, newPassword)).session.user.email).toBe(account.email)

  await code(page, wanted).fill(fromNew === '000000' ? '000001' : '000000')
  await expect(pending(page).getByRole('alert').filter({ hasText: 'That code is wrong or has expired' })).toBeVisible()
  await code(page, wanted).fill(fromNew)
  await expect(toast(page, 'Your email was changed')).toBeVisible()
  await expect(pending(page)).toHaveCount(0)
  await expect(page.getByText(wanted, { exact: true }).first()).toBeVisible()
  await signIn(baseURL ?? '', wanted, newPassword)
})

test('The profile shows the account ID, when the user joined and their name, which can be set and cleared', async ({
  page,
  signUp,
  login,
}) => {
  const account = await signUp()
  await login(account)
  await page.goto('/account')
  await expect(page).toHaveURL('/account/profile')
  await expect(page.getByRole('main')).toContainText(account.session.user.id)
  await expect(page.getByRole('main').getByText('Member since')).toBeVisible()
  const name = page.getByLabel('Your name')
  for (const wanted of ['Mia Müller', '']) {
    await name.fill(wanted)
    await page.getByRole('button', { name: 'Save name' }).click()
    await expect(toast(page, 'Your name was saved').first()).toBeVisible()
    await page.reload()
    await expect(name).toHaveValue(wanted)
  }
  const pages = page.getByRole('navigation', { name: 'Account pages' }).getByRole('link')
  await expect(pages).toHaveText([
    'Profile',
    'Business',
    'Preferences',
    'Email',
    'Security',
    'Assistants',
    'Billing',
    'Data',
  ])
})

test('On a phone, the account is a list whose pages lead back to it, and what is saved is one tap away', async ({
  page,
  signUpSubscriber,
  login,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await login(await signUpSubscriber())
  await page.goto('/portal/tools')
  await page.getByRole('link', { name: 'Account', exact: true }).click()
  await expect(page).toHaveURL('/account')
  const list = page.getByRole('navigation', { name: 'Account pages' })
  await expect(list.getByRole('link')).toHaveCount(10)
  expect(await axeViolations(page)).toEqual([])
  await inspectSmallScreens(page, 'account-list')
  await page.setViewportSize({ width: 390, height: 844 })
  await list.getByRole('link', { name: 'Billing' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Billing')
  await expect(list).toHaveCount(0)
  await page.getByRole('main').getByRole('link', { name: 'Account', exact: true }).click()
  await expect(list).toBeVisible()
  await page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name: 'Saved' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Saved')
})
