import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { rateLimits, subscriptionState, teamInvitation, teamSeat, users } from '#server/db/schema/index.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { seedContent } from '#server/seed/seed-content.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { ageAuthentication } from '../account/support.ts'
import { dayMs, openBilling, secondMs, startClock, subscribe, travel } from '../billing/support.ts'
import { as, invite, seat, seatsOf, subjectsTo } from './support.ts'

const billing = openForTests(() => openBilling())
beforeAll(async () => {
  await seedContent(billing.deps)
})

const app = () => billing.server

/** A paying owner with the given number of members. */
async function team(members = 1) {
  const owner = await billing.user()
  await billing.checkout(owner, 'team_monthly')
  const customer = await billing.customerOf(owner)
  const { id } = await subscribe(billing.api, customer, billing.priceOf('team_monthly'))
  await syncCustomer(billing.deps, customer)
  const seated: TestUser[] = []
  for (let n = 0; n < members; n += 1) {
    const member = await billing.user()
    await seat(app(), owner, member)
    seated.push(member)
  }
  const [mia = owner] = seated
  return { owner, mia, customer, subscription: id, sync: () => syncCustomer(billing.deps, customer) }
}

const drops = async (user: TestUser) => (await billing.call('weekly-drops', {}, user)).status
const download = async (user: TestUser) => {
  const { body, status } = await billing.call('download-guide', { id: 'opening-week-playbook' }, user)
  return { status, url: String(body.url) }
}
const fetchFile = async (url: string) => (await app().app.request(new URL(url).pathname)).status
const unsubscribed = { subscribed: false, product_id: null, subscription_end: null }

test('a member has access through the owner’s plan and sees that plan and its end', async () => {
  const { owner, mia } = await team()
  const shown = await billing.check(mia)
  expect(shown).toEqual(await billing.check(owner))
  expect(shown).toMatchObject({ subscribed: true, product_id: billing.productOf('team_monthly') })
  expect(await drops(mia)).toBe(200)
  expect(await fetchFile((await download(mia)).url)).toBe(200)
})

test('the billing page shows a member’s seat while it gives access', async () => {
  const { owner, mia, subscription, sync } = await team()
  const shown = async (user: TestUser) => (await billing.call('billing-overview', {}, user)).body
  expect(await shown(mia)).toMatchObject({ status: 'none', hasTeamAccess: true })
  expect(await shown(owner)).toMatchObject({ status: 'active', hasTeamAccess: false })
  await billing.api.subscriptions.cancel(subscription)
  await sync()
  expect(await shown(mia)).toMatchObject({ status: 'none', hasTeamAccess: false })
})

test('B29: removing a member ends their access with the next request, including download links', async () => {
  const { owner, mia } = await team()
  const { url } = await download(mia)
  expect((await as(app(), owner)('remove-member', { userId: mia.id })).body).toEqual({ removed: true })
  expect(await billing.check(mia)).toEqual(unsubscribed)
  expect(await drops(mia)).toBe(403)
  expect((await download(mia)).status).toBe(403)
  expect(await fetchFile(url)).toBe(403)
  expect((await as(app(), mia)('team')).body).toEqual({ owned: null, membership: null, request: null })
  expect(subjectsTo(app(), mia)[0]).toBe('You were removed from a Front Counter team')
  // Clicked twice.
  expect((await as(app(), owner)('remove-member', { userId: mia.id })).body).toEqual({ removed: false })
})

test('leaving ends access immediately, keeps account and preferences, and emails the owner', async () => {
  const { owner, mia } = await team()
  await billing.call('update-preferences', { focusAreas: ['Finance'], aiLevel: 'beginner', goals: [] }, mia)
  expect((await as(app(), mia)('leave-team')).body).toEqual({ left: true })
  expect(await billing.check(mia)).toEqual(unsubscribed)
  expect(await drops(mia)).toBe(403)
  expect((await as(app(), mia)('leave-team')).body).toEqual({ left: false })
  expect(subjectsTo(app(), owner)[0]).toBe(`${mia.email} left your team`)
  const exported = await billing.call('export-data', {}, mia)
  expect(exported.body).toMatchObject({
    data: { preferences: { focusAreas: ['Finance'] }, team: { ownSeat: null } },
  })
})

