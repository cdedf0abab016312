import type { Page } from '@playwright/test'
import { addAuthenticator } from './support/authenticator.ts'
import { confirmEmail } from './support/emails.ts'
import { addTotp } from './support/factors.ts'
import { inspect } from './support/inspect.ts'
import { requireStepUpOnce } from './support/step-up.ts'
import { expect, test, toasts } from './support/test.ts'

/** Waits until the page is complete and no notification covers it. */
const whenQuiet = async (page: Page) => {
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await expect(toasts(page)).toHaveCount(0)
}

test.describe('Accessible and without overflow at every width:', () => {
  // Each test inspects several states of a page, at three widths and in two themes.
  test.setTimeout(150_000)

  test('security of a new account', { tag: '@all' }, async ({ page, signUpConfirmed, login }) => {
    await login(await signUpConfirmed())
    await page.goto('/account/security')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByLabel('New password').fill('password1')
    await page.getByRole('button', { name: 'Add authenticator app' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible()
    await whenQuiet(page)
    await inspect(page, 'account-security-setup')
  })

  test('security of an account with every method', async ({ page, request, signUp, login }) => {
    const fresh = await signUp()
    await confirmEmail(request, fresh.email)
    const { account } = await addTotp(request, fresh)
    await login(account)
    await addAuthenticator(page)
    await page.goto('/account/security')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('list', { name: 'Passkeys' })).toBeVisible()
    await page.getByRole('button', { name: 'Create backup codes' }).click()
    await expect(page.getByRole('list', { name: 'Backup codes' })).toBeVisible()
    await page.getByRole('button', { name: /^Rename/ }).click()
    await whenQuiet(page)
    await inspect(page, 'account-security')
  })

  test('the step-up dialog and the dialog before a removal', { tag: '@all' }, async ({
    page,
    request,
    signUp,
    login,
  }) => {
    const { account } = await addTotp(request, await signUp())
    await login(account)
    await page.goto('/account/security')
    await page.getByRole('button', { name: /^Remove/ }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await whenQuiet(page)
    await inspect(page, 'remove-dialog')
    await page.keyboard.press('Escape')
    await requireStepUpOnce(page, { path: '/functions/v1/create-backup-codes' })
    await page.getByRole('button', { name: 'Create backup codes' }).click()
    await expect(page.getByRole('dialog').getByLabel(/^Code from/)).toBeVisible()
    await inspect(page, 'step-up-dialog')
  })

  test('account of a user in the admin area', { tag: '@all' }, async ({ page, signUp, loginAs }) => {
    const { session } = await signUp()
    await loginAs('admin')
    await page.goto(`/admin/members/${session.user.id}`)
    await page.getByText('Close the account').click()
    await page.getByRole('button', { name: 'Disable account' }).click()
    await expect(page.getByLabel('Reason')).toBeVisible()
    await whenQuiet(page)
    await inspect(page, 'admin-user')
  })
})
