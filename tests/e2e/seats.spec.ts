import { storageOf } from './support/accounts.ts'
import { cards, payWith } from './support/checkout.ts'
import { inspect } from './support/inspect.ts'
import { test as testAlone } from './support/own-server.ts'
import { expect, test, toast } from './support/test.ts'

test.describe.configure({ timeout: 240_000 })

testAlone(
  'A buyer chooses the seats of a plan priced per seat, sees what more of them cost, adds and removes some',
  async ({ page, browser, baseURL, login, signUp, admin }) => {
    await login(await admin())
    await page.goto('/admin/money/plans')
    await page.getByRole('button', { name: 'Create plan' }).click()
    const form = page.getByRole('form', { name: 'Create plan' })
    await form.getByLabel('Name').fill('Crew')
    await form.getByLabel('Price', { exact: true }).fill('9')
    await form.getByLabel('Charged').selectOption('Per seat')
    await form.getByLabel('Minimum seats').fill('2')
    await form.getByLabel('Days of trial').fill('0')
    await inspect(page, 'money-plan-form-per-seat')
    await form.getByRole('button', { name: 'Create plan' }).click()
    const row = page.getByRole('list', { name: 'Plans' }).getByRole('listitem').filter({ hasText: 'Crew' })
    await expect(row).toContainText('$9 per seat per month, 0 members')
    await expect(row).toContainText('For 2 people or more, including you')

    const account = await signUp()
    const context = await browser.newContext({ baseURL, storageState: storageOf(account.session, baseURL) })
    const reader = await context.newPage()
    const card = reader.getByRole('article', { name: 'Crew' })
    // The landing page is rendered again within a second or two.
    await expect(async () => {
      await reader.goto('/')
      await expect(card).toContainText('per seat per month', { timeout: 1_000 })
    }).toPass()
    await expect(card).toContainText('$108 a year per seat')
    await card.getByRole('button', { name: 'Get Started' }).click()
    await expect(reader.getByRole('heading', { name: 'How many seats do you need?' })).toBeVisible()
    const seats = reader.getByRole('textbox', { name: 'Seats' })
    await seats.fill('1')
    await expect(reader.getByText('Enter 2 to 500 seats.')).toBeVisible()
    await seats.fill('3')
    await expect(reader.getByRole('main').getByRole('status')).toHaveText('$27 per month for 3 seats')
    await inspect(reader, 'checkout-seats')
    await reader.getByRole('button', { name: 'Continue to checkout' }).click()
    await expect(reader.getByText('$27.00').first()).toBeVisible()
    await payWith(reader, cards.works)
    await expect(reader).toHaveURL(/\/portal\/weekly-drops$/)
    await reader.goto('/account/billing')
    await expect(reader.getByRole('main')).toContainText('Crew, $27 per month for 3 seats')

    await reader.goto('/account/team')
    const paid = reader.getByRole('region', { name: 'Paid seats' })
    await expect(paid).toContainText('Each seat costs $9 per month, taken or not.')
    await paid.getByRole('button', { name: 'Add seats' }).click()
    await paid.getByLabel('Seats to add').fill('2')
    await paid.getByRole('button', { name: 'See the cost' }).click()
    // Bought today, so the whole month is left, less some seconds.
    await expect(paid).toContainText(/\$1[78]\.\d\d due today, for the time until your plan renews/)
    await expect(paid).toContainText('you pay $45.00 for 5 seats.')
    await inspect(reader, 'team-add-seats')
    await paid.getByRole('button', { name: 'Add 2 seats' }).click()
    await expect(toast(reader, 'Your team has more seats')).toBeVisible()
    await expect(paid).toContainText('5 seats')
    await expect(reader.getByRole('region', { name: 'Seats', exact: true })).toContainText('1 of 5 taken')

    await paid.getByRole('button', { name: 'Remove empty seats' }).click()
    await paid.getByLabel('Seats to remove').fill('4')
    await expect(paid).toContainText('Enter 1 to 3.')
    await paid.getByLabel('Seats to remove').fill('1')
    await expect(paid).toContainText('you pay for 4 seats. Nothing is charged or refunded before.')
    await inspect(reader, 'team-remove-seats')
    await paid.getByRole('button', { name: 'Remove 1 seat' }).click()
    await expect(paid).toContainText('1 empty seat ends on')
    await paid.getByRole('button', { name: 'Keep 1 seat' }).click()
    await expect(paid.getByRole('button', { name: 'Add seats' })).toBeVisible()
    await expect(reader.getByRole('region', { name: 'Seats', exact: true })).toContainText('1 of 5 taken')
    await context.close()
  },
)

