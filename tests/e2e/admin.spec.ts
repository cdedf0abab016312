import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { AdminOverview } from '#shared/contracts/operations/admin-overview.ts'
import { callAs, demoEmail, demoPassword, publishableKey, savePreferences, signIn } from './support/accounts.ts'
import { waitForEmail } from './support/emails.ts'
import { inspect, inspectState } from './support/inspect.ts'
import { failCall } from './support/refuse.ts'
import { buy } from './support/stripe-sandbox.ts'
import { banner, expect, test, toast } from './support/test.ts'

const figure = async (page: Page, label: string) => {
  const card = page.getByRole('main').locator('div', { has: page.getByRole('heading', { name: label, exact: true }) })
  await expect(card.last()).toContainText(/\d/)
  return Number(
    (
      await card
        .last()
        .getByText(/^[\d,]+$/)
        .innerText()
    ).replaceAll(',', ''),
  )
}

const users = (page: Page) => page.getByRole('list', { name: 'All users' }).getByRole('listitem')

test('An admin sees the number of users and subscriptions, and finds every user with their preferences', async ({
  page,
  request,
  loginAs,
  signUp,
}) => {
  const quiet = await signUp()
  const keen = await signUp()
  await savePreferences(request, keen, {
    focusAreas: ['Finance', 'Technology'],
    aiLevel: 'advanced',
    goals: ['Reduce costs'],
    franchiseType: 'Education',
  })
  await loginAs('admin')
  await page.goto('/portal')
  await banner(page).getByRole('link', { name: 'Admin' }).click()
  await expect(page).toHaveURL('/admin')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Admin Dashboard')
  const total = await figure(page, 'Total Users')
  const fresh = await figure(page, 'New This Week')
  const active = await figure(page, 'Active Subscriptions')
  expect(active).toBeGreaterThanOrEqual(3) // admin, pro and team
  expect(fresh).toBeGreaterThanOrEqual(3) // new and the two of this test
  expect(fresh).toBeLessThanOrEqual(total - 3) // admin, pro and team are older than a week
  expect(active).toBeLessThan(total)
  await expect(page.getByText(`of ${total} users`)).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: 'All Users' })).toBeVisible()
  // The newest come first, so both are on the overview.
  await expect(users(page).filter({ hasText: quiet.email })).toContainText('No preferences set')
  await expect(users(page).filter({ hasText: keen.email })).toContainText('Finance')

  await page.getByRole('searchbox', { name: 'Find a member' }).fill(keen.email.toUpperCase())
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL((url) => url.pathname === '/admin/members')
  await expect(users(page)).toHaveCount(1)
  const row = users(page).first()
  await expect(row).toContainText(keen.email)
  await expect(row.getByRole('time')).toHaveText(/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/)
  for (const text of ['Finance', 'Technology', 'Advanced', 'Reduce costs', 'Education']) {
    await expect(row).toContainText(text)
  }
  await page.getByRole('searchbox').fill('nobody@nowhere.invalid')
  await expect(page.getByText('No matching members.')).toBeVisible()
})

test('A subscriber isn’t an admin and is redirected to the portal', async ({ page, loginAs }) => {
  await loginAs('pro')
  await page.goto('/admin')
  await expect(toast(page, 'Access denied. Admin privileges required.')).toBeVisible()
  await expect(page).toHaveURL('/portal/weekly-drops')
})

