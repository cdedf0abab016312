import { beforeEach, expect, test } from 'vitest'
import { openBilling, subscribe } from '#tests/integration/billing/support.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { addAuthMethod, addFactor, ageAuthentication } from './support.ts'

const billing = openForTests(() => openBilling())
let user: TestUser
beforeEach(async () => {
  await billing.server.database.truncate()
  user = await billing.user({ email: `payer-${crypto.randomUUID()}@example.test` })
  await billing.checkout(user)
  await subscribe(billing.api, await billing.customerOf(user), billing.priceOf('pro_monthly'))
  await billing.check(user, { refresh: true })
})

const openPortal = () => billing.call('customer-portal', {}, user)
const buyAgain = () => billing.call('create-checkout', { priceId: billing.priceOf('team_monthly') }, user)
const asked = { status: 403, body: { code: 'step_up_required' } }

test('the billing portal opens for a recent sign-in from every entry point', async () => {
  expect((await openPortal()).status).toBe(200)
  expect((await buyAgain()).status).toBe(200)
})

test('an old session gets neither the portal nor its page for switching plans', async () => {
  await ageAuthentication(billing.server, user)
  expect(await openPortal()).toMatchObject(asked)
  expect(await buyAgain()).toMatchObject(asked)
  await billing.call('confirm-identity', { method: 'password', password: user.password }, user)
  expect((await openPortal()).status).toBe(200)
  expect((await buyAgain()).status).toBe(200)
})

test('with a second factor only that factor opens it', async () => {
  await addFactor(billing.server, user)
  expect(await openPortal()).toMatchObject(asked)
  await addAuthMethod(billing.server, user, 'totp')
  expect((await openPortal()).status).toBe(200)
})

test('a user who never bought is not asked to confirm', async () => {
  const newcomer = await billing.user()
  await ageAuthentication(billing.server, newcomer)
  expect(await billing.call('customer-portal', {}, newcomer)).toMatchObject({ status: 409 })
  const bought = await billing.call('create-checkout', { priceId: billing.priceOf('pro_monthly') }, newcomer)
  expect(bought.status).toBe(200)
})
