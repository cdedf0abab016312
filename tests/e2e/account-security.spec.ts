import { readFile } from 'node:fs/promises'
import type { Browser, Page } from '@playwright/test'
import { type Account, newPassword, signIn, storageOf } from './support/accounts.ts'
import { addAuthenticator } from './support/authenticator.ts'
import { codeIn, waitForMessage } from './support/emails.ts'
import { addTotp, totpCode } from './support/factors.ts'
import { requireStepUpOnce } from './support/step-up.ts'
import { banner, expect, test, toast } from './support/test.ts'

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const twoStepMethods = (page: Page) => page.getByRole('list', { name: 'Two-step methods' }).getByRole('listitem')
const dialog = (page: Page, name = 'Confirm it’s you') => page.getByRole('dialog', { name })

const openSecurity = async (page: Page) => {
  await page.goto('/account/security')
  await expect(section(page, 'Password')).toBeVisible()
}

/** The same account on another device. */
async function otherDevice(browser: Browser, baseURL: string, account: Account) {
  const context = await browser.newContext({
    baseURL,
    storageState: storageOf(account.session, baseURL),
  })
  return { context, page: await context.newPage() }
}

const expectSignedOut = async (page: Page) => {
  await page.goto('/account/security')
  await expect(page).toHaveURL('/auth')
}

