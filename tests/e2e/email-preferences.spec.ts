import type { Page } from '@playwright/test'
import { callAs, demoEmail, demoPassword, newEmail, signIn } from './support/accounts.ts'
import { reportBounce, unsubscribeLink } from './support/email-links.ts'
import { codeIn, waitForEmail } from './support/emails.ts'
import { checkOverflow, inspect } from './support/inspect.ts'
import { expect, test, toast } from './support/test.ts'

type Choices = { drops: string; news: boolean; allowsTracking: boolean }

test.describe('With an email link, signed out,', () => {
  test('a reader switches to the digest, unsubscribes and undoes it', async ({ page, request, signUp }) => {
    const account = await signUp()
    const choices = async () => {
      const { drops, news } = await callAs<Choices>(request, account, 'email-preferences')
      return { drops, news }
    }
    await page.goto(unsubscribeLink(account.session.user.id))
    await expect(page.getByText('You opened this page from a drop')).toContainText(
      'You’re subscribed to weekly drops, product news, and “Did it work?” emails.',
    )
    await expect(page.getByText(account.email)).toHaveCount(0)
    expect(await choices()).toEqual({ drops: 'weekly', news: true })

    await page.getByRole('button', { name: 'Switch to a monthly digest' }).click()
    await expect(page.getByRole('status')).toContainText('You’ll get one digest a month.')
    expect(await choices()).toEqual({ drops: 'monthly', news: true })

    await page.getByRole('button', { name: 'Unsubscribe from all' }).click()
    await expect(page.getByText('You’re not subscribed to any of our emails.')).toBeVisible()
    expect(await choices()).toEqual({ drops: 'off', news: false })
    await checkOverflow(page, 'unsubscribe-done', ['light'])

    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(
      page.getByText('You’re subscribed to the monthly digest, product news, and “Did it work?” emails.'),
    ).toBeVisible()
    expect(await choices()).toEqual({ drops: 'monthly', news: true })
  })

  test('a subscriber sees that the plan is still active and how to cancel it', async ({ page, baseURL }) => {
    test.setTimeout(120_000)
    const { session } = await signIn(baseURL ?? '', demoEmail('pro'), demoPassword)
    await page.goto(unsubscribeLink(session.user.id, 'news'))
    const plan = page.getByRole('region', { name: 'Your plan' })
    await expect(plan).toContainText(/Pro Monthly renews on/)
    await inspect(page, 'unsubscribe')
    await plan.getByRole('link', { name: 'Cancel plan' }).click()
    await expect(page).toHaveURL(/\/auth$/)
    await page.goBack()
    await expect(
      page.getByText('You’re subscribed to weekly drops, product news, and “Did it work?” emails.'),
    ).toBeVisible()
  })
})

test.describe('On the account', () => {
  test('a member chooses which emails to receive', async ({ page, request, signUp, login }) => {
    test.setTimeout(120_000)
    const account = await signUp()
    await login(account)
    await page.goto('/account/profile')
    await page.getByRole('navigation', { name: 'Account pages' }).getByRole('link', { name: 'Email' }).click()
    await page.getByRole('radio', { name: 'Monthly' }).check()
    await page.getByRole('checkbox', { name: 'Tell me about new features' }).uncheck()
    await expect(page.getByText('Open and click tracking')).toHaveCount(0)
    await page.getByRole('button', { name: 'Save preferences' }).click()
    await expect(toast(page, 'Your email preferences have been saved.')).toBeVisible()
    expect(await callAs<Choices>(request, account, 'email-preferences')).toMatchObject({
      drops: 'monthly',
      news: false,
    })
    await page.reload()
    await expect(page.getByRole('radio', { name: 'Monthly' })).toBeChecked()
    await inspect(page, 'account-mail')
  })

  test('a member chooses when to hear about replies, and turns that off with the link of such an email', async ({
    page,
    request,
    signUp,
    login,
  }) => {
    const account = await signUp()
    const saved = async () => (await callAs<{ replies: string }>(request, account, 'email-preferences')).replies
    await login(account)
    await page.goto('/account/email')
    const choice = page.getByRole('group', { name: 'Replies to your answers' })
    await expect(choice.getByRole('radio', { name: 'At once' })).toBeChecked()
    await choice.getByRole('radio', { name: 'Once a day' }).check()
    await page.getByRole('button', { name: 'Save preferences' }).click()
    await expect(toast(page, 'Your email preferences have been saved.')).toBeVisible()
    expect(await saved()).toBe('daily')
    await page.goto(unsubscribeLink(account.session.user.id, 'replies'))
    await expect(page.getByText('You opened this page from an email about replies to your answers')).toBeVisible()
    await inspect(page, 'unsubscribe-replies')
    await page.getByRole('button', { name: 'Stop emails about replies' }).click()
    await expect(page.getByRole('status')).toContainText('You won’t get emails about replies to your answers anymore.')
    expect(await saved()).toBe('off')
  })

  test('a member whose email bounced confirms the address with a code', async ({
    page,
    request,
    signUpConfirmed,
    login,
  }) => {
    const account = await signUpConfirmed()
    await reportBounce(request, account.email)
    await login(account)
    // Where emails of earlier versions lead.
    await page.goto('/account/mail')
    await expect(page).toHaveURL('/account/email')
    const panel = page.getByRole('region', { name: 'Undeliverable email' })
    await expect(panel).toContainText(account.email)
    await checkOverflow(page, 'account-mail-bounced')
    await panel.getByRole('button', { name: 'Send code' }).click()
    const code = panel.getByLabel(`Code sent to ${account.email}`)
    await expect(code).toBeVisible()
    await code.fill(codeIn(await waitForEmail(request, account.email, /code/i)))
    await expect(toast(page, 'Your email address is confirmed')).toBeVisible()
    await expect(panel).toHaveCount(0)
  })
})

test('An admin removes a suppression with a reason and adds one manually', async ({ page, request, loginAs }) => {
  test.setTimeout(150_000)
  const email = newEmail()
  await reportBounce(request, email)
  await loginAs('admin')
  await page.goto('/admin')
  await page.getByRole('navigation', { name: 'Admin pages' }).getByRole('link', { name: 'Newsletter' }).click()
  await page.getByRole('navigation', { name: 'Newsletter pages' }).getByRole('link', { name: 'Deliverability' }).click()
  const list = page.getByRole('list', { name: 'Suppressed addresses' })
  await filterBy(page, email)
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(list).toContainText('550 No such user')
  await list.getByRole('button', { name: `Remove suppression: ${email}` }).click()
  await page.getByLabel('Reason for removing').fill('Their mail server was broken')
  await inspect(page, 'admin-deliverability')
  await page.getByRole('button', { name: 'Remove suppression' }).click()
  await expect(page.getByText('No matching addresses.')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Show removed suppressions' }).check()
  await expect(list).toContainText('Their mail server was broken')

  await page.getByRole('button', { name: 'Suppress address' }).click()
  const form = page.getByRole('region', { name: 'Suppress address' })
  await form.getByLabel('Email address').fill(email.toUpperCase())
  await form.getByLabel('Emails to stop').selectOption('Product news')
  await form.getByRole('button', { name: 'Suppress' }).click()
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await expect(list).toContainText('Asked to unsubscribe')
  await page.goBack()
  await expect(list.getByRole('listitem').filter({ hasText: 'Removed' })).toHaveCount(0)
})

async function filterBy(page: Page, text: string) {
  const form = page.getByRole('form', { name: 'Filter suppressions' })
  await form.getByLabel('Email address').fill(text)
  await form.getByRole('button', { name: 'Search' }).click()
}
