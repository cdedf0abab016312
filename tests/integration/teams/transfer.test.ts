import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { billingCustomer, formerTeamMember, seatRequest, teamDomain } from '#server/db/schema/index.ts'
import { updateCustomerOwner } from '#server/features/billing/subscriptions/customers/transfer-customer.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { deliver, eventsOf, openBilling, subscribe } from '../billing/support.ts'
import { as, invite, seat, seatsOf, subjectsTo } from './support.ts'

const billing = openForTests(() => openBilling())

const app = () => billing.server

async function team() {
  const owner = await billing.user()
  await billing.checkout(owner, 'team_monthly')
  const customer = await billing.customerOf(owner)
  const { id } = await subscribe(billing.api, customer, billing.priceOf('team_monthly'))
  await syncCustomer(billing.deps, customer)
  const [mia, noah] = [await billing.user(), await billing.user()]
  await seat(app(), owner, mia)
  await seat(app(), owner, noah)
  return { owner, mia, noah, customer, subscription: id }
}

const transferTeam = (owner: TestUser, userId: string) => as(app(), owner)('transfer-team', { userId })
const refused = (code: string, status: number) => ({ status, body: { code } })
const sits = async (owner: TestUser) => new Set((await seatsOf(app(), owner)).map(({ userId }) => userId))
const namesOf = (job: string) =>
  app()
    .jobs.filter(({ name }) => name === job)
    .map(({ payload }) => payload)

test('seats, plan and customer move together without losing access', async () => {
  const { owner, mia, noah, customer, subscription } = await team()
  const before = await billing.check(noah)
  expect((await transferTeam(owner, mia.id)).body).toEqual({ transferred: true })
  expect(await billing.customerOf(mia)).toBe(customer)
  expect(await billing.row(mia)).toMatchObject({ stripeSubscriptionId: subscription, status: 'active' })
  expect(await billing.row(owner)).toMatchObject({ stripeSubscriptionId: null, status: 'none', entitledUntil: null })
  expect(await sits(owner)).toEqual(new Set())
  expect(await sits(mia)).toEqual(new Set([owner.id, noah.id]))
  for (const user of [owner, mia, noah]) expect(await billing.check(user)).toEqual(before)
  expect((await as(app(), mia)('team')).body).toMatchObject({ owned: { active: true }, membership: null })
  expect((await as(app(), owner)('team')).body).toMatchObject({ owned: null, membership: { ownerEmail: mia.email } })
  expect(subjectsTo(app(), owner)[0]).toBe('Your team has a new owner')
  expect(subjectsTo(app(), mia)[0]).toBe('You’re now the owner of your team')
  // The former owner can no longer manage the team.
  expect((await as(app(), owner)('remove-member', { userId: noah.id })).body).toEqual({ removed: false })
  expect(await as(app(), owner)('invite-member', { email: 'x@example.test' })).toMatchObject(
    refused('no_team_plan', 403),
  )
})

test('domains, requests and departures move with the team', async () => {
  const { owner, mia, noah } = await team()
  const { db } = billing
  const now = new Date()
  const domain = { domain: 'bakery.test', email: 'it@bakery.test', codeExpiresAt: now, createdAt: now, provenAt: now }
  const zoe = await billing.user()
  await db.insert(teamDomain).values({ ownerId: owner.id, ...domain })
  await as(app(), owner)('remove-member', { userId: noah.id })
  await db
    .insert(seatRequest)
    .values([zoe, mia].map(({ id }) => ({ ownerId: owner.id, userId: id, seats: 1, requestedAt: now })))
  await transferTeam(owner, mia.id)
  expect((await as(app(), mia)('team')).body.owned).toMatchObject({
    domains: [{ domain: 'bakery.test' }],
    requests: [{ email: zoe.email }],
  })
  expect(await db.select().from(formerTeamMember)).toMatchObject([{ ownerId: mia.id, userId: noah.id }])
})

test('a job that can run twice updates Stripe, and later events reach the new owner', async () => {
  const { owner, mia, customer, subscription } = await team()
  await transferTeam(owner, mia.id)
  expect(namesOf('tell-new-payer')).toContainEqual({ customerId: customer })
  for (let n = 0; n < 2; n += 1) await updateCustomerOwner(billing.deps, customer)
  expect(await billing.api.customers.retrieve(customer)).toMatchObject({
    email: mia.email,
    metadata: { user_id: mia.id },
  })
  expect((await billing.api.subscriptions.retrieve(subscription)).metadata.user_id).toBe(mia.id)
  await billing.api.subscriptions.cancel(subscription)
  for (const event of await eventsOf(billing.api, customer)) expect(await deliver(billing, event)).toBe(200)
  expect((await billing.row(mia))?.status).toBe('canceled')
  expect((await billing.row(owner))?.status).toBe('none')
})

