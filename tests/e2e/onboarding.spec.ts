import type { Page } from '@playwright/test'
import { newEmail, newPassword } from './support/accounts.ts'
import { mailsTo, waitForMail } from './support/mail.ts'
import { failCall } from './support/refuse.ts'
import { expect, test, toast } from './support/test.ts'

/** Signs up through the form, which is where the three steps begin. */
async function begin(page: Page): Promise<string> {
  const email = newEmail()
  await page.goto('/auth?mode=sign-up')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(newPassword)
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
  await expect(page.getByText('Step 1 of 3')).toBeVisible()
  return email
}

const button = (page: Page, name: 'Continue' | 'Back' | 'Finish') => page.getByRole('button', { name, exact: true })

async function answerAll(page: Page) {
  await page.getByRole('checkbox', { name: 'Operations' }).check()
  await button(page, 'Continue').click()
  await page.getByRole('radio', { name: 'Beginner' }).check()
  await button(page, 'Continue').click()
  await expect(page.getByText('Step 3 of 3')).toBeVisible()
}

test('Continue waits for an answer, and Back loses none', async ({ page }) => {
  await begin(page)
  await expect(page.getByRole('checkbox')).toHaveCount(6)
  await expect(button(page, 'Back')).toHaveCount(0)
  await expect(button(page, 'Continue')).toBeDisabled()
  await page.getByRole('checkbox', { name: 'Finance' }).check()
  await expect(button(page, 'Continue')).toBeEnabled()
  await page.getByRole('checkbox', { name: 'Finance' }).uncheck()
  await expect(button(page, 'Continue')).toBeDisabled()
  await page.getByRole('checkbox', { name: 'Finance' }).check()
  await page.getByRole('checkbox', { name: 'Customer Service' }).check()
  await button(page, 'Continue').click()

  await expect(page.getByText('Step 2 of 3')).toBeVisible()
  await expect(page.getByRole('main').getByRole('radio')).toHaveCount(3)
  for (const text of ['Just getting started', 'Using AI tools regularly', 'Implementing AI solutions']) {
    await expect(page.getByText(text)).toBeVisible()
  }
  await expect(button(page, 'Continue')).toBeDisabled()
  await page.getByRole('radio', { name: 'Advanced' }).check()
  await button(page, 'Continue').click()

  await expect(page.getByText('Step 3 of 3')).toBeVisible()
  await expect(page.getByRole('checkbox')).toHaveCount(5)
  await expect(page.getByRole('main').getByRole('radio')).toHaveCount(6)
  await expect(button(page, 'Finish')).toBeEnabled()
  await page.getByRole('checkbox', { name: 'Reduce costs' }).check()
  await page.getByRole('radio', { name: 'Retail' }).check()

  await button(page, 'Back').click()
  await expect(page.getByRole('radio', { name: 'Advanced' })).toBeChecked()
  await button(page, 'Back').click()
  await expect(page.getByRole('checkbox', { name: 'Finance' })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: 'Customer Service' })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: 'Sales' })).not.toBeChecked()
  await button(page, 'Continue').click()
  await button(page, 'Continue').click()
  await expect(page.getByRole('checkbox', { name: 'Reduce costs' })).toBeChecked()
  await expect(page.getByRole('radio', { name: 'Retail' })).toBeChecked()
})

test('Finishing saves the answers, sends a first letter in their order and, without a plan, leads to the plans', async ({
  page,
  request,
}) => {
  const email = await begin(page)
  await page.getByRole('checkbox', { name: 'Sales' }).check()
  await button(page, 'Continue').click()
  await page.getByRole('radio', { name: 'Intermediate' }).check()
  await button(page, 'Continue').click()
  const sent = page.waitForRequest('**/functions/v1/onboarding-welcome')
  await button(page, 'Finish').click()
  expect((await sent).postDataJSON()).toMatchObject({ email, focusAreas: ['Sales'], aiLevel: 'intermediate' })

  await expect(toast(page, 'Welcome! Your preferences have been saved.')).toBeVisible()
  await expect(toast(page, 'You need an active subscription to access the portal')).toBeVisible()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'Choose a Plan' })).toBeVisible()

  const mail = await waitForMail(request, email, /^Welcome to Front Counter/)
  expect(mail.text).toContain('Sales')
  const places = ['Follow up every open estimate', 'Find ten minutes in your close', 'A week of reviews'].map((title) =>
    mail.text.indexOf(title),
  )
  expect(Math.min(...places)).toBeGreaterThan(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect((await mailsTo(request, email)).filter(({ subject }) => subject === mail.subject)).toHaveLength(1)
})

test('All three steps can be done with the keyboard alone', async ({ page }) => {
  await begin(page)
  const tabTo = async (locator: ReturnType<Page['getByRole']>) => {
    for (let stop = 0; stop < 20; stop++) {
      if (await locator.evaluate((element) => element === document.activeElement)) return
      await page.keyboard.press('Tab')
    }
    await expect(locator).toBeFocused()
  }
  await tabTo(page.getByRole('checkbox', { name: 'Marketing' }))
  await page.keyboard.press('Space')
  await tabTo(button(page, 'Continue'))
  await page.keyboard.press('Enter')
  await expect(page.getByText('Step 2 of 3')).toBeFocused()
  await tabTo(page.getByRole('radio', { name: 'Beginner' }))
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: 'Intermediate' })).toBeChecked()
  await tabTo(button(page, 'Continue'))
  await page.keyboard.press('Enter')
  await expect(page.getByText('Step 3 of 3')).toBeFocused()
  await tabTo(button(page, 'Finish'))
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Welcome! Your preferences have been saved.')).toBeVisible()
})

test('When the server fails, nothing is lost and the next try succeeds', async ({ page }) => {
  await begin(page)
  await answerAll(page)
  await page.getByRole('checkbox', { name: 'Stay competitive' }).check()
  await failCall(page, 'onboarding-welcome')
  await button(page, 'Finish').click()
  await expect(toast(page, 'Failed to complete onboarding. Please try again.')).toBeVisible()
  await expect(page.getByText('Step 3 of 3')).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Stay competitive' })).toBeChecked()
  await page.unroute('**/functions/v1/onboarding-welcome')
  await button(page, 'Finish').click()
  await expect(toast(page, 'Welcome! Your preferences have been saved.')).toBeVisible()
})

test('A reload in the middle comes back to the same step with every answer', async ({ page }) => {
  await begin(page)
  await answerAll(page)
  await page.getByRole('checkbox', { name: 'Scale operations' }).check()
  await page.reload()
  await expect(page.getByText('Step 3 of 3')).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Scale operations' })).toBeChecked()
  await button(page, 'Back').click()
  await expect(page.getByRole('radio', { name: 'Beginner' })).toBeChecked()
  await button(page, 'Back').click()
  await expect(page.getByRole('checkbox', { name: 'Operations' })).toBeChecked()
})
