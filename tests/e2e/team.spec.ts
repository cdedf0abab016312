import type { Browser, Page } from '@playwright/test'
import {
  type Account,
  callAs,
  demoEmail,
  demoPassword,
  signUp as make,
  newEmail,
  newPassword,
  signIn,
} from './support/accounts.ts'
import { confirmEmail, waitForEmail } from './support/emails.ts'
import { inspect, inspectState } from './support/inspect.ts'
import { requireStepUpOnce } from './support/step-up.ts'
import { buy } from './support/stripe-sandbox.ts'
import { expect, test, toast } from './support/test.ts'

test.describe.configure({ timeout: 180_000 })

const invitation = /^You’re invited to a/

const send = async (page: Page, email: string) => {
  await page.goto('/account/team')
  await page.getByRole('textbox', { name: 'Email address' }).fill(email)
  await page.getByRole('button', { name: 'Send invitation' }).click()
}
const row = (page: Page, list: 'Seats' | 'Invitations', email: string) =>
  page.getByRole('list', { name: list }).getByRole('listitem').filter({ hasText: email })

/** The link and code of an invitation email. */
function readInvitation({ text }: { text: string }) {
  const link = /https?:\/\/\S+\/team\/join\S+/.exec(text)?.[0]
  const code = /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/.exec(text)?.[0]
  if (!link || !code) throw new Error(`no invitation in: ${text}`)
  return { link, code }
}

/** Manage and Billing show the team, who pays and what the member can do, and offer no plan. */
async function showsMembership(page: Page, ownerEmail: string) {
  for (const hover of [false, true]) {
    const asked = page.waitForResponse('**/functions/v1/team')
    const manage = page.getByRole('banner').getByRole('button', { name: 'Manage' })
    if (hover) {
      await page.goto('/portal/tools')
      await manage.hover()
      await asked
      await manage.click()
    } else {
      // Like a tap: nothing was hovered before.
      await manage.dispatchEvent('click')
    }
    await expect(page).toHaveURL('/account/billing')
  }
  const seat = page.getByRole('region', { name: 'Your seat' })
  await expect(seat).toContainText('Team member')
  await expect(seat).toContainText(`You’re on the team of ${ownerEmail}. Your seat includes everything`)
  await expect(seat).toContainText(`Paid by${ownerEmail}, until`)
  await expect(seat.getByRole('button', { name: 'Leave team' })).toBeVisible()
  await expect(
    page.getByRole('region', { name: 'Your own plan' }).getByRole('link', { name: 'See plans' }),
  ).toBeVisible()
  await expect(page.getByRole('link', { name: 'Choose a Plan' })).toHaveCount(0)
  await expect(toast(page, 'Unable to open the billing portal')).toHaveCount(0)
  await expect.poll(() => page.context().pages().length).toBe(1)
  await inspectState(page, 'billing-team-member')
}

/** Another person, in a separate browser context. */
async function anotherReader(browser: Browser) {
  const context = await browser.newContext()
  return { page: await context.newPage(), close: () => context.close() }
}

test('From invitation to removal: a new reader joins by the emailed link, reads, and is removed', async ({
  page,
  browser,
  request,
  login,
  baseURL,
}) => {
  // A separate session, since the shared one may be too old for step-up.
  const owner = await signIn(baseURL ?? '', demoEmail('team'), demoPassword)
  await login(owner)
  const email = newEmail()
  await send(page, email)
  await expect(toast(page, 'Invitation sent')).toBeVisible()
  await expect(row(page, 'Invitations', email)).toContainText('Works until')
  const { link } = readInvitation(await waitForEmail(request, email, invitation))

  const { page: guest, close } = await anotherReader(browser)
  await guest.goto(link)
  await expect(guest.getByText(`${owner.email} invited you to their team`)).toBeVisible()
  await guest.getByRole('link', { name: 'Create an account' }).click()
  await expect(guest.getByLabel('Email')).toHaveValue(email)
  await guest.getByLabel('Password', { exact: true }).fill(newPassword)
  await guest.getByRole('button', { name: 'Sign Up' }).click()
  await guest.getByRole('checkbox', { name: 'Operations' }).check()
  await guest.getByRole('button', { name: 'Continue' }).click()
  await guest.getByRole('radio', { name: 'Beginner' }).check()
  await guest.getByRole('button', { name: 'Continue' }).click()
  await guest.getByRole('button', { name: 'Finish' }).click()

  // Back at the invitation, which is still open.
  await guest.getByRole('button', { name: 'Join the team' }).click()
  await expect(guest).toHaveURL(/\/portal\/weekly-drops$/)
  await expect(guest.getByRole('article').or(guest.getByRole('listitem')).first()).toBeVisible()
  await guest.goto('/account/team')
  await expect(guest.getByRole('region', { name: 'Your seat' })).toContainText(`You’re on the team of ${owner.email}`)
  await expect(guest.getByRole('textbox', { name: 'Email address' })).toHaveCount(0)
  await guest.goto('/portal/tools')
  await showsMembership(guest, owner.email)

  await page.reload()
  await expect(row(page, 'Seats', email)).toContainText('Joined')
  await expect(page.getByText('2 of 3 taken')).toBeVisible()
  await waitForEmail(request, owner.email, /joined your team/)
  await row(page, 'Seats', email)
    .getByRole('link', { name: `Remove ${email}` })
    .click()
  await page.getByRole('button', { name: `Remove ${email}` }).click()
  await expect(toast(page, 'They left the team')).toBeVisible()
  await expect(row(page, 'Seats', email)).toHaveCount(0)

  await guest.goto('/portal')
  // Their sessions ended with the seat.
  await expect(guest).toHaveURL(/\/auth/)
  await waitForEmail(request, email, /You were removed from/)
  await guest.goto(link)
  await expect(guest.getByRole('status')).toContainText('Each invitation works only once')
  await close()
})

