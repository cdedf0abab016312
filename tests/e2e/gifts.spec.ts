import type { Browser } from '@playwright/test'
import { demoEmail, demoPassword, newEmail, signIn, storageOf } from './support/accounts.ts'
import { cards, payWith } from './support/checkout.ts'
import { waitForEmail } from './support/emails.ts'
import { inspect, inspectState } from './support/inspect.ts'
import { expect, test, toast } from './support/test.ts'

test.describe.configure({ timeout: 180_000 })

const phone = { width: 360, height: 780 }

const openPhone = async (browser: Browser, baseURL: string | undefined, session: object | null = null) => {
  const storageState = session ? storageOf(session, baseURL) : undefined
  const context = await browser.newContext({ baseURL, viewport: phone, storageState })
  return { context, page: await context.newPage() }
}

const giftLinkIn = ({ text }: { text: string }) => {
  const { pathname, hash } = new URL(/\S+\/gift\/\w+#gift=\S+/.exec(text)?.[0] ?? '')
  return pathname + hash
}

test('A visitor buys a gift for a day, moves it, and its recipient claims it with a tap', async ({
  page,
  browser,
  baseURL,
  login,
  signUp,
  request,
}) => {
  // A fresh session, because changing the settings requires a recent sign-in.
  await login(await signIn(baseURL ?? '', demoEmail('admin'), demoPassword))
  await page.goto('/admin/money/gifts')
  const settings = page.getByRole('form', { name: 'Gift settings' })
  await settings.getByLabel('Price of a year').selectOption({ label: '$99, as a year of Pro Yearly' })
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Settings saved')).toBeVisible()

  const visitor = await openPhone(browser, baseURL)
  const giver = visitor.page
  await giver.goto('/gift')
  const form = giver.getByRole('form', { name: 'Gift' })
  const giverEmail = newEmail()
  const account = await signUp()
  const recipientEmail = account.email
  await form.getByLabel('Their name').fill('Remy')
  await form.getByLabel('Their email').fill(giverEmail)
  const today = await form.getByLabel('Arrives on').inputValue()
  const inAWeek = new Date(Date.parse(today) + 7 * 86_400_000).toISOString().slice(0, 10)
  await form.getByLabel('Arrives on').fill(inAWeek)
  await form.getByLabel('Your message').fill('Happy birthday!\nFor the quiet hour before opening.')
  await form.getByLabel('Your name').fill('Gwen')
  await form.getByLabel('Your email').fill(giverEmail)
  await inspect(giver, 'gift')
  await form.getByRole('button', { name: 'Continue to payment: $99' }).click()
  await expect(form.getByRole('alert').filter({ hasText: 'A gift is for someone else' })).toBeVisible()
  await form.getByLabel('Their email').fill(recipientEmail)
  await form.getByRole('button', { name: 'Continue to payment: $99' }).click()
  await expect(giver.getByRole('button', { name: /^Pay/ }).first()).toHaveText('Pay $99.00')
  await payWith(giver, cards.works)
  await expect(giver.getByRole('main').getByRole('status')).toContainText('Remy gets the gift by email on its day')
  await inspect(giver, 'gift-scheduled')

  const receipt = await waitForEmail(request, giverEmail, /Your gift for Remy: receipt/)
  await giver.goto(giftLinkIn(receipt))
  await giver.getByRole('button', { name: 'Change address or day' }).click()
  await giver.getByLabel('Arrives on').fill(today)
  await giver.getByRole('button', { name: 'Save' }).click()
  await expect(giver.getByRole('main').getByRole('status')).toContainText('The gift is with Remy')

  const arrived = await waitForEmail(request, recipientEmail, /Gwen gave you one year/)
  const stranger = await openPhone(browser, baseURL)
  await stranger.page.goto(giftLinkIn(arrived))
  await expect(stranger.page.getByRole('link', { name: 'Create an account' })).toBeVisible()
  await inspect(stranger.page, 'gift-claim-visitor')
  await stranger.page.getByRole('link', { name: 'Sign in' }).click()
  await expect(stranger.page.getByLabel('Email')).toHaveValue(recipientEmail)

  const recipient = await openPhone(browser, baseURL, account.session)
  const remy = recipient.page
  await remy.goto(giftLinkIn(arrived))
  await expect(remy.getByText('For the quiet hour before opening.')).toBeVisible()
  await inspect(remy, 'gift-claim')
  await remy.getByRole('button', { name: 'Claim your gift' }).click()
  await expect(remy.getByRole('main').getByRole('status')).toContainText('Everything is open to you until')
  await inspectState(remy, 'gift-claimed')
  await remy.getByRole('link', { name: 'Go to Portal' }).click()
  await expect(remy).toHaveURL(/\/(portal|onboarding)/)
  await remy.goto('/account/billing')
  await expect(remy.getByText('Your gift gives you full access until')).toBeVisible()
  await remy.goto(giftLinkIn(arrived))
  await expect(remy.getByRole('main').getByRole('status')).toContainText('This gift has been claimed')
  await giver.reload()
  await expect(giver.getByRole('main').getByRole('status')).toContainText('Remy claimed the gift on')

  await page.goto('/admin/money/gifts')
  const row = page.getByRole('list', { name: 'Gifts' }).getByRole('listitem').filter({ hasText: giverEmail })
  await expect(row).toContainText('Claimed')
  await inspect(page, 'money-gifts')
  await row.getByRole('button', { name: /^Refund the gift/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Refund' }).click()
  await expect(row).toContainText('$99.00 refunded')
  await waitForEmail(request, recipientEmail, /gift has ended/)
  await remy.goto('/account/billing')
  await expect(remy.getByText('You don’t have a plan yet')).toBeVisible()
  await giver.goto('/gift/claim#gift=forged')
  await expect(giver.getByRole('main').getByRole('alert')).toContainText('isn’t valid')
  await Promise.all([visitor, stranger, recipient].map(({ context }) => context.close()))
})
