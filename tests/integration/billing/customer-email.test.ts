import { beforeEach, expect, test } from 'vitest'
import { startCheckout } from '#server/features/billing/subscriptions/checkout/start-checkout.ts'
import { subscriptionsJobs } from '#server/features/billing/subscriptions/subscriptions.jobs.ts'
import { emailChangedJob } from '#server/features/identity/auth/users/email-changed-job.ts'
import { latestEmail, pressConfirm } from '#tests/integration/auth/email-flows.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { openBilling } from './support.ts'

const serviceKey = 'sb_secret_a_key_for_tests_that_is_long_enough'
const billing = openForTests(() => openBilling({ serviceKey }))
beforeEach(() => {
  billing.server.jobs.length = 0
  billing.proxy.outage = null
  billing.proxy.calls.length = 0
})

let count = 0
const newAddress = () => `moved-${++count}@example.test`

async function payer(): Promise<{ user: TestUser; emailAtStripe: () => Promise<string | null> }> {
  const user = await billing.user()
  await billing.checkout(user)
  const customer = await billing.customerOf(user)
  return {
    user,
    emailAtStripe: async () => {
      const found = await billing.api.customers.retrieve(customer)
      return found.deleted ? null : found.email
    },
  }
}

/** Changes the email and confirms it in both mailboxes. */
async function changeByOwner(user: TestUser, email: string) {
  expect(await put('/auth/v1/user', user.token, { email })).toBe(200)
  for (const mailbox of [user.email, email])
    await pressConfirm(billing.server, latestEmail(billing.server, mailbox).link)
}

const changeByOperator = async (user: TestUser, email: string) => {
  expect(await put(`/auth/v1/admin/users/${user.id}`, serviceKey, { email })).toBe(200)
}

async function put(path: string, token: string, body: object): Promise<number> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  return (await billing.server.request(path, { method: 'PUT', headers, body: JSON.stringify(body) })).status
}

/** Runs the oldest email job as a worker does. A failed job is retried. */
async function work() {
  const { jobs } = billing.server
  const index = jobs.findIndex(({ name }) => name === emailChangedJob.name)
  const [job] = index === -1 ? [] : jobs.slice(index, index + 1)
  if (!job) return
  await subscriptionsJobs(billing.deps)
    .jobs.find(({ name }) => name === emailChangedJob.name)
    ?.run(job.payload)
  jobs.splice(jobs.indexOf(job), 1)
}

test.each([
  ['by its owner', changeByOwner],
  ['by the operator', changeByOperator],
])('an address changed %s is updated at Stripe right away', async (_by, change) => {
  const { user, emailAtStripe } = await payer()
  expect(await emailAtStripe()).toBe(user.email)
  const email = newAddress()
  await change(user, email)
  await work()
  expect(await emailAtStripe()).toBe(email)
})

test('an email change succeeds while Stripe is down and reaches Stripe later', async () => {
  const { user, emailAtStripe } = await payer()
  const email = newAddress()
  billing.proxy.outage = 'refused'
  await changeByOperator(user, email)
  await expect(work()).rejects.toThrow()
  expect(await emailAtStripe()).toBe(user.email)
  billing.proxy.outage = null
  await work()
  expect(await emailAtStripe()).toBe(email)
})

test('the newer of two concurrent changes wins, whichever job ends last', async () => {
  const { user, emailAtStripe } = await payer()
  const [first, second] = [newAddress(), newAddress()]
  await changeByOperator(user, first)
  const slow = billing.proxy.holdResponse(({ method, path }) => method === 'POST' && path.startsWith('/v1/customers/'))
  const working = work()
  await slow.held
  await changeByOperator(user, second)
  slow.release()
  await working
  expect(await emailAtStripe()).toBe(second)
  await work()
  expect(await emailAtStripe()).toBe(second)
})

test('a checkout started with the former address updates the customer to the current one', async () => {
  const user = await billing.user()
  const email = newAddress()
  await changeByOperator(user, email)
  await work()
  await startCheckout(
    billing.deps,
    { userId: user.id, email: user.email, emailConfirmed: true, sessionId: user.sessionId },
    priceId(),
  )
  const customer = await billing.customerOf(user)
  expect(await billing.api.customers.retrieve(customer)).toMatchObject({ email })
})

test('a change by a user without a customer makes no call to Stripe', async () => {
  const user = await billing.user()
  await changeByOperator(user, newAddress())
  await work()
  expect(billing.proxy.calls).toEqual([])
})

const priceId = () => billing.priceOf('pro_monthly')