test('strangers, members and owners of other teams cannot remove members', async () => {
  const { owner, mia } = await team()
  const other = await team()
  for (const asker of [await billing.user(), mia, other.owner, other.mia]) {
    expect((await as(app(), asker)('remove-member', { userId: mia.id })).body).toEqual({ removed: false })
  }
  expect(await seatsOf(app(), owner)).toHaveLength(1)
})

test('B29: a scheduled cancellation ends members’ access at the exact second', async () => {
  const { owner, mia, subscription, sync } = await team()
  await billing.api.subscriptions.update(subscription, { cancel_at_period_end: true })
  await sync()
  const now = app().clock.now
  const end = new Date(String((await billing.check(owner)).subscription_end))
  for (const [at, open] of [
    [end.getTime() - secondMs, true],
    [end.getTime(), false],
    [end.getTime() + secondMs, false],
  ] as const) {
    app().clock.now = new Date(at)
    expect([await drops(mia), await drops(owner)], new Date(at).toISOString()).toEqual(open ? [200, 200] : [403, 403])
  }
  app().clock.now = now
})

test('B29: on a test clock, access ends in simulated time', async () => {
  const { owner, mia, customer, subscription, sync } = await team()
  const clock = await startClock(billing.api, customer)
  await billing.api.subscriptions.update(subscription, { cancel_at_period_end: true })
  await sync()
  const end = new Date(String((await billing.check(owner)).subscription_end))
  await travel(billing.api, clock.id, new Date(end.getTime() - 60 * secondMs))
  await sync()
  expect(await drops(mia)).toBe(200)
  await travel(billing.api, clock.id, new Date(end.getTime() + 60 * secondMs))
  await sync()
  expect(await drops(mia)).toBe(403)
})

test('B29: a switch to Pro keeps the owner’s access and suspends the seats until a switch back to Team', async () => {
  const { owner, mia, subscription, sync } = await team()
  const item = (await billing.api.subscriptions.retrieve(subscription)).items.data[0]?.id
  const change = async (plan: 'pro_monthly' | 'team_monthly') => {
    await billing.api.subscriptions.update(subscription, { items: [{ id: item, price: billing.priceOf(plan) }] })
    await sync()
  }
  await change('pro_monthly')
  expect([await drops(owner), await drops(mia)]).toEqual([200, 403])
  expect(await billing.check(mia)).toEqual(unsubscribed)
  expect((await as(app(), owner)('team')).body.owned).toMatchObject({ active: false, members: [{ email: mia.email }] })
  expect((await as(app(), mia)('team')).body.membership).toMatchObject({ active: false, until: null })
  await change('team_monthly')
  expect([await drops(owner), await drops(mia)]).toEqual([200, 200])
  expect((await as(app(), mia)('team')).body.membership).toMatchObject({ active: true, ownerEmail: owner.email })
})

test('after a failed renewal, members keep access for the owner’s seven days', async () => {
  const { owner, mia } = await team()
  const unpaidSince = new Date(app().clock.now.getTime() - 7 * dayMs + secondMs)
  const set = (values: object) =>
    billing.db.update(subscriptionState).set(values).where(eq(subscriptionState.userId, owner.id))
  await set({ status: 'past_due', unpaidSince })
  expect(await drops(mia)).toBe(200)
  await set({ unpaidSince: new Date(unpaidSince.getTime() - secondMs) })
  expect(await drops(mia)).toBe(403)
})

