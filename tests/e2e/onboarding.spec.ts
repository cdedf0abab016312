import type { Page } from '@playwright/test'
import { demoEmail, demoPassword, newEmail, newPassword } from './support/accounts.ts'
import { countCalls } from './support/api-calls.ts'
import { cards, payWith, planCard } from './support/checkout.ts'
import { emailsTo, linkIn, waitForEmail } from './support/emails.ts'
import { checkOverflow, inspect, inspectState } from './support/inspect.ts'
import { answerWithBareUser, failCall } from './support/refuse.ts'
import { expect, test, toast, toasts } from './support/test.ts'

/** Titles of the error notifications shown from now on, on any page. */
async function watchErrors(page: Page) {
  await page.addInitScript(() => {
    new MutationObserver(() => {
      for (const shown of document.querySelectorAll('[data-sonner-toast][data-type=error]')) {
        const seen = sessionStorage.getItem('seen-errors') ?? ''
        if (!seen.includes(shown.textContent)) sessionStorage.setItem('seen-errors', `${seen}${shown.textContent}\n`)
      }
    }).observe(document, { childList: true, subtree: true })
  })
  return async () =>
    ((await page.evaluate(() => sessionStorage.getItem('seen-errors'))) ?? '').split('\n').filter(Boolean)
}

/** Signs up with the form, which opens onboarding. */
async function begin(page: Page): Promise<string> {
  const email = newEmail()
  await page.goto('/auth?mode=sign-up')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(newPassword)
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
  await expect(page.getByText('Step 1 of 3')).toBeFocused()
  return email
}

const button = (page: Page, name: 'Continue' | 'Back' | 'Finish' | 'Continue to checkout') =>
  page.getByRole('button', { name, exact: true })

async function answerAll(page: Page) {
  await page.getByRole('checkbox', { name: 'Operations' }).check()
  await button(page, 'Continue').click()
  await page.getByRole('radio', { name: 'Beginner' }).check()
  await button(page, 'Continue').click()
  await expect(page.getByText('Step 3 of 3')).toBeVisible()
}