test('a former owner who buys again gets a new customer, before and after Stripe is updated', async () => {
  const { owner, mia, customer } = await team()
  await transferTeam(owner, mia.id)
  await as(app(), owner)('leave-team')
  await billing.checkout(owner, 'pro_monthly')
  const fresh = await billing.customerOf(owner)
  expect(fresh).not.toBe(customer)
  await updateCustomerOwner(billing.deps, customer)
  expect(await billing.customerOf(owner)).toBe(fresh)
  expect(await billing.customerOf(mia)).toBe(customer)
})

test('the new owner’s old customer is closed, including its open checkout', async () => {
  const { owner, mia, customer } = await team()
  await billing.checkout(mia, 'pro_monthly')
  const former = await billing.customerOf(mia)
  expect((await transferTeam(owner, mia.id)).status).toBe(200)
  expect((await billing.api.checkout.sessions.list({ customer: former, status: 'open' })).data).toEqual([])
  expect(namesOf('close-billing-account')).toContainEqual({ customerId: former })
  expect(await billing.pending(mia)).toBeNull()
  expect(await billing.customerOf(mia)).toBe(customer)
})

test('a member with an active plan cannot become the owner, even before that plan was synced', async () => {
  const { owner, mia, customer } = await team()
  await billing.checkout(mia, 'pro_monthly')
  await subscribe(billing.api, await billing.customerOf(mia), billing.priceOf('pro_monthly'))
  expect(await transferTeam(owner, mia.id)).toMatchObject(refused('has_own_plan', 409))
  expect(await billing.customerOf(owner)).toBe(customer)
  expect(await sits(owner)).toContain(mia.id)
})

test('only to members, and only with an active plan', async () => {
  const { owner, mia, subscription, customer } = await team()
  const stranger = await billing.user()
  for (const id of [stranger.id, owner.id, crypto.randomUUID()]) {
    expect(await transferTeam(owner, id)).toMatchObject(refused('not_in_team', 404))
  }
  expect(await transferTeam(mia, owner.id)).toMatchObject(refused('not_in_team', 404))
  await billing.api.subscriptions.cancel(subscription)
  await syncCustomer(billing.deps, customer)
  expect(await transferTeam(owner, mia.id)).toMatchObject(refused('no_team_plan', 403))
})

test('while Stripe is down, nothing moves to a user with a customer, and a retry works', async () => {
  const { owner, mia, customer } = await team()
  await billing.checkout(mia, 'pro_monthly')
  billing.proxy.outage = 'refused'
  expect(await transferTeam(owner, mia.id)).toMatchObject(refused('stripe_unavailable', 502))
  billing.proxy.outage = null
  expect(await billing.customerOf(owner)).toBe(customer)
  expect((await transferTeam(owner, mia.id)).status).toBe(200)
})

test('a double click and concurrent transfers to two members leave one owner', async () => {
  const { owner, mia, noah, customer } = await team()
  const answers = await Promise.all([
    transferTeam(owner, mia.id),
    transferTeam(owner, noah.id),
    transferTeam(owner, mia.id),
  ])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  const holders = await billing.db.select().from(billingCustomer).where(eq(billingCustomer.stripeCustomerId, customer))
  expect(holders).toHaveLength(1)
  const heir = holders[0]?.userId === mia.id ? mia : noah
  expect(await seatsOf(app(), heir)).toHaveLength(2)
})

test('syncs that started before do not move the plan back', async () => {
  const { owner, mia, customer } = await team()
  const looks = Array.from({ length: 6 }, () => syncCustomer(billing.deps, customer).catch(() => null))
  const [answer] = await Promise.all([transferTeam(owner, mia.id), ...looks])
  expect(answer.status).toBe(200)
  await syncCustomer(billing.deps, customer)
  expect((await billing.row(owner))?.status).toBe('none')
  expect((await billing.row(mia))?.status).toBe('active')
})

test('open invitations move along and keep working', async () => {
  const { owner, mia, noah } = await team()
  await as(app(), owner)('remove-member', { userId: noah.id })
  const zoe = await billing.user()
  const { code } = await invite(app(), owner, zoe.email)
  await transferTeam(owner, mia.id)
  expect((await as(app(), zoe)('join-team', { email: zoe.email, code })).status).toBe(200)
  expect(await sits(mia)).toEqual(new Set([owner.id, zoe.id]))
})
