import { newEmail, newPassword } from './support/accounts.ts'
import { payWith, startCheckout } from './support/checkout.ts'
import { waitForEmail } from './support/emails.ts'
import { inspect, inspectState } from './support/inspect.ts'
import { test } from './support/own-server.ts'
import { expect, toast } from './support/test.ts'

test.describe.configure({ timeout: 300_000 })
// A referral counts with the first payment.
test.use({ trialDays: '0' })

/** The job that rewards runs every minute. */
const rewardTimeoutMs = 150_000

test('A member shares a link, the new member pays, and both get a free month whose cost the owner sees', async ({
  page,
  browser,
  baseURL,
  login,
  admin,
  signUpSubscriber,
  request,
}) => {
  await login(await admin())
  await page.goto('/admin/money/referrals')
  await page.getByRole('checkbox', { name: 'Free months for invitations' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Settings saved')).toBeVisible()
  await inspect(page, 'money-referrals')

  const member = await signUpSubscriber()
  const memberContext = await browser.newContext({ baseURL, viewport: { width: 360, height: 780 } })
  const memberPage = await memberContext.newPage()
  await memberPage.goto('/auth')
  await memberPage.getByLabel('Email').fill(member.email)
  await memberPage.getByLabel('Password', { exact: true }).fill(member.password)
  await memberPage.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(memberPage).not.toHaveURL(/\/auth/)
  await memberPage.goto('/account/billing')
  const invitations = memberPage.getByRole('region', { name: 'Invitations' })
  await expect(invitations).toContainText('0 of 12 free months this year')
  const link = /https?:\S+#gift=[\w-]+/.exec(await invitations.innerText())?.[0] ?? ''
  await inspectState(memberPage, 'invitations')

  // Another browser: a device of one's own.
  const userAgent = 'Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36'
  const guestContext = await browser.newContext({ baseURL, viewport: { width: 360, height: 780 }, userAgent })
  const guest = await guestContext.newPage()
  const email = newEmail()
  await guest.goto(link)
  await expect(guest.getByText('A member invites you')).toBeVisible()
  await inspect(guest, 'invitation-visitor')
  await guest.getByRole('link', { name: 'Create an account' }).click()
  await guest.getByLabel('Email').fill(email)
  await guest.getByLabel('Password', { exact: true }).fill(newPassword)
  await guest.getByRole('button', { name: 'Sign Up', exact: true }).click()
  await guest.getByRole('checkbox', { name: 'Operations' }).check()
  await guest.getByRole('button', { name: 'Continue' }).click()
  await guest.getByRole('radio', { name: 'Beginner' }).check()
  await guest.getByRole('button', { name: 'Continue' }).click()
  await guest.getByRole('button', { name: 'Finish' }).click()
  await guest.getByRole('button', { name: 'Accept the invitation' }).click()
  await expect(guest.getByRole('main').getByRole('status')).toContainText('you both get a free month')
  await startCheckout(guest, 'pro_monthly')
  await payWith(guest, '5555 5555 5555 4444')
  await expect(guest).toHaveURL(/\/portal/)

  for (const address of [member.email, email]) {
    await waitForEmail(request, address, /free month: \$10\.00 of credit/, rewardTimeoutMs)
  }
  await memberPage.reload()
  await expect(invitations).toContainText('1 of 12 free months this year')
  await guest.goto('/account/billing')
  await expect(guest.getByText('You came by an invitation: $10.00 of credit')).toBeVisible()
  await page.reload()
  const row = page.getByRole('list', { name: 'Referrals' }).getByRole('listitem').filter({ hasText: email })
  await expect(row).toContainText('Free month given')
  await expect(row).toContainText('Cost $20.00')
  await inspectState(page, 'money-referrals-given')
  await Promise.all([memberContext.close(), guestContext.close()])
})
