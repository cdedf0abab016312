import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { onAccountDeleted } from '#server/all-features.ts'
import { queryRows, type Tx } from '#server/db/database.ts'
import { auditLogEntries, knownAddresses, rateLimits, users } from '#server/db/schema/index.ts'
import { subscriptionsJobs } from '#server/features/billing/subscriptions/subscriptions.jobs.ts'
import { deleteAccount } from '#server/features/identity/account/delete-account.ts'
import { deleteUserCounters, userCounterKey } from '#server/features/identity/auth/limits/rate-limit-counters.ts'
import { createPasswordHasher } from '#server/features/identity/auth/passwords/password-hasher.ts'
import { createReadPrincipal } from '#server/features/identity/auth/sessions/read-principal.ts'
import { bulkActionSteps } from '#server/features/operations/members/bulk-actions.ts'
import { openJobQueue } from '#server/jobs/jobs.ts'
import {
  dayMs,
  deliver,
  eventsOf,
  openBilling,
  startClock,
  subscribe,
  travel,
} from '#tests/integration/billing/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { continueRuns } from '#tests/support/continue-runs.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { fillTables, tablesWith } from './fill-tables.ts'
import { addFactor, addPasskey, ageAuthentication, auditEntries, minuteMs } from './support.ts'

const billing = openForTests(() => openBilling())
let user: TestUser
beforeEach(async () => {
  await billing.server.database.truncate()
  billing.server.jobs.length = 0
  billing.proxy.outage = null
  user = await billing.user({ email: `leaving-${crypto.randomUUID()}@example.test`, preferences: {} })
})

const requestDeletion = (email = user.email, token = user.token) =>
  call(billing.server, 'delete-account', { email }, token)
const userRow = async () => (await billing.db.select().from(users).where(eq(users.id, user.id)))[0]
const selectRows = <Row>(statement: SQL) => queryRows<Row>(billing.db, statement)

/** Runs the queued jobs. */
async function runJobs() {
  const known = subscriptionsJobs(billing.deps).jobs
  for (const { name, payload } of billing.server.jobs) await known.find((job) => job.name === name)?.run(payload)
}

/** Buys a plan and waits until the subscription row shows it. */
async function buySubscription(): Promise<string> {
  await billing.checkout(user)
  const customer = await billing.customerOf(user)
  await subscribe(billing.api, customer, billing.priceOf('pro_monthly'))
  await billing.check(user, { refresh: true })
  return customer
}

describe('deleting an account while subscribed', () => {
  test('previews what ends', async () => {
    expect((await call(billing.server, 'deletion-preview', {}, user.token)).body).toEqual({
      subscription: null,
      teamMembers: 0,
    })
    await buySubscription()
    const { currentPeriodEnd } = (await billing.row(user)) ?? {}
    expect((await call(billing.server, 'deletion-preview', {}, user.token)).body).toEqual({
      subscription: { planName: 'Pro Monthly', paidUntil: currentPeriodEnd?.toISOString() },
      teamMembers: 0,
    })
  })

  test('cancels right away, and nothing is charged in the months after', async () => {
    const customer = await buySubscription()
    const clock = await startClock(billing.api, customer)
    expect(await requestDeletion()).toMatchObject({ status: 200, body: { deleted: true } })
    await runJobs()
    const before = (await billing.api.invoices.list({ customer })).data.length
    const subscriptions = await billing.api.subscriptions.list({ customer, status: 'all' })
    expect(subscriptions.data.map(({ status }) => status)).toEqual(['canceled'])
    expect(await billing.api.customers.retrieve(customer)).toMatchObject({ deleted: true })
    await travel(billing.api, clock.id, new Date(Date.now() + 40 * dayMs))
    expect((await billing.api.invoices.list({ customer })).data).toHaveLength(before)
  })

  test('deletes the account while Stripe is down, and cancels later, exactly once', async () => {
    const customer = await buySubscription()
    billing.proxy.outage = 'refused'
    expect((await requestDeletion()).status).toBe(200)
    await expect(runJobs()).rejects.toThrow()
    expect((await billing.api.subscriptions.list({ customer })).data).toHaveLength(1)
    billing.proxy.outage = null
    await runJobs()
    await runJobs()
    const ended = (await eventsOf(billing.api, customer)).filter(({ type }) => type === 'customer.subscription.deleted')
    expect(ended).toHaveLength(1)
  })

  test('among many members, cancels too', async () => {
    const customer = await buySubscription()
    const owner = await billing.user({ admin: true })
    const deletion = { id: crypto.randomUUID(), action: { kind: 'delete' }, target: { ids: [user.id] } }
    expect(await call(billing.server, 'admin-start-bulk-action', deletion, owner.token)).toMatchObject({ status: 200 })
    const deps = { ...billing.deps, onAccountDeleted: onAccountDeleted(billing.deps) }
    await continueRuns(billing.deps, bulkActionSteps(deps))
    expect(await userRow()).toBeUndefined()
    await runJobs()
    const subscriptions = await billing.api.subscriptions.list({ customer, status: 'all' })
    expect(subscriptions.data.map(({ status }) => status)).toEqual(['canceled'])
  })

  test('ignores later events of the customer without errors', async () => {
    const customer = await buySubscription()
    await requestDeletion()
    await runJobs()
    for (const event of await eventsOf(billing.api, customer)) expect(await deliver(billing, event)).toBe(200)
    expect(await billing.row(user)).toBeNull()
  })
})