test('The demo owner confirms their identity, then invites, resends and revokes', async ({
  page,
  request,
  loginAs,
}) => {
  await loginAs('team')
  await page.goto('/account')
  await expect(
    page.getByRole('navigation', { name: 'Your portal' }).getByRole('link', { name: 'Assignments' }),
  ).toBeVisible()
  await page.getByRole('navigation', { name: 'Account pages' }).getByRole('link', { name: 'Team' }).click()
  const email = newEmail()
  await requireStepUpOnce(page, { path: '/functions/v1/invite-member' })
  await page.getByRole('textbox', { name: 'Email address' }).fill(email)
  await page.getByRole('button', { name: 'Send invitation' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password', { exact: true }).fill('front-counter')
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(toast(page, 'Invitation sent')).toBeVisible()
  const { link } = readInvitation(await waitForEmail(request, email, invitation))
  await row(page, 'Invitations', email)
    .getByRole('button', { name: `Resend the invitation to ${email}` })
    .click()
  await expect(toast(page, 'We couldn’t resend the invitation')).toContainText('We just emailed this address')
  await page.getByRole('textbox', { name: 'Email address' }).fill('team@frontcounter.test')
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'already on your team' })).toBeVisible()
  await row(page, 'Invitations', email).getByRole('button', { name: 'Revoke' }).click()
  await expect(row(page, 'Invitations', email)).toHaveCount(0)

  await page.goto('/')
  await page.goto(link)
  await expect(page.getByRole('alert').filter({ hasText: 'This invitation isn’t valid' })).toBeVisible()
})