test('The admin has its own navigation, on a desktop and on a phone', async ({ page, loginAs }) => {
  const admin = await loginAs('admin')
  await page.goto('/admin')
  const nav = page.getByRole('navigation', { name: 'Admin pages' })
  const section = (name: string) => nav.getByRole('link', { name, exact: true })
  await expect(page.getByRole('navigation', { name: 'Portal' })).toHaveCount(0)
  await expect(section('Overview')).toHaveAttribute('aria-current', 'page')
  for (const [name, path, heading] of [
    ['Members', '/admin/members', 'Members'],
    ['Content', '/admin/content/drops', 'Weekly drops'],
    ['Newsletter', '/admin/newsletter', 'Newsletter'],
    ['Money', '/admin/money', 'Money'],
    ['Settings', /^\/admin\/settings\//, /./],
  ] as const) {
    await section(name).click()
    await expect(page).toHaveURL((url) => (typeof path === 'string' ? url.pathname === path : path.test(url.pathname)))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expect(section(name)).toHaveAttribute('aria-current', /page|true/)
  }
  await section('Newsletter').click()
  const pages = page.getByRole('navigation', { name: 'Newsletter pages' })
  await pages.getByRole('link', { name: 'Deliverability' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Deliverability')
  await expect(pages.getByRole('link', { name: 'Deliverability' })).toHaveAttribute('aria-current', 'page')

  // Addresses of earlier versions, which emails link to.
  for (const [former, path] of [
    [`/admin/users/${admin.session.user.id}`, `/admin/members/${admin.session.user.id}`],
    ['/admin/deliverability?search=a', '/admin/newsletter/deliverability?search=a'],
    ['/admin/security-log?event=signed_up', '/admin/settings/log?event=signed_up'],
  ] as const) {
    await page.goto(former)
    await expect(page).toHaveURL(path)
  }

  await page.setViewportSize({ width: 360, height: 780 })
  await page.goto('/admin/newsletter')
  for (const name of ['Overview', 'Members', 'Content', 'Newsletter', 'Money', 'Settings']) {
    await expect(section(name)).toBeInViewport({ ratio: 1 })
  }
  // The name of a page is visible when it has the keyboard focus.
  await pages.getByRole('link', { name: 'Mailings' }).focus()
  for (const name of ['Series', 'Newsletters', 'Segments', 'Deliverability', 'Sending']) {
    await page.keyboard.press('Tab')
    await expect(pages.getByRole('link', { name })).toBeFocused()
    await expect(pages.getByRole('link', { name })).toBeInViewport({ ratio: 0.99 })
  }
  await banner(page).getByRole('link', { name: 'Go to Portal' }).click()
  await expect(page).toHaveURL('/portal/weekly-drops')
})

const soon = new Date(Date.now() + 86_400_000).toISOString()
const member = (name: string) => ({ userId: randomUUID(), email: `${name}@example.test` })
const health = (value: number) => ({ sent: value * 100, bounces: value, complaints: 0, unsubscribes: value * 2 })
const day = (week: number) => new Date(Date.UTC(2026, 8, 1 + 7 * week)).toISOString().slice(0, 10)

/** A Monday with something in every part. */
const monday: AdminOverview = {
  totals: { users: 1200, newThisWeek: 31, activeSubscriptions: 410, paused: 6 },
  upcoming: [
    {
      ...{ kind: 'drop', id: 'till-counts', title: 'Count the till in two minutes', state: 'scheduled', at: soon },
      needs: { count: 4, first: ['The preview is missing', 'Link 2 leads nowhere', 'An image has no alt text'] },
    },
    {
      ...{ kind: 'mailing', id: randomUUID(), title: 'Your month in review', state: 'scheduled', at: soon },
      needs: { count: 0, first: [] },
    },
  ],
  stuckMembers: {
    failedPayments: { count: 1000, newest: [member('mia'), member('zoe')] },
    duplicates: [{ ...member('ida'), id: 'sub_1', outcome: 'left_active', detectedAt: soon }],
    stripeEvents: { count: 1, newest: [member('max')] },
    imported: { paying: 12 },
    suppressed: { bounced: 2, complained: 1 },
  },
  stuckMailings: {
    mailings: [{ id: randomUUID(), subject: 'Till counts', at: soon, sendFailure: null, pauseReason: 'bounces' }],
    documents: [],
    unknownDeliveries: [{ mailingId: randomUUID(), subject: 'Till counts', count: 3 }],
  },
  problems: [
    {
      ...{ kind: 'backup', title: 'The newest backup failed', since: soon, path: '/admin/settings/backups' },
      detail: 'The list of backups says why.',
    },
  ],
  readers: {
    notes: [
      {
        ...{ kind: 'prompt', id: 'one', title: 'Answer a review', path: null, outcome: 'worked' },
        ...{ note: 'Saved me a shift.', sharedAt: soon },
      },
    ],
    items: [],
  },
  growth: {
    weeks: Array.from({ length: 12 }, (_, week) => ({ from: day(week), signUps: week * 3 })),
    ...{ since: '2026-10-25', last30Days: 120, previous30Days: 90 },
  },
  listHealth: {
    weeks: Array.from({ length: 12 }, (_, week) => ({ from: day(week), ...health(week) })),
    ...{ since: '2026-10-25', last30Days: health(4), previous30Days: health(4) },
  },
  money: [
    {
      currency: 'usd',
      months: Array.from({ length: 12 }, (_, month) => ({
        ...{ month: `2026-${String(month + 1).padStart(2, '0')}`, mrrCents: 100_00 * month, customers: 10 * month },
        ...{ newCustomers: 10, lostCustomers: 1, paidCents: 90_00 * month },
      })),
    },
  ],
}

test('The overview answers Monday’s questions, and each line leads to the page that settles it', async ({
  page,
  loginAs,
}) => {
  await loginAs('admin')
  await page.route('**/functions/v1/admin-overview', (route) => route.fulfill({ json: monday }))
  await page.goto('/admin')
  const next = page.getByRole('region', { name: 'Goes out next' })
  await expect(next.getByRole('listitem').first()).toContainText('The preview is missing')
  await expect(next).toContainText('and 1 more')
  await expect(next).toContainText('Nothing left to do')
  const stuck = page.getByRole('region', { name: 'Needs attention' })
  for (const [name, path] of [
    ['The newest backup failed', '/admin/settings/backups'],
    ['1,000+ members have a failed payment', '/admin/members?account=payment_failed'],
    ['mia@example.test', '/admin/members/'],
    ['3 deliveries may not have arrived', '/deliveries?status=unknown'],
    ['2 addresses bounced this week', '/admin/newsletter/deliverability?reason=bounced&days=7'],
  ] as const) {
    await expect(stuck.getByRole('link', { name })).toHaveAttribute('href', new RegExp(path.replace('?', '\\?')))
  }
  const figures = page.getByRole('region', { name: 'Compared with last month' })
  await expect(figures).toContainText('Last 30 days, up 30')
  await expect(figures).toContainText('This month, up $100.00')
  const feedback = '/admin/newsletter/deliverability/feedback?feedback='
  for (const [name, address] of [
    ['New members', '/admin/members?joined=2026-10-25..'],
    ['Unsubscribes', `${feedback}unsubscribed&since=2026-10-25`],
    ['Bounces', `${feedback}bounced&since=2026-10-25`],
    ['Spam complaints', `${feedback}complaint&since=2026-10-25`],
  ] as const) {
    await expect(figures.getByRole('link', { name })).toHaveAttribute('href', address)
  }
  await page.getByText('Week by week').click()
  await expect(page.getByRole('table', { name: 'Last 12 weeks' }).getByRole('row')).toHaveCount(13)
  await expect(page.getByRole('region', { name: 'What readers tried and said' })).toContainText('Saved me a shift.')
  await expect(users(page).first()).toBeVisible()
  await inspect(page, 'admin-overview')

  const quiet = {
    ...monday,
    problems: [] as AdminOverview['problems'],
    upcoming: [],
    stuckMailings: { mailings: [], documents: [], unknownDeliveries: [] },
  }
  const settled = {
    failedPayments: { count: 0, newest: [] },
    duplicates: [],
    stripeEvents: { count: 0, newest: [] },
    imported: { paying: 0 },
    suppressed: { bounced: 0, complained: 0 },
  }
  await page.route('**/functions/v1/admin-overview', (route) =>
    route.fulfill({ json: { ...quiet, stuckMembers: settled } }),
  )
  await page.reload()
  await expect(stuck).toContainText('Nothing is stuck: payments, mailings and drops are fine.')
  await expect(next).toContainText('Nothing is scheduled, and there are no drafts.')
  const isLate = { kind: 'drop', title: 'This week’s drop is missing', detail: 'Write one.', since: soon, path: null }
  await page.route('**/functions/v1/admin-overview', (route) =>
    route.fulfill({ json: { ...quiet, stuckMembers: settled, problems: [isLate] } }),
  )
  await page.reload()
  await expect(stuck).toContainText('This week’s drop is missing')
  await expect(stuck).not.toContainText('Nothing is stuck')
  await next.getByRole('link', { name: 'Write the next drop' }).click()
  await expect(page).toHaveURL('/admin/content/drops')
})

test('The status page says in plain words what is late, what waits and what runs', async ({ page, loginAs }) => {
  await loginAs('admin')
  await page.goto('/admin')
  await page.getByRole('region', { name: 'Needs attention' }).getByRole('link', { name: 'Status' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Status')
  // The list depends on what other tests have done on this server.
  await expect(page.getByRole('region', { name: 'Late or broken' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Running' })).toContainText('Mail serverReachable')
  await expect(page.getByRole('region', { name: 'Waiting' })).toContainText('Next drop')
  await inspect(page, 'admin-status')
})

test('A dashboard that fails to load shows an error and can be retried', async ({ page, loginAs }) => {
  await loginAs('admin')
  await failCall(page, 'admin-users')
  await page.goto('/admin')
  await expect(toast(page, 'Failed to load admin data')).toBeVisible()
  await page.unroute('**/functions/v1/admin-users')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Total Users')).toBeVisible()
})

const revenue = (page: Page) => page.getByRole('region', { name: 'Revenue' })
const cents = (text: string | null) => Math.round(Number((text ?? '').replace(/[^\d.-]/g, '')) * 100)

test('An admin sees revenue by plan and month', async ({ page, loginAs }) => {
  await loginAs('admin')
  await page.goto('/admin/money')
  const section = revenue(page)
  // Admin and pro pay monthly, and team pays for three; other tests may have bought more.
  const plans = section.getByRole('table', { name: /^By plan/ })
  await expect(plans.getByRole('row')).toHaveCount(5)
  const mrrOf = async (name: string) =>
    cents(await plans.getByRole('row', { name }).getByRole('cell').first().textContent())
  const [monthly, yearly, team, all] = await Promise.all(
    ['Pro Monthly', 'Pro Yearly', 'Team Monthly', 'All plans'].map(mrrOf),
  )
  expect(all).toBeGreaterThanOrEqual(4000)
  // Figures are rounded individually.
  expect(Math.abs(Number(monthly) + Number(yearly) + Number(team) - Number(all))).toBeLessThanOrEqual(1)
  const figure = section.locator('dl > div', { hasText: 'Monthly recurring revenue' })
  expect(cents(await figure.locator('dd > p').first().textContent())).toBe(all)
  // Test clocks of other tests may have added months.
  const chart = section.getByRole('img', { name: /^Monthly recurring revenue from/ })
  await expect(chart.or(section.getByText('One month so far'))).toBeVisible()

  await section.getByText('Month by month').click()
  const months = section.getByRole('table', { name: /^Last 12 months/ })
  await expect(months.getByRole('row')).toHaveCount(13)
  const newest = months.getByRole('row').nth(1)
  expect(cents(await newest.getByRole('cell').first().textContent())).toBe(all)
  const chosen = section.getByRole('combobox', { name: 'Month' })
  await expect(newest.getByRole('rowheader')).toHaveText(
    (await chosen.locator('option:checked').innerText()).replace(' (test clock)', ''),
  )

  await page.getByRole('link', { name: 'Retention' }).click()
  const cohorts = page.getByRole('table', { name: 'Customers by the month of their first payment' })
  await expect(cohorts.getByRole('row').nth(1).getByRole('cell').nth(2)).toHaveText(/^\d+%$/)
  await expect(page.getByRole('row', { name: /^Food & Beverage/ })).toBeVisible()
  await inspect(page, 'admin-retention')

  const canceled = {
    plan: 'pro_monthly',
    canceledAt: '2026-11-02T15:00:00.000Z',
    reason: 'unused',
    comment: 'We sold.',
  }
  const items = [{ ...canceled, subscriptionId: 'sub_1', member: null }]
  await page.route('**/functions/v1/admin-cancellations', (route) =>
    route.fulfill({ json: { reasons: [{ reason: 'unused', count: 1 }], items, nextCursor: null } }),
  )
  await page.getByRole('link', { name: 'Cancellations' }).click()
  await expect(page.getByText('“We sold.”')).toBeVisible()
  await inspectState(page, 'admin-cancellations')
})

test('A user who is locked out and got no email is helped from their page, each with one click', async ({
  page,
  request,
  baseURL,
  signUpConfirmed,
  login,
}) => {
  const reader = await signUpConfirmed()
  const admin = await signIn(baseURL ?? '', demoEmail('admin'), demoPassword)
  await callAs(request, admin, 'admin-suppress', {
    email: reader.email,
    stream: 'all',
    reason: 'manual',
    note: 'A test',
  })
  await savePreferences(request, reader, { focusAreas: ['Finance'] })
  const tryPassword = (password: string) =>
    request.post('/auth/v1/token?grant_type=password', {
      headers: { apikey: publishableKey },
      data: { email: reader.email, password },
    })
  for (let tries = 0; tries < 20; tries += 1) await tryPassword('a wrong one')
  const refused = await tryPassword('a wrong one')
  expect([refused.status(), await refused.text()]).toEqual([429, expect.stringMatching(/Try again in \d+ minutes?/)])

  await login(admin)
  await page.goto(`/admin/members/${reader.session.user.id}`)
  const help = page.getByRole('region', { name: 'Sign-in and email' })
  await expect(help.getByText(/^Sign-in is locked until today, .* after too many wrong passwords\.$/)).toBeVisible()
  await expect(help.getByText(/^Newsletter email doesn’t go to this address: suppressed manually/)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Account' }).getByText('Finance')).toBeVisible()
  const history = page.getByRole('region', { name: 'Timeline' })
  const problems = page.getByRole('region', { name: 'Summary' }).getByRole('list', { name: 'Open problems' })
  await expect(problems.getByRole('listitem')).toHaveText([
    'Sign-in is locked after too many wrong entries.',
    'Email to this address is stopped.',
  ])
  await history.getByRole('button', { name: 'Show timeline' }).click()
  await expect(history.getByRole('list', { name: 'Timeline' })).toContainText('Confirm your email address')
  await inspectState(page, 'admin-user-help')

  await help.getByRole('button', { name: 'Unlock sign-in' }).click()
  await expect(toast(page, 'Sign-in unlocked')).toBeVisible()
  await help.getByRole('button', { name: 'Remove suppression' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(help.getByText('This person can sign in and receive email.')).toBeVisible()
  await help.getByRole('button', { name: 'Send password reset' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send email' }).click()
  await expect(toast(page, 'Email sent')).toBeVisible()
  await expect(history.getByRole('list', { name: 'Timeline' })).toContainText('Reset your Front Counter password')
  expect(await waitForEmail(request, reader.email, /Reset your/)).toBeTruthy()
  expect((await tryPassword(reader.password)).status()).toBe(200)
})

test('Staff know a member: notes, timeline, refund, credit, and the portal as they see it', async ({
  page,
  request,
  signUp,
  loginAs,
  login,
}) => {
  test.setTimeout(120_000)
  const member = await signUp()
  await savePreferences(request, member, { focusAreas: ['Finance'] })
  await buy(request, member, 'pro_monthly')
  const { id } = member.session.user
  await loginAs('admin')
  await page.goto(`/admin/members/${id}`)
  const summary = page.getByRole('region', { name: 'Summary' })
  await expect(summary.getByText(/^Pro Monthly, renews /)).toBeVisible()
  await expect(summary).toContainText('Pays$10 per month')
  await expect(summary).toContainText('Last read a dropNever')
  await expect(summary).toContainText('EmailsEvery drop')
  await expect(summary.getByRole('list', { name: 'Open problems' })).toHaveText('The email address isn’t confirmed.')

  const notes = page.getByRole('region', { name: 'Notes' })
  await notes.getByRole('button', { name: 'Add note' }).click()
  await notes.getByLabel('New note').fill('Called about a second store.')
  await notes.getByRole('button', { name: 'Add note' }).click()
  await expect(notes.getByRole('list', { name: 'Notes' })).toContainText('Called about a second store.')

  await page.getByLabel('New tag').fill('Second Store')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByRole('list', { name: 'Tags' })).toHaveText('second store')

  await page.getByRole('button', { name: 'Show timeline' }).click()
  const timeline = page.getByRole('list', { name: 'Timeline' })
  await expect(timeline).toContainText('Note')
  await expect(timeline).toContainText('Paid $10.00')
  await page.getByRole('button', { name: 'Payments', exact: true }).click()
  await expect(timeline.getByRole('listitem')).toHaveCount(1)
  await page.getByRole('button', { name: 'Everything', exact: true }).click()
  await expect(timeline).toContainText('Joined')

  const payments = page.getByRole('region', { name: 'Payments' })
  await payments.getByRole('button', { name: /^Refund / }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount in USD').fill('12')
  await expect(dialog.getByText('Enter an amount up to $10.00')).toBeVisible()
  await dialog.getByLabel('Amount in USD').fill('2.50')
  await dialog.getByRole('button', { name: 'Refund $2.50' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(payments).toContainText('$10.00 paid, $2.50 refunded')
  await payments.getByRole('button', { name: 'Add credit' }).click()
  await dialog.getByLabel('Amount in USD').fill('3')
  await dialog.getByLabel('Reason').fill('For the outage')
  await dialog.getByRole('button', { name: 'Add $3.00' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(payments).toContainText('$3.00 credit for the next invoices.')
  await expect(timeline).toContainText('Added credit for future invoices')
  await inspect(page, 'admin-member')

  await page.getByRole('button', { name: 'View as this member' }).click()
  const [view] = await Promise.all([
    page.context().waitForEvent('page'),
    dialog.getByRole('button', { name: 'Start viewing' }).click(),
  ])
  await expect(view.getByRole('heading', { level: 1, name: 'Weekly Drops' })).toBeVisible()
  const bar = view.getByRole('complementary', { name: 'Viewing as a member' })
  await expect(bar).toContainText(`Viewing as ${member.email}, read-only.`)
  await expect(bar).toContainText(/1[45]:\d\d left/)
  await view.getByRole('link', { name: 'Guides' }).first().click()
  await expect(view.getByRole('heading', { level: 1, name: /Guides/ })).toBeVisible()
  await inspect(view, 'view-as')
  // This tab stays the admin's, in storage too.
  await expect(page.getByRole('heading', { level: 1, name: member.email })).toBeVisible()
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(stored).not.toContain('viewas_')
  expect(stored).toContain(demoEmail('admin'))
  const ended = view.waitForEvent('close')
  await bar.getByRole('button', { name: 'End' }).click()
  await ended

  await login(member)
  await page.goto('/account/security')
  await expect(page.getByText('The publisher viewed the portal as this account')).toBeVisible()
  await expect(page.getByText('The publisher stopped viewing the portal as this account')).toBeVisible()
})