test('The list of a team of 40 people in 25 locations is searched, filtered and sorted by location', async ({
  page,
  login,
  signUpSubscriber,
}) => {
  await login(await signUpSubscriber('team_monthly'))
  const id = (group: number, index: number) => `00000000-0000-4000-8000-${group}${String(index).padStart(11, '0')}`
  const number = (index: number) => String(index).padStart(2, '0')
  const locations = Array.from({ length: 25 }, (_, index) => ({ id: id(1, index), name: `Shop ${number(index + 1)}` }))
  const members = Array.from({ length: 39 }, (_, index) => ({
    userId: id(2, index),
    email: `person-${number(39 - index)}@example.test`,
    joinedAt: '2026-11-02T10:00:00.000Z',
  }))
  const invitations = Array.from({ length: 12 }, (_, index) => ({
    id: id(3, index),
    email: `invited-${number(index + 1)}@example.test`,
    sentAt: '2026-11-20T10:00:00.000Z',
    expiresAt: '2026-11-27T10:00:00.000Z',
    expired: false,
  }))
  await page.route('**/functions/v1/team', (route) =>
    route.fulfill({
      json: {
        owned: {
          ...{ active: true, seats: { total: 52, taken: 52 }, perSeat: null, domains: [], requests: [] },
          ...{ members, invitations },
        },
        ...{ membership: null, request: null },
      },
    }),
  )
  await page.route('**/functions/v1/team-assignments', (route) =>
    route.fulfill({
      json: {
        team: {
          isOwner: true,
          timeZone: null,
          // Every fifth has no location.
          people: members.map(({ userId, email }, index) => ({
            ...{ userId, email, isYou: false },
            locationIds: index % 5 === 0 ? [] : [id(1, index % 25), id(1, (index + 7) % 25)],
          })),
          locations,
          assignments: [],
          collection: [],
        },
      },
    }),
  )
  await page.goto('/account/team')
  const list = page.getByRole('list', { name: 'Seats' }).getByRole('listitem')
  // The owner, and ten members.
  await expect(list).toHaveCount(11)
  await page.getByRole('button', { name: 'Show 10 more members' }).click()
  await expect(list).toHaveCount(21)
  await page.getByLabel('Find a member').fill('person-0')
  await expect(list).toHaveCount(10)
  await page.getByLabel('Find a member').fill('')
  await expect(list).toHaveCount(11)
  const invited = page.getByRole('list', { name: 'Invitations' }).getByRole('listitem')
  await expect(invited).toHaveCount(10)
  await page.getByRole('button', { name: 'Show 2 more invitations' }).click()
  await expect(invited).toHaveCount(12)
  const places = page.getByRole('region', { name: 'Who works where' })
  await expect(places.locator('legend')).toHaveCount(10)
  await inspect(page, 'team-of-forty')
  await places.getByLabel('Works at').selectOption('No location yet')
  await expect(places.getByRole('status')).toHaveText('8 of 39 members')
  await expect(places.getByText('No location yet', { exact: true }).last()).toBeVisible()
  await places.getByLabel('Works at').selectOption('Shop 04')
  await expect(places.locator('legend')).toHaveCount(3)
  await places.getByLabel('Works at').selectOption('Any location')
  await places.getByLabel('Sort people by').selectOption('Email address')
  await expect(places.locator('legend').first()).toContainText('person-01@example.test')
  await places.getByRole('button', { name: 'Show 10 more people' }).click()
  await expect(places.locator('legend')).toHaveCount(20)
  await places.getByLabel('Search by email').fill('person-17')
  await expect(places.locator('legend')).toHaveCount(1)
})