test.describe('With a team of two', () => {
  let owner: Account
  let email: string
  let link: string
  let code: string
  test.beforeEach(async ({ request, signUp, login }) => {
    owner = await signUp()
    await confirmEmail(request, owner.email)
    await login(owner)
    await buy(request, owner, 'team_monthly')
    email = newEmail()
    await callAs(request, owner, 'invite-member', { email })
    ;({ link, code } = readInvitation(await waitForEmail(request, email, invitation)))
  })

  test('a user signed in with another address sees a message, signs out, and joins by code', async ({
    page,
    request,
    browser,
    signUp,
    baseURL,
  }) => {
    const stranger = await signUp()
    await make(baseURL ?? '', email)
    const { page: guest, close } = await anotherReader(browser)
    await guest.goto('/auth')
    await guest.getByLabel('Email').fill(stranger.email)
    await guest.getByLabel('Password', { exact: true }).fill(newPassword)
    await guest.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expect(toast(guest, 'Welcome back!')).toBeVisible()
    await guest.goto(link)
    await expect(guest.getByRole('status')).toContainText(`you’re signed in as ${stranger.email}`)
    await guest.getByRole('button', { name: 'Sign out and switch accounts' }).click()
    await guest.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
    await expect(guest.getByLabel('Email')).toHaveValue(email)
    await guest.getByLabel('Password', { exact: true }).fill(newPassword)
    await guest.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expect(guest.getByRole('button', { name: 'Join the team' })).toBeVisible()

    await guest.goto('/account/team')
    await expect(guest.getByRole('heading', { name: 'You’re not on a team' })).toBeVisible()
    await guest.getByRole('link', { name: 'Join a team' }).click()
    await guest.getByLabel('Code from the invitation').fill('0000-0000')
    await guest.getByRole('button', { name: 'Join the team' }).click()
    await expect(guest.getByRole('alert').filter({ hasText: 'This invitation isn’t valid' })).toBeVisible()
    await guest.getByLabel('Code from the invitation').fill(code.toLowerCase())
    await guest.getByRole('button', { name: 'Join the team' }).click()
    await expect(guest).toHaveURL(/\/portal\/weekly-drops$/)

    // The owner transfers the team, and the two swap roles.
    await page.goto('/account/team')
    await page.getByRole('button', { name: `Make owner: ${email}` }).click()
    await expect(page.getByRole('dialog')).toContainText('We keep charging your card until they add their own.')
    await page.getByRole('dialog').getByRole('button', { name: 'Transfer ownership' }).click()
    await expect(page.getByRole('region', { name: 'Your seat' })).toContainText(`You’re on the team of ${email}`)
    await waitForEmail(request, email, /now the owner of your team/)
    await guest.goto('/account/team')
    await expect(row(guest, 'Seats', owner.email)).toContainText('Joined')
    await expect(guest.getByText('2 of 3 taken')).toBeVisible()

    await page.getByRole('button', { name: 'Leave team' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave team', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'You’re not on a team' })).toBeVisible()
    await guest.reload()
    await expect(row(guest, 'Seats', owner.email)).toHaveCount(0)
    await close()
  })

  test('a pasted list has a result for each address', async ({ page, request }) => {
    const [first, second] = [newEmail(), newEmail()]
    await page.goto('/account/team')
    await page.getByText('Invite several people').click()
    await page.getByRole('textbox', { name: 'Addresses' }).fill(`${first}\n${email}, nobody\n${second}`)
    await page.getByRole('button', { name: 'Send 4 invitations' }).click()
    const results = page.getByRole('list', { name: 'Results' }).getByRole('listitem')
    await expect(results).toHaveText([
      `${first}Invited`,
      `${email}Already invited`,
      'nobodyNot a valid address',
      `${second}No seat left`,
    ])
    await expect(page.getByRole('textbox', { name: 'Addresses' })).toHaveValue(`nobody\n${second}`)
    await expect(row(page, 'Invitations', first)).toBeVisible()
    await waitForEmail(request, first, invitation)
    await inspect(page, 'team-invite-several')
  })

  test('the pages fit at every width, light and dark', async ({ page, request, browser, baseURL }) => {
    const member = await make(baseURL ?? '', email)
    const { page: guest, close } = await anotherReader(browser)
    await guest.goto(link)
    await expect(guest.getByRole('link', { name: 'Create an account' })).toBeVisible()
    await inspect(guest, 'team-join-signed-out')

    await callAs(request, member, 'join-team', { email, code })
    await callAs(request, owner, 'invite-member', { email: newEmail() })
    await page.goto('/account/team')
    await expect(row(page, 'Seats', email)).toBeVisible()
    await inspect(page, 'team-owner')

    await guest.goto('/auth')
    await guest.getByLabel('Email').fill(email)
    await guest.getByLabel('Password', { exact: true }).fill(newPassword)
    await guest.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expect(guest).toHaveURL(/\/portal/)
    await guest.goto('/account/team')
    await expect(guest.getByRole('region', { name: 'Your seat' })).toBeVisible()
    await inspect(guest, 'team-member')
    await guest.goto(link)
    await expect(guest.getByRole('status')).toBeVisible()
    await inspectState(guest, 'team-join-used')
    await guest.goto('/team/join')
    await expect(guest.getByLabel('Code from the invitation')).toBeVisible()
    await inspectState(guest, 'team-join-code')

    // How both see a plan that isn't active.
    for (const [seen, name] of [
      [page, 'team-owner-lapsed'],
      [guest, 'team-member-lapsed'],
    ] as const) {
      await seen.route('**/functions/v1/team', async (route) => {
        const response = await route.fetch()
        const { owned, membership } = await response.json()
        await route.fulfill({
          response,
          json: {
            owned: owned && { ...owned, active: false },
            membership: membership && { ...membership, active: false, until: null },
          },
        })
      })
      await seen.goto('/account/team')
      await expect(seen.getByRole('region', { name: /isn’t active$/ })).toBeVisible()
      await inspectState(seen, name)
    }
    await close()
  })
})