test('a member’s own plan is shown first, and the seat takes over when it ends', async () => {
  const { owner, mia } = await team()
  await billing.checkout(mia, 'pro_yearly')
  const customer = await billing.customerOf(mia)
  const { id } = await subscribe(billing.api, customer, billing.priceOf('pro_yearly'))
  await syncCustomer(billing.deps, customer)
  expect(await billing.check(mia)).toMatchObject({ subscribed: true, product_id: billing.productOf('pro_yearly') })
  expect((await as(app(), mia)('team')).body.membership).toMatchObject({ ownPlan: true, active: true })
  expect(await seatsOf(app(), owner)).toHaveLength(1)
  await billing.api.subscriptions.cancel(id)
  await syncCustomer(billing.deps, customer)
  expect(await billing.check(mia)).toMatchObject({ subscribed: true, product_id: billing.productOf('team_monthly') })
})

test('Manage tells a member that the owner pays and opens no portal', async () => {
  const { mia } = await team()
  const { status, body } = await billing.call('customer-portal', {}, mia)
  expect([status, body.code]).toEqual([409, 'no_billing_account'])
  expect(body.error).toContain('The owner of your team pays for your seat.')
})

test('only the owner’s own plan gives seats, not a seat in another team', async () => {
  const { owner } = await team()
  const zoe = await billing.user()
  const joinedAt = app().clock.now
  const [member] = await seatsOf(app(), owner)
  await billing.db.insert(teamSeat).values({ ownerId: member?.userId ?? '', seat: 2, userId: zoe.id, joinedAt })
  expect(await drops(zoe)).toBe(403)
})

test('a member’s refresh syncs the owner’s payments', async () => {
  const { mia, subscription } = await team()
  await billing.api.subscriptions.cancel(subscription)
  expect(await billing.check(mia, {})).toMatchObject({ subscribed: true })
  await billing.db.delete(rateLimits)
  expect(await billing.check(mia, { refresh: true })).toEqual(unsubscribed)
})

test('a team reveals nothing about what its members read, prefer or save', async () => {
  const { owner, mia } = await team()
  await billing.call('update-preferences', { focusAreas: ['Finance'], aiLevel: 'advanced', goals: [] }, mia)
  await drops(mia)
  const { body } = await as(app(), owner)('team')
  expect(Object.keys((body.owned as { members: object[] }).members[0] ?? {}).sort()).toEqual([
    'email',
    'joinedAt',
    'userId',
  ])
  expect(JSON.stringify((await as(app(), mia)('team')).body)).not.toContain(owner.id)
})

test('changing a team requires step-up', async () => {
  const { owner, mia } = await team()
  await ageAuthentication(app(), owner)
  await ageAuthentication(app(), mia)
  const stale = { status: 403, body: { code: 'step_up_required' } }
  expect(await as(app(), owner)('remove-member', { userId: mia.id })).toMatchObject(stale)
  expect(await as(app(), owner)('transfer-team', { userId: mia.id })).toMatchObject(stale)
  expect(await as(app(), owner)('revoke-invitation', { id: crypto.randomUUID() })).toMatchObject(stale)
  expect(await as(app(), mia)('leave-team')).toMatchObject(stale)
  expect(await seatsOf(app(), owner)).toHaveLength(1)
})

test('deleting the owner’s account ends the team and emails the members', async () => {
  const { owner, mia } = await team()
  await invite(app(), owner, 'waiting@example.test')
  expect((await as(app(), owner)('deletion-preview')).body).toMatchObject({ teamMembers: 1 })
  expect((await as(app(), owner)('delete-account', { email: owner.email })).status).toBe(200)
  expect(await drops(mia)).toBe(403)
  expect(subjectsTo(app(), mia)[0]).toBe('Your Front Counter team has ended')
  expect(await seatsOf(app(), owner)).toEqual([])
  expect(await billing.db.select().from(teamInvitation).where(eq(teamInvitation.ownerId, owner.id))).toEqual([])
})

test('deleting a member’s account frees the seat and emails the owner', async () => {
  const { owner, mia } = await team(2)
  expect((await as(app(), mia)('delete-account', { email: mia.email })).status).toBe(200)
  expect(await seatsOf(app(), owner)).toHaveLength(1)
  expect(subjectsTo(app(), owner)[0]).toBe(`${mia.email} left your team`)
  expect(await billing.db.select().from(users).where(eq(users.id, mia.id))).toEqual([])
})
