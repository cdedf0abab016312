import type { APIRequestContext, Browser, Page } from '@playwright/test'
import { type Account, callAs, signUp as make, newEmail, storageOf } from './support/accounts.ts'
import { planCard } from './support/checkout.ts'
import { confirmEmail, waitForEmail } from './support/emails.ts'
import { checkOverflow, inspect } from './support/inspect.ts'
import { buy, planAtStripe, stripeOf } from './support/stripe-sandbox.ts'
import { expect, test, toast } from './support/test.ts'

test.describe.configure({ timeout: 120_000 })

/** A page of another user, with a session created over HTTP. */
async function pageOf(browser: Browser, baseURL: string, account: Account): Promise<Page> {
  const context = await browser.newContext({ storageState: storageOf(account.session, baseURL) })
  return context.newPage()
}

/** Invites a user and returns the emailed link. */
async function invite(api: APIRequestContext, owner: Account, email: string): Promise<string> {
  await callAs(api, owner, 'invite-member', { email })
  const { text } = await waitForEmail(api, email, /^You’re invited to a/)
  return /https?:\/\/\S+\/team\/join\S+/.exec(text)?.[0] ?? ''
}

/** Creates an account for the invited address and takes the seat. */
async function join(api: APIRequestContext, baseURL: string, email: string, link: string): Promise<Account> {
  const member = await make(baseURL, email)
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get('invitation')
  expect(await callAs(api, member, 'join-team', { token })).toMatchObject({ joined: true })
  return member
}

async function teamOwner(api: APIRequestContext, baseURL: string): Promise<Account> {
  const owner = await make(baseURL)
  await confirmEmail(api, owner.email)
  await buy(api, owner, 'team_monthly')
  return owner
}

const closedToast = 'You need an active subscription to access the portal'
const opensPortal = async (page: Page) => {
  await page.goto('/portal')
  await expect(page.getByRole('heading', { level: 1, name: 'Weekly Drops' })).toBeVisible()
}
const hasNoAccess = async (page: Page) => {
  await page.goto('/portal')
  await expect(toast(page, closedToast)).toBeVisible()
}

test('A user who joins when all seats are taken sees a message, and gets in once one is free', async ({
  page,
  browser,
  request,
  login,
  baseURL,
}) => {
  const owner = await teamOwner(request, baseURL ?? '')
  const emails = [newEmail(), newEmail(), newEmail()] as const
  const [first, second, third] = await Promise.all(emails.map((email) => invite(request, owner, email)))
  await join(request, baseURL ?? '', emails[0], first ?? '')
  const member = await join(request, baseURL ?? '', emails[1], second ?? '')

  const late = await pageOf(browser, baseURL ?? '', await make(baseURL ?? '', emails[2]))
  await late.goto(third ?? '')
  await expect(late.getByRole('status')).toContainText('This team has no free seats right now')
  await expect(late.getByRole('button', { name: 'Join the team' })).toHaveCount(0)
  await checkOverflow(late, 'team-join-full')

  await login(owner)
  await page.goto('/account/team')
  await expect(page.getByText('3 of 3 taken')).toBeVisible()
  await expect(page.getByText('All seats are taken. To invite someone else, remove a member first.')).toBeVisible()
  await checkOverflow(page, 'team-owner-full')
  await callAs(request, owner, 'remove-member', { userId: member.session.user.id })
  await late.reload()
  await expect(late.getByRole('button', { name: 'Join the team' })).toBeVisible()
  await checkOverflow(late, 'team-join-open')
  await late.getByRole('button', { name: 'Join the team' }).click()
  await expect(late).toHaveURL(/\/portal\/weekly-drops$/)
  await late.context().close()
})

test('A proven domain gives colleagues seats; without one, the owner answers a request', async ({
  page,
  browser,
  request,
  login,
  baseURL,
}) => {
  const url = baseURL ?? ''
  const owner = await teamOwner(request, url)
  await login(owner)
  await page.goto('/account/team')
  const section = page.getByRole('region', { name: 'Access by email domain' })
  await section.getByLabel('An address at the domain').fill('ana@gmail.com')
  await section.getByRole('button', { name: 'Email a code' }).click()
  await expect(section.getByRole('alert')).toContainText('Anyone can get an address at gmail.com')
  const company = `bakery-${process.pid}-${Date.now().toString(36)}.example`
  await section.getByLabel('An address at the domain').fill(`it@${company}`)
  await section.getByRole('button', { name: 'Email a code' }).click()
  await expect(section).toContainText('Waiting for its code')
  await inspect(page, 'team-domain-code')
  const { text } = await waitForEmail(request, `it@${company}`, /^Your code to give/)
  const code = /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/.exec(text)?.[0] ?? ''
  await section.getByRole('textbox', { name: `Code for ${company}` }).fill(code)
  await section.getByRole('button', { name: 'Confirm domain' }).click()
  await expect(section).toContainText('Gives access since')

  const people: Account[] = []
  for (const name of ['ana', 'ben', 'zoe']) {
    const account = await make(url, `${name}@${company}`)
    await confirmEmail(request, account.email)
    people.push(account)
  }
  const [ana, , zoe] = people
  await opensPortal(await pageOf(browser, url, ana as Account))
  const waiting = await pageOf(browser, url, zoe as Account)
  await waiting.goto('/account/team')
  await expect(waiting.getByText('You’re waiting for a seat')).toBeVisible()
  await inspect(waiting, 'team-waiting-for-a-seat')
  await page.reload()
  const requests = page.getByRole('region', { name: 'Requests for seats' })
  await expect(requests).toContainText(`zoe@${company}`)
  await inspect(page, 'team-seat-requests')
  await requests.getByRole('button', { name: 'Decline' }).click()
  await expect(toast(page, 'Answer sent')).toBeVisible()
  await expect(requests).toBeHidden()
  await waiting.reload()
  await expect(waiting.getByText('They declined.')).toBeVisible()
})

