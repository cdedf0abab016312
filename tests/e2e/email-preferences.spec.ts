import type { Page } from '@playwright/test'
import { callAs, demoEmail, demoPassword, newEmail, signIn } from './support/accounts.ts'
import { reportBounce, unsubscribeLink } from './support/email-links.ts'
import { codeIn, waitForEmail } from './support/emails.ts'
import { inspect, picture } from './support/inspect.ts'
import { expect, test, toast } from './support/test.ts'

type Choices = { drops: string; news: boolean; allowsTracking: boolean }

test.describe('With the link of a mail, signed out,', () => {
  test('a reader takes less, then nothing, then everything back', async ({ page, request, signUp }) => {
    const account = await signUp()
    const choices = async () => {
      const { drops, news } = await callAs<Choices>(request, account, 'mail-preferences')
      return { drops, news }
    }
    await page.goto(unsubscribeLink(account.session.user.id))
    await expect(page.getByText('This mail was a weekly drop')).toContainText('You get weekly drops and product news.')
    await expect(page.getByText(account.email)).toHaveCount(0)
    expect(await choices()).toEqual({ drops: 'weekly', news: true })

    await page.getByRole('button', { name: 'One digest a month instead' }).click()
    await expect(page.getByRole('status')).toContainText('You get one digest a month.')
    expect(await choices()).toEqual({ drops: 'monthly', news: true })

    await page.getByRole('button', { name: 'Stop both' }).click()
    await expect(page.getByText('You get neither drops nor product news.')).toBeVisible()
    expect(await choices()).toEqual({ drops: 'off', news: false })
    await picture(page, 'unsubscribe-done', ['light'])

    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('You get the monthly digest and product news.')).toBeVisible()
    expect(await choices()).toEqual({ drops: 'monthly', news: true })
  })

  test('somebody who pays is told that the plan goes on, and led to where it ends', async ({ page, baseURL }) => {
    test.setTimeout(120_000)
    const { session } = await signIn(baseURL ?? '', demoEmail('pro'), demoPassword)
    await page.goto(unsubscribeLink(session.user.id, 'news'))
    const plan = page.getByRole('region', { name: 'Your plan' })
    await expect(plan).toContainText(/Pro Monthly is paid until .* and renews then/)
    await inspect(page, 'unsubscribe')
    await plan.getByRole('link', { name: 'Cancel the plan' }).click()
    await expect(page).toHaveURL(/\/auth$/)
    await page.goBack()
    await expect(page.getByText('You get weekly drops and product news.')).toBeVisible()
  })

  test('a link that is not whole says so and leads to the account', async ({ page }) => {
    await page.goto('/unsubscribe?token=test')
    await expect(page.getByText('This link does nothing')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Sign in and choose' })).toHaveAttribute('href', '/account/mail')
  })
})

test.describe('On the account', () => {
  test('a member chooses what comes by mail', async ({ page, request, signUp, login }) => {
    test.setTimeout(120_000)
    const account = await signUp()
    await login(account)
    await page.goto('/account/profile')
    await page.getByRole('navigation', { name: 'Account pages' }).getByRole('link', { name: 'Email' }).click()
    await page.getByRole('radio', { name: 'Once a month' }).check()
    await page.getByRole('checkbox', { name: 'Tell me about new features' }).uncheck()
    await expect(page.getByText('Counting')).toHaveCount(0)
    await page.getByRole('button', { name: 'Save choices' }).click()
    await expect(toast(page, 'Your choices have been saved.')).toBeVisible()
    expect(await callAs<Choices>(request, account, 'mail-preferences')).toMatchObject({ drops: 'monthly', news: false })
    await page.reload()
    await expect(page.getByRole('radio', { name: 'Once a month' })).toBeChecked()
    await inspect(page, 'account-mail')
  })

  test('a member whose mail came back shows that the address works again', async ({
    page,
    request,
    signUpConfirmed,
    login,
  }) => {
    const account = await signUpConfirmed()
    await reportBounce(request, account.email)
    await login(account)
    await page.goto('/account/mail')
    const panel = page.getByRole('region', { name: 'Mail came back' })
    await expect(panel).toContainText(account.email)
    await picture(page, 'account-mail-bounced')
    await panel.getByRole('button', { name: 'Try again' }).click()
    const code = panel.getByLabel(`Code sent to ${account.email}`)
    await expect(code).toBeVisible()
    await code.fill(codeIn(await waitForEmail(request, account.email, /code/i)))
    await expect(toast(page, 'Your address works again')).toBeVisible()
    await expect(panel).toHaveCount(0)
  })

  test('a reader gives a name and takes it away', async ({ page, signUp, login }) => {
    await login(await signUp())
    await page.goto('/account/profile')
    const name = page.getByLabel('Your name')
    for (const wanted of ['Mia Müller', '']) {
      await name.fill(wanted)
      await page.getByRole('button', { name: 'Save name' }).click()
      await expect(toast(page, 'Your name was saved').first()).toBeVisible()
      await page.reload()
      await expect(name).toHaveValue(wanted)
    }
  })
})

test('An admin finds an address, lifts it with a reason, and adds one by hand', async ({ page, request, loginAs }) => {
  test.setTimeout(150_000)
  const email = newEmail()
  await reportBounce(request, email)
  await loginAs('admin')
  await page.goto('/admin')
  await page.getByRole('navigation', { name: 'Admin pages' }).getByRole('link', { name: 'Deliverability' }).click()
  const list = page.getByRole('list', { name: 'Suppressed addresses' })
  await narrowTo(page, email)
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(list).toContainText('550 No such user')
  await list.getByRole('button', { name: `Lift: ${email}` }).click()
  await page.getByLabel('Why is it lifted?').fill('Their mail server was broken')
  await inspect(page, 'admin-deliverability')
  await page.getByRole('button', { name: 'Write to it again' }).click()
  await expect(page.getByText('No matching addresses.')).toBeVisible()
  await page.getByRole('checkbox', { name: 'With those that were lifted' }).check()
  await expect(list).toContainText('Their mail server was broken')

  await page.getByRole('button', { name: 'Add an address' }).click()
  const form = page.getByRole('region', { name: 'Add an address' })
  await form.getByLabel('Email address').fill(email.toUpperCase())
  await form.getByLabel('Write no more').selectOption('Product news')
  await form.getByRole('button', { name: 'Add' }).click()
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await expect(list).toContainText('Asked us to stop')
  await page.goBack()
  await expect(list.getByRole('listitem').filter({ hasText: 'Lifted' })).toHaveCount(0)
})

async function narrowTo(page: Page, text: string) {
  const form = page.getByRole('form', { name: 'Narrow the list' })
  await form.getByLabel('Address').fill(text)
  await form.getByRole('button', { name: 'Show' }).click()
}