describe('what remains', () => {
  test('no row in any table about accounts, no trace in any other, and no counter under its id', async () => {
    await buySubscription()
    await addFactor(billing.server, user)
    await addPasskey(billing.server, user)
    await billing.db.execute(sql`update auth.mfa_amr_claims set authentication_method = 'totp'`)
    const expiresAt = new Date(Date.now() + dayMs)
    await billing.db.insert(knownAddresses).values({ userId: user.id, kind: 'mfa', ip: '127.0.0.1', expiresAt })
    await billing.db.insert(rateLimits).values({ key: userCounterKey(user.id, 'proof'), expiresAt })
    const other = await billing.user()
    const tables = await fillTables(billing.db, user, other)
    expect(tables.length).toBeGreaterThan(40)
    expect((await requestDeletion()).status).toBe(200)
    for (const { name, column } of tables) {
      const rows = await selectRows(sql`select 1 from ${sql.raw(name)} where ${sql.raw(column)} = ${user.id}::uuid`)
      expect(rows, `${name}.${column}`).toEqual([])
    }
    // The log stays, without the address.
    expect(await tablesWith(billing.db, [user.id])).toEqual(['auth.audit_log_entries'])
    expect(await tablesWith(billing.db, [user.email])).toEqual([])
    expect(await selectRows(sql`select 1 from auth.refresh_tokens where session_id <> ${other.sessionId}`)).toEqual([])
    expect(await selectRows(sql`select 1 from rate_limits where key like ${`%${user.id}%`}`)).toEqual([])
  })

  test('no counter, found by an indexed key', async () => {
    const other = await billing.user()
    const expiresAt = new Date(Date.now() + dayMs)
    const keys = [user, other].flatMap(({ id }) => [userCounterKey(id, 'proof'), userCounterKey(id, 'wrong-totp:z::1')])
    await billing.db.insert(rateLimits).values(keys.map((key) => ({ key, expiresAt })))
    const wholeReads = async (tx: Tx) => {
      const answer = await tx.execute(sql`
        select seq_scan::int as count from pg_stat_xact_user_tables where relname = 'rate_limits'`)
      return (answer as unknown as { rows: { count: number }[] }).rows[0]?.count
    }
    await billing.db.transaction(async (tx) => {
      // PostgreSQL scans small tables instead of using the index.
      await tx.execute(sql`set local enable_seqscan = off`)
      const before = await wholeReads(tx)
      await deleteUserCounters(tx, user.id)
      expect(await wholeReads(tx)).toBe(before)
    })
    const left = await billing.db.select({ key: rateLimits.key }).from(rateLimits).where(inArray(rateLimits.key, keys))
    expect(left.map(({ key }) => key).toSorted()).toEqual(keys.slice(2).toSorted())
  })

  test('no session: access and refresh tokens stop working', async () => {
    await requestDeletion()
    expect((await call(billing.server, 'security-overview', {}, user.token)).status).toBe(401)
    const wire = await billing.server.app.request('/auth/v1/user', { headers: user.headers })
    expect(await wire.json()).toMatchObject({ error_code: 'user_not_found' })
    const refreshed = await billing.server.app.request('/auth/v1/token?grant_type=refresh_token', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ refresh_token: user.refreshToken }),
    })
    expect(refreshed.status).toBe(400)
  })

  test('log entries without names, still found by the email', async () => {
    await call(billing.server, 'confirm-identity', { method: 'password', password: user.password }, user.token)
    billing.server.clock.advance(1000)
    await requestDeletion()
    const lines = JSON.stringify(await billing.db.select().from(auditLogEntries))
    for (const personal of [user.email, '127.0.0.1', 'with the password']) expect(lines).not.toContain(personal)
    const admin = await buildUser(billing.server, { admin: true })
    const found = await call(billing.server, 'admin-audit-log', { email: user.email }, admin.token)
    expect(found.body.items).toMatchObject([
      { event: 'account_deleted', email: 'deleted account', userId: user.id, ip: '' },
      { event: 'identity_confirmed', email: 'deleted account', device: 'Unknown device', ip: '' },
    ])
  })

  test('a last email, and the address can be used again', async () => {
    await requestDeletion()
    const [email] = billing.server.outbox.list(user.email)
    expect(email?.subject).toBe('Your Front Counter account is deleted')
    const again = await billing.server.app.request('/auth/v1/signup', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: user.email, password: 'another password here' }),
    })
    expect(again.status).toBe(200)
  })
})