test.describe('An authenticator app', () => {
  test('is set up by QR code or key, is logged, and can be removed', async ({ page, signUpConfirmed, login }) => {
    await login(await signUpConfirmed())
    await openSecurity(page)
    await expect(section(page, 'Backup codes').getByRole('button')).toHaveCount(0)
    await page.getByRole('button', { name: 'Add authenticator app' }).click()
    const name = page.getByLabel('Name', { exact: true })
    await expect(name).toBeFocused()
    await name.fill('Store phone')
    await page.getByRole('button', { name: 'Continue' }).click()

    const picture = page.getByRole('img', { name: /^QR code/ })
    await expect(picture).toHaveAttribute('src', /^data:image\/svg\+xml/)
    const widthPx = () => picture.evaluate((image: HTMLImageElement) => (image.complete ? image.naturalWidth : 0))
    await expect.poll(widthPx).toBeGreaterThan(0)
    const secret = (await section(page, 'Add an authenticator app').locator('code').innerText()).replaceAll(' ', '')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy: setup key' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(secret)

    const code = page.getByLabel('Code from the app')
    const right = totpCode(secret)
    await code.fill(right === '000000' ? '000001' : '000000')
    await expect(page.getByRole('alert').filter({ hasText: 'That code is wrong. Wait for the next one' })).toBeVisible()
    await code.fill(right)
    await expect(toast(page, 'Your authenticator app is set up')).toContainText('signed out on all other devices')
    await expect(twoStepMethods(page)).toHaveCount(1)
    await expect(twoStepMethods(page)).toContainText('Store phone')
    await expect(page.getByText('Create your backup codes now')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Recent activity' })).toContainText('Added a two-step method')

    await page.getByRole('button', { name: 'Remove: Store phone' }).click()
    const question = dialog(page, 'Remove “Store phone”?')
    await expect(question).toContainText('your only two-step method')
    await question.getByRole('button', { name: 'Keep it' }).click()
    await expect(twoStepMethods(page)).toHaveCount(1)
    await page.getByRole('button', { name: 'Remove: Store phone' }).click()
    await question.getByRole('button', { name: 'Remove' }).click()
    await expect(toast(page, 'Two-step method removed')).toBeVisible()
    await expect(twoStepMethods(page)).toHaveCount(0)
    await expect(section(page, 'Two-step verification')).toContainText('Off')
  })
})

test('A phone is set up with the code from a text message', async ({ page, request, signUpConfirmed, login }) => {
  await login(await signUpConfirmed())
  await openSecurity(page)
  const number = `1555${Date.now().toString().slice(-7)}`
  await page.getByRole('button', { name: 'Add phone' }).click()
  const form = section(page, 'Add a phone')
  await form.getByLabel('Phone number').fill('5')
  await form.getByRole('button', { name: 'Send code' }).click()
  await expect(form.getByRole('alert').filter({ hasText: 'Invalid phone number format' })).toBeVisible()
  await form.getByLabel('Phone number').fill(`+${number}`)
  await form.getByRole('button', { name: 'Send code' }).click()
  const code = form.getByLabel('Code from the text message')
  await expect(code).toBeFocused()
  await code.fill(codeIn(await waitForMessage(request, number)))
  await expect(toast(page, 'Your phone is set up')).toBeVisible()
  await expect(twoStepMethods(page)).toContainText('Text message')
})

test('Backup codes are shown once, can be saved in three ways, and new ones replace them', async ({
  page,
  request,
  signUp,
  login,
}) => {
  const { account } = await addTotp(request, await signUp())
  await login(account)
  await openSecurity(page)
  await page.getByRole('button', { name: 'Create backup codes' }).click()
  const codes = page.getByRole('list', { name: 'Backup codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const shown = await codes.allInnerTexts()
  expect(new Set(shown).size).toBe(10)
  await expect(page.getByRole('heading', { name: 'Your new backup codes' })).toBeFocused()

  const panel = section(page, 'New backup codes')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await panel.getByRole('button', { name: 'Copy: backup codes' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(shown.join('\n'))
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('front-counter-backup-codes.txt')
  const text = await readFile(await file.path(), 'utf8')
  expect(text).toContain(shown.join('\n'))
  expect(text).toContain(account.email)
  await page.emulateMedia({ media: 'print' })
  await expect(codes.first()).toBeVisible()
  await expect(banner(page)).toBeHidden()
  await expect(panel.getByRole('button')).toHaveCount(0)
  await page.emulateMedia({ media: 'screen' })

  await panel.getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(codes).toHaveCount(0)
  await page.reload()
  await expect(section(page, 'Backup codes')).toContainText('10 left')
  await expect(page.getByText(shown[0] ?? '')).toHaveCount(0)

  await page.getByRole('button', { name: 'Create new codes' }).click()
  const question = dialog(page, 'Create new backup codes?')
  await expect(question).toContainText('Your 10 current codes stop working.')
  await question.getByRole('button', { name: 'Create new codes' }).click()
  await expect(codes).toHaveCount(10)
  const fresh = await codes.allInnerTexts()
  expect(fresh.filter((code) => shown.includes(code))).toEqual([])
})

test('A passkey is added once for each device, with a name, renamed and removed', async ({
  page,
  signUpConfirmed,
  login,
}) => {
  await login(await signUpConfirmed())
  const { keys } = await addAuthenticator(page)
  await openSecurity(page)
  const passkeys = page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Chrome on Linux')
  await page.getByLabel('Name', { exact: true }).fill('Back office')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(toast(page, 'Your passkey is ready')).toBeVisible()
  await expect(passkeys).toHaveCount(1)
  await expect(passkeys).toContainText('Back office')
  await expect(passkeys).toContainText('not used yet')
  expect(await keys()).toHaveLength(1)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'already has a passkey for your account' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()

  await passkeys.getByRole('button', { name: 'Rename: Back office' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Counter tablet')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(passkeys).toContainText('Counter tablet')
  await page.reload()
  await expect(passkeys).toContainText('Counter tablet')

  await passkeys.getByRole('button', { name: 'Remove: Counter tablet' }).click()
  await dialog(page, 'Remove “Counter tablet”?').getByRole('button', { name: 'Remove' }).click()
  await expect(toast(page, 'Passkey removed')).toBeVisible()
  await expect(passkeys).toHaveCount(0)
})

test.describe('The list of devices', () => {
  const sessions = (page: Page) => page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')

  test('starts with this device, ends one session, and signs out all other devices with one click', async ({
    page,
    browser,
    baseURL,
    signUp,
    login,
  }) => {
    const account = await signUp()
    const other = await otherDevice(browser, baseURL ?? '', await signIn(baseURL ?? '', account.email, newPassword))
    await openSecurity(other.page)
    for (let more = 0; more < 2; more++) await signIn(baseURL ?? '', account.email, newPassword)
    await login(account)
    await openSecurity(page)
    await expect(sessions(page)).toHaveCount(4)
    await expect(sessions(page).first()).toContainText('This device')
    await expect(sessions(page).first().getByRole('button')).toHaveCount(0)
    await sessions(page)
      .last()
      .getByRole('button', { name: /^End session/ })
      .click()
    await expect(toast(page, 'Session ended')).toBeVisible()
    await expect(sessions(page)).toHaveCount(3)
    await page.getByRole('button', { name: 'Sign out all other devices' }).click()
    await expect(toast(page, 'All other devices are signed out')).toBeVisible()
    await expect(sessions(page)).toHaveCount(1)
    await expect(page.getByRole('button', { name: 'Sign out all other devices' })).toHaveCount(0)
    await expectSignedOut(other.page)
    await other.context.close()
  })
})

/** The page believes that step-up has expired; the server would still accept the change. */
const expireStepUp = (page: Page) =>
  page.route('**/functions/v1/security-overview', async (route) => {
    const response = await route.fetch()
    const overview = (await response.json()) as { stepUp: object }
    await route.fulfill({
      response,
      json: { ...overview, stepUp: { ...overview.stepUp, validUntil: null, methods: ['password'] } },
    })
  })

test('Later, changing the password requires the current one, shows its strength and signs out other devices', async ({
  page,
  browser,
  baseURL,
  signUp,
  login,
}) => {
  const account = await signUp()
  const other = await otherDevice(browser, baseURL ?? '', await signIn(baseURL ?? '', account.email, newPassword))
  await openSecurity(other.page)
  await login(account)
  await expireStepUp(page)
  await openSecurity(page)
  await page.getByRole('button', { name: 'Change password' }).click()
  const form = section(page, 'Change password')
  await expect(form.getByLabel('Current password')).toBeFocused()
  await form.getByLabel('Current password').fill('not my password')
  await form.getByLabel('New password').fill('password1')
  await expect(form).toContainText('Easy to guess')
  await form.getByLabel('New password').fill('seven chairs by a window')
  await expect(form).toContainText('Strong')
  await form.getByRole('button', { name: 'Change password' }).click()
  await expect(form.getByRole('alert').filter({ hasText: /\w/ })).toBeVisible()
  await expect(form.getByLabel('New password')).toHaveValue('seven chairs by a window')

  await form.getByLabel('Current password').fill(newPassword)
  await form.getByRole('button', { name: 'Change password' }).click()
  await expect(toast(page, 'Your password was changed')).toContainText('You’ve been signed out on all other devices.')
  await expectSignedOut(other.page)
  await other.context.close()
  await signIn(baseURL ?? '', account.email, 'seven chairs by a window')
  await page.reload()
  await expect(section(page, 'Password')).toBeVisible()
})

test.describe('When step-up is required', () => {
  const askForFile = async (page: Page) => {
    await page.goto('/account/data')
    await requireStepUpOnce(page, { path: '/functions/v1/export-data' })
    await page.getByRole('button', { name: 'Download my data' }).click()
    await expect(dialog(page)).toBeVisible()
  }

  test('closing the dialog changes nothing and returns the focus; the password confirms, and the action continues', async ({
    page,
    signUp,
    login,
  }) => {
    await login(await signUp())
    await askForFile(page)
    const download = page.getByRole('button', { name: 'Download my data' })
    for (let tab = 0; tab < 8; tab++) {
      await page.keyboard.press('Tab')
      // The page behind is inert. The browser's own controls, which may get the focus, have no element.
      expect(await page.evaluate(() => document.activeElement?.closest('dialog, body')?.tagName)).toMatch(/DIALOG|BODY/)
      await expect(download).not.toBeFocused()
    }
    let asked = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/export-data')) asked += 1
    })
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await expect(download).toBeFocused()
    await expect(page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')).toHaveCount(0)
    expect(asked).toBe(0)

    await requireStepUpOnce(page, { path: '/functions/v1/export-data' })
    await download.click()
    const password = dialog(page).getByLabel('Password', { exact: true })
    await expect(password).toBeFocused()
    await password.fill('not my password')
    await password.press('Enter')
    await expect(dialog(page).getByRole('alert')).toContainText('That didn’t match. Try again.')
    await password.fill(newPassword)
    const [file] = await Promise.all([page.waitForEvent('download'), password.press('Enter')])
    expect(file.suggestedFilename()).toMatch(/\.json$/)
    await expect(dialog(page)).toHaveCount(0)
    await page.goto('/account/security')
    await expect(page.getByRole('list', { name: 'Recent activity' })).toContainText('Confirmed their identity')
  })

  test('an account with two-step verification has to use it', async ({ page, request, signUp, login }) => {
    const { account, secret } = await addTotp(request, await signUp())
    await login(account)
    await openSecurity(page)
    await requireStepUpOnce(page, { path: '/auth/v1/factors', code: 'reauthentication_needed' })
    await page.getByRole('button', { name: 'Add authenticator app' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(dialog(page).getByRole('button', { name: 'Use your password' })).toHaveCount(0)
    const code = dialog(page).getByLabel('Code from your authenticator app')
    await expect(code).toBeFocused()
    await code.fill(totpCode(secret, 1))
    await expect(dialog(page)).toHaveCount(0)
    await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible()
  })

  test('the billing portal opens after confirming', async ({ page, loginAs }) => {
    await loginAs('team')
    await page.goto('/portal/tools')
    await requireStepUpOnce(page, { path: '/functions/v1/customer-portal' })
    await banner(page).getByRole('button', { name: 'Manage' }).click()
    await dialog(page).getByLabel('Password', { exact: true }).fill('front-counter')
    const [portal] = await Promise.all([
      page.context().waitForEvent('page'),
      dialog(page).getByRole('button', { name: 'Confirm' }).click(),
    ])
    await expect(portal.getByRole('link', { name: 'Cancel plan' })).toBeVisible()
    await expect(page).toHaveURL('/portal/tools')
    await expect(toast(page, 'Unable to open the billing portal')).toHaveCount(0)
  })
})

test('An admin who needs two-step verification is led to set it up', async ({ page, loginAs }) => {
  await loginAs('admin')
  // Only production requires it.
  const because = 'Admin pages require two-step verification. Set it up first.'
  await page.route('**/functions/v1/admin-users', (route) =>
    route.fulfill({ status: 403, json: { error: because, code: 'mfa_setup_required' } }),
  )
  await page.route('**/functions/v1/security-overview', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), mfaRequired: true } })
  })
  await page.goto('/admin')
  await expect(toast(page, because)).toBeVisible()
  await expect(page).toHaveURL('/account/security')
  await expect(toast(page, 'Failed to load admin data')).toHaveCount(0)
  await expect(section(page, 'Admin pages require two-step verification')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add authenticator app' })).toBeVisible()
})