test('A downgrade and a cancellation suspend the seats without removing them, and a Team plan restores them', async ({
  page,
  browser,
  request,
  login,
  baseURL,
}) => {
  const owner = await teamOwner(request, baseURL ?? '')
  const email = newEmail()
  const member = await join(request, baseURL ?? '', email, await invite(request, owner, email))
  const waiting = await invite(request, owner, newEmail())
  const seat = await pageOf(browser, baseURL ?? '', member)
  await opensPortal(seat)
  await callAs(request, member, 'update-preferences', { aiLevel: 'advanced', focusAreas: ['Finance'] })

  // Every way to end the plan names who would lose access.
  await login(owner)
  await opensPortal(page)
  await page.getByRole('button', { name: 'Manage' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your team uses this plan' })
  await expect(dialog.getByRole('list', { name: 'People who would lose access' })).toHaveText(email)
  await checkOverflow(page, 'manage-team')
  const [portal] = await Promise.all([
    page.context().waitForEvent('page'),
    dialog.getByRole('button', { name: 'Continue to the billing portal' }).click(),
  ])
  await expect(portal).toHaveURL(/\/p\/session\//)
  await portal.close()

  await page.goto('/')
  await planCard(page, 'pro_monthly').getByRole('button').click()
  await expect(page).toHaveURL(/\/account\/billing\?switch=pro_monthly$/)
  await expect(page.getByRole('region', { name: 'Cancel your plan' })).toContainText(`${email} loses access too.`)
  const panel = page.getByRole('region', { name: 'Switch to Pro Monthly' })
  await expect(panel).toContainText(`${email} loses access as soon as you switch.`)
  await expect(panel).toContainText('applied to your next payments')
  await checkOverflow(page, 'account-billing-downgrade')
  await panel.getByRole('button', { name: 'Switch to Pro Monthly' }).click()
  await expect(toast(page, 'You switched to Pro Monthly')).toBeVisible()

  // The owner keeps access, the member loses it, and no one can join.
  await opensPortal(page)
  await page.goto('/account/team')
  await expect(page.getByRole('region', { name: 'Your Team plan isn’t active' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Seats' })).toContainText(email)
  await hasNoAccess(seat)
  await seat.goto('/account/team')
  await expect(seat.getByRole('region', { name: 'Your team’s plan isn’t active' })).toContainText(owner.email)
  await checkOverflow(seat, 'team-member-downgraded')
  const invited = await browser.newPage({ baseURL })
  await invited.goto(waiting)
  await expect(invited.getByRole('status')).toContainText('This team’s plan isn’t active right now')
  await checkOverflow(invited, 'team-join-lapsed')

  await page.goto('/account/billing')
  await page.getByRole('button', { name: 'See the cost of Team Monthly' }).click()
  await page.getByRole('button', { name: 'Switch to Team Monthly' }).click()
  await expect(toast(page, 'You switched to Team Monthly')).toBeVisible()
  await opensPortal(seat)
  await invited.reload()
  await expect(invited.getByRole('link', { name: 'Create an account' })).toBeVisible()
  await invited.close()

  await stripeOf(baseURL ?? '').subscriptions.cancel((await planAtStripe(baseURL ?? '', owner.email)).id)
  await expect
    .poll(() => callAs(request, member, 'check-subscription'))
    .toMatchObject({ subscribed: false, product_id: null })
  await hasNoAccess(seat)
  await page.goto('/account/team')
  await expect(page.getByRole('region', { name: 'Your Team plan isn’t active' })).toBeVisible()
  await buy(request, owner, 'team_monthly')
  await opensPortal(seat)
  expect(await callAs(request, member, 'get-preferences')).toMatchObject({
    preferences: { aiLevel: 'advanced' },
  })
  await seat.context().close()
})