test('Continue waits for an answer, and Back keeps all answers', async ({ page }) => {
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
  await expect(page.locator('body > [role=status]')).toHaveText('About your business · Front Counter')
  await expect(toasts(page)).toHaveCount(0)
  await inspect(page, 'onboarding-1')
  await button(page, 'Continue').click()

  await expect(page.getByText('Step 2 of 3')).toBeVisible()
  await expect(page.getByRole('main').getByRole('radio')).toHaveCount(3)
  for (const text of ['Just getting started', 'Using AI tools regularly', 'Implementing AI solutions']) {
    await expect(page.getByText(text)).toBeVisible()
  }
  await expect(button(page, 'Continue')).toBeDisabled()
  await page.getByRole('radio', { name: 'Advanced' }).check()
  await inspectState(page, 'onboarding-2')
  await button(page, 'Continue').click()

  await expect(page.getByText('Step 3 of 3')).toBeVisible()
  await expect(page.getByRole('checkbox')).toHaveCount(5)
  await expect(page.getByRole('main').getByRole('radio')).toHaveCount(6)
  await expect(button(page, 'Finish')).toBeEnabled()
  await page.getByRole('checkbox', { name: 'Reduce costs' }).check()
  await page.getByRole('radio', { name: 'Retail' }).check()
  await inspectState(page, 'onboarding-3')

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

test('Finishing saves the answers, sends the welcome email and, without a plan, opens the plans without an error', async ({
  page,
  request,
}) => {
  const errors = await watchErrors(page)
  const email = await begin(page)
  await page.getByRole('checkbox', { name: 'Sales' }).check()
  await button(page, 'Continue').click()
  await page.getByRole('radio', { name: 'Intermediate' }).check()
  await button(page, 'Continue').click()
  const sent = page.waitForRequest('**/functions/v1/onboarding-welcome')
  await button(page, 'Finish').click()
  expect((await sent).postDataJSON()).toMatchObject({ email, focusAreas: ['Sales'], aiLevel: 'intermediate' })

  await expect(toast(page, 'Welcome! Your preferences have been saved.')).toBeVisible()
  await expect(page).toHaveURL('/#pricing')
  await expect(page.getByRole('heading', { name: 'Choose Your Plan' })).toBeInViewport()
  await expect(page.getByRole('link', { name: 'Choose a Plan' })).toBeVisible()
  expect(await errors()).toEqual([])
  await page.goto('/portal')
  await expect(toast(page, 'You need an active subscription to access the portal')).toBeVisible()

  const message = await waitForEmail(request, email, /^Welcome to Front Counter/)
  expect(message.subject).toBe('Welcome to Front Counter. Next: choose a plan')
  expect(message.text).toContain('your focus area, Sales')
  expect(message.text).toContain('Follow up every open estimate')
  expect(message.text).not.toContain('Find ten minutes in your close')
  expect(message.html).not.toContain('/portal')
  expect((await emailsTo(request, email)).filter(({ subject }) => subject === message.subject)).toHaveLength(1)
})

test('All three steps work with the keyboard alone', async ({ page }) => {
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

test('When the server fails, nothing is lost and a retry succeeds', async ({ page }) => {
  await begin(page)
  await answerAll(page)
  await page.getByRole('checkbox', { name: 'Stay competitive' }).check()
  // Closing the tab here loses nothing: the portal goes on with the questions.
  await page.goto('/portal')
  await expect(page.getByText('Step 3 of 3')).toBeVisible()
  await failCall(page, 'onboarding-welcome')
  await button(page, 'Finish').click()
  await expect(toast(page, 'Failed to complete onboarding. Please try again.')).toBeVisible()
  await expect(page.getByText('Step 3 of 3')).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Stay competitive' })).toBeChecked()
  await page.unroute('**/functions/v1/onboarding-welcome')
  await button(page, 'Finish').click()
  await expect(toast(page, 'Welcome! Your preferences have been saved.')).toBeVisible()
})

test('A reload and another tab continue at the current step with every answer, and signing out clears them', async ({
  page,
  context,
}) => {
  await begin(page)
  await answerAll(page)
  await page.getByRole('checkbox', { name: 'Scale operations' }).check()
  await page.reload()
  await expect(page.getByText('Step 3 of 3')).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Scale operations' })).toBeChecked()
  const second = await context.newPage()
  await second.goto('/auth')
  await expect(second.getByText('Step 3 of 3')).toBeVisible()
  await second.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(second.getByRole('radio', { name: 'Beginner' })).toBeChecked()
  await second.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(second.getByRole('checkbox', { name: 'Operations' })).toBeChecked()
  await second.goto('/')
  await second.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click()
  await expect(second.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible()
  expect(await second.evaluate(() => localStorage.getItem('front-counter-onboarding'))).toBeNull()
})

test.describe('A visitor who chose a plan', () => {
  const choose = async (page: Page) => {
    await page.goto('/')
    await planCard(page, 'pro_yearly').getByRole('button', { name: 'Get Started' }).click()
    await expect(page.getByText('You chose Pro Yearly, $99 per year')).toBeVisible()
  }
  const fillIn = async (page: Page, email: string) => {
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(newPassword)
  }
  const opensCheckout = async (page: Page) => {
    await expect(page.getByLabel('Card number')).toBeVisible()
    await expect(page.getByRole('main')).toContainText('Pro Yearly')
  }

  test('signs up, answers, reloads in between, pays and has access, with each email once and no error', async ({
    page,
    request,
  }) => {
    const errors = await watchErrors(page)
    const email = newEmail()
    await choose(page)
    await inspectState(page, 'sign-up-with-plan')
    await fillIn(page, email)
    await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
    await expect(toast(page, 'Account created!')).toContainText("Let's personalize your experience.")
    await expect(page.getByText('Three questions, then checkout: Pro Yearly, $99 per year')).toBeVisible()
    await checkOverflow(page, 'questions-with-plan')
    await answerAll(page)
    await page.reload()
    await expect(page.getByText('Step 3 of 3')).toBeVisible()
    await button(page, 'Continue to checkout').click()
    await opensCheckout(page)
    await payWith(page, cards.works)
    await expect(page).toHaveURL('/portal/weekly-drops')
    await expect(page.getByRole('region', { name: 'You’re in' })).toContainText('Pro Yearly is active')
    expect(await errors()).toEqual([])
    await expect(toasts(page)).toHaveCount(0)
    await inspectState(page, 'you-are-in')
    await page.getByRole('link', { name: 'Tools' }).click()
    await expect(page.getByRole('region', { name: 'You’re in' })).toHaveCount(0)

    await waitForEmail(request, email, /^You’re in/)
    expect((await emailsTo(request, email)).map(({ subject }) => subject).toReversed()).toEqual([
      'Confirm your email address for Front Counter',
      'Welcome to Front Counter. Next: checkout',
      'You’re in. Welcome to Front Counter',
    ])
  })

  test('signs in instead and continues to checkout, and “back” leads to the plans', async ({ page, signUp }) => {
    const { email } = await signUp()
    await choose(page)
    await page.getByRole('button', { name: 'Already have an account? Sign in' }).click()
    await fillIn(page, email)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await opensCheckout(page)
    await page.goBack()
    await expect(page).toHaveURL('/')
  })

  test('and already has it is redirected to the portal, without a checkout', async ({ page }) => {
    await page.goto('/')
    await planCard(page, 'pro_monthly').getByRole('button', { name: 'Get Started' }).click()
    await page.getByRole('button', { name: 'Already have an account? Sign in' }).click()
    const started = countCalls(page, 'create-checkout')
    await page.getByLabel('Email').fill(demoEmail('pro'))
    await page.getByLabel('Password', { exact: true }).fill(demoPassword)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expect(page).toHaveURL('/portal/weekly-drops')
    expect(started()).toBe(0)
  })

  test('sees an error if checkout fails to open, and a retry succeeds', async ({ page, signUp, login }) => {
    await login(await signUp())
    await failCall(page, 'create-checkout', 502)
    await page.goto('/checkout/pro_yearly')
    await expect(toast(page, 'Unable to start checkout. Please try again.')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('We couldn’t open checkout')
    await inspectState(page, 'checkout-not-opened')
    await page.unroute('**/functions/v1/create-checkout')
    await page.getByRole('button', { name: 'Try again' }).click()
    await opensCheckout(page)
  })

  test('confirms first, in another browser, then answers and pays there', async ({ page, browser, request }) => {
    const email = newEmail()
    await page.route('**/auth/v1/signup**', answerWithBareUser)
    await choose(page)
    await fillIn(page, email)
    await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confirm your email')
    const second = await browser.newPage()
    await second.goto(linkIn(await waitForEmail(request, email, /Confirm your email address/)))
    // A browser without a session of the account is asked who signed up.
    await second.getByRole('button', { name: 'Yes, keep my password' }).click()
    await expect(second.getByText('Three questions, then checkout: Pro Yearly, $99 per year')).toBeVisible()
    await answerAll(second)
    await button(second, 'Continue to checkout').click()
    await opensCheckout(second)
    await second.close()
  })
})