describe('the deletion', () => {
  test('requires the typed email, in any case', async () => {
    for (const wrong of ['', 'other@example.test', `${user.email}x`]) {
      expect(await requestDeletion(wrong)).toMatchObject({ status: 400, body: { code: 'confirmation_mismatch' } })
    }
    expect(await userRow()).toBeDefined()
    expect((await requestDeletion(`  ${user.email.toUpperCase()} `)).status).toBe(200)
    expect(await userRow()).toBeUndefined()
  })

  test('requires step-up', async () => {
    await ageAuthentication(billing.server, user, 16 * minuteMs)
    expect(await requestDeletion()).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
    expect(await userRow()).toBeDefined()
  })

  test('happens once, even from several tabs', async () => {
    await buySubscription()
    const answers = await Promise.all([requestDeletion(), requestDeletion(), requestDeletion()])
    // Calls after the deletion find no session.
    for (const { status } of answers) expect([200, 401]).toContain(status)
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect(await auditEntries(billing.server, 'account_deleted', user.id)).toHaveLength(1)
    expect(billing.server.jobs).toHaveLength(1)
    const goodbyes = billing.server.outbox.list(user.email).filter(({ subject }) => subject.includes('is deleted'))
    expect(goodbyes).toHaveLength(1)
  })

  test('is atomic: after a crash the account and its sessions remain, and no job exists', async () => {
    const customer = await buySubscription()
    const { logger } = billing.deps
    const queue = await openJobQueue(billing.server.database, logger)
    try {
      const jobs = subscriptionsJobs(billing.deps).jobs.map((job) => ({ ...job, run: async () => {} }))
      await queue.work(jobs)
      const deps = {
        ...billing.deps,
        hasher: createPasswordHasher(billing.deps.hashCost),
        enqueue: queue.enqueue,
        onAccountDeleted: onAccountDeleted({ ...billing.deps, enqueue: queue.enqueue }),
      }
      const who = await createReadPrincipal(billing.deps)(`Bearer ${user.token}`)
      const crash = { ...deps, secrets: { ...deps.secrets, sign: () => crashNow() } }
      const asked = () =>
        selectRows<{ data: unknown }>(sql`select data from pgboss.job where name = 'close-billing-account'`)

      await expect(deleteAccount(crash, who, user.email)).rejects.toThrow('crash')
      expect(await userRow()).toBeDefined()
      expect((await billing.check(user)).subscribed).toBe(true)
      expect(await asked()).toEqual([])

      // No email queue, because no worker runs here.
      const quiet: typeof deps.enqueue = async (tx, job, payload) => {
        if (job.name === 'close-billing-account') await queue.enqueue(tx, job, payload)
      }
      await deleteAccount({ ...deps, enqueue: quiet }, who, user.email)
      expect(await asked()).toEqual([{ data: { customerId: customer } }])
    } finally {
      await queue.stop(1_000)
    }
  })
})

function crashNow(): never {
  throw new Error('crash')
}
