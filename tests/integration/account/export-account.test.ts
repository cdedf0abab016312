import { type SQL, sql } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { allFeatures } from '#server/all-features.ts'
import { queryRows } from '#server/db/database.ts'
import {
  backupCodes,
  billingCustomer,
  deliveries,
  emailPreferences,
  flowState,
  mailings,
  oneTimeTokens,
  pendingCheckout,
  segmentMembers,
  segments,
  stripeEvent,
  suppressions,
  users,
} from '#server/db/schema/index.ts'
import { tableRegistry } from '#server/db/table-registry.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import {
  addAuthMethod,
  addFactor,
  addPasskey,
  ageAuthentication,
  auditEntries,
  callFrom,
  firefox,
  openOtherSession,
} from './support.ts'

const server = openForTests(() => createTestApp())
let user: TestUser
beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = new Date('2026-11-21T10:20:30.456Z')
  user = await buildUser(server, { email: 'mia@example.test', subscription: 'active', preferences: {} })
})

const selectRows = <Row>(statement: SQL) => queryRows<Row>(server.database.db, statement)

const exported = async (token = user.token) => {
  const { status, body } = await call(server, 'export-data', {}, token)
  expect(status).toBe(200)
  return body as { fileName: string; data: Record<string, unknown> }
}

/** Puts a row, with secrets where they occur, into the tables about an account. */
async function fill(of: TestUser) {
  const { db } = server.database
  const now = server.clock.now
  await addFactor(server, of)
  await addPasskey(server, of)
  await addAuthMethod(server, of, 'totp')
  await openOtherSession(server, of)
  await db.insert(backupCodes).values({ userId: of.id, codeHash: 'hash-of-a-backup-code', createdAt: now })
  await db.insert(billingCustomer).values({ userId: of.id, stripeCustomerId: `cus_${of.id.slice(0, 8)}` })
  await db.insert(stripeEvent).values({
    id: `evt_${of.id.slice(0, 8)}`,
    type: 'invoice.paid',
    created: now,
    customerId: `cus_${of.id.slice(0, 8)}`,
  })
  await db.insert(pendingCheckout).values({ userId: of.id, priceId: 'price_pro_yearly', nonce: 'nonce-of-checkout' })
  await db.insert(oneTimeTokens).values({
    id: crypto.randomUUID(),
    userId: of.id,
    tokenType: 'recovery_token',
    tokenHash: 'hash-of-an-email-code',
    relatesTo: of.email,
  })
  await db.insert(flowState).values({
    id: crypto.randomUUID(),
    userId: of.id,
    authCode: 'hash-of-an-auth-code',
    codeChallengeMethod: 's256',
    codeChallenge: 'challenge-of-a-flow',
    providerType: 'email',
    authenticationMethod: 'recovery',
  })
  // Signing in remembers the IP address.
  await server.app.request('/auth/v1/token?grant_type=password', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: of.email, password: of.password }),
  })
}

describe('the export', () => {
  test('contains everything stored about the account, in one file with a dated name', async () => {
    await fill(user)
    const { fileName, data } = await exported()
    expect(fileName).toBe('account-data-2026-11-21.json')
    expect(data).toMatchObject({
      publication: 'Front Counter',
      exportedAt: '2026-11-21T10:20:30.456Z',
      account: { id: user.id, email: 'mia@example.test', hasPassword: true },
      identities: [{ provider: 'email' }],
      roles: [],
      preferences: { focusAreas: ['Operations'], aiLevel: 'Beginner' },
      mfaFactors: [{ type: 'totp', status: 'verified', name: 'Phone' }],
      passkeys: [{ name: 'Laptop' }],
      backupCodes: [{ usedAt: null }],
      billing: {
        customer: { stripeCustomerId: `cus_${user.id.slice(0, 8)}` },
        openCheckout: { priceId: 'price_pro_yearly' },
        stripeEvents: [{ type: 'invoice.paid' }],
      },
      subscription: { status: 'active', productId: 'prod_pro_monthly' },
      knownIpAddresses: [{ ip: '127.0.0.1' }],
    })
    expect(data.sessions).toHaveLength(3)
    expect(data.sessions).toContainEqual(
      expect.objectContaining({ id: user.sessionId, methods: ['password', 'totp'], ip: '127.0.0.1' }),
    )
    expect((data.securityEvents as { event: string }[]).map(({ event }) => event)).toContain('signed_in')
  })

  test('contains the emails sent to the account, why one failed, and the segments it is in', async () => {
    const { db } = server.database
    const now = server.clock.now
    const [mailing, segment] = [crypto.randomUUID(), crypto.randomUUID()]
    const issue = { id: mailing, kind: 'news', subject: 'What is new', preheader: '', status: 'sent', audience: {} }
    await db.insert(mailings).values({ ...issue, createdAt: now, updatedAt: now, createdBy: 'stranger@example.test' })
    await db.insert(deliveries).values({
      mailingId: mailing,
      userId: user.id,
      email: user.email,
      domain: 'example.test',
      name: 'Mia',
      reader: JSON.stringify({ focusAreas: ['Operations'] }),
      status: 'failed',
      cause: 'refused',
      attempts: 2,
      response: '550 No such mailbox',
      bounceType: 'hard',
    })
    await db
      .insert(segments)
      .values({ id: segment, name: 'Testers', createdAt: now, createdBy: 'stranger@example.test' })
    await db.insert(segmentMembers).values({ segmentId: segment, userId: user.id, addedAt: now })
    const stop = { email: user.email, stream: 'all', reason: 'manual', detail: 'Called us on Monday', createdAt: now }
    await db.insert(suppressions).values({ ...stop, createdBy: 'stranger@example.test' })
    await db.insert(emailPreferences).values({ userId: user.id, drops: 'monthly', news: false, updatedAt: now })
    const document = await exported()
    expect(document.data).toMatchObject({
      newsletters: {
        sent: [
          {
            subject: 'What is new',
            kind: 'news',
            to: user.email,
            name: 'Mia',
            personalizedBy: { focusAreas: ['Operations'] },
            status: 'failed',
            cause: 'refused',
            attempts: 2,
            serverResponse: '550 No such mailbox',
            bounce: 'hard',
          },
        ],
      },
      emailPreferences: { drops: 'monthly', news: false, followUps: true, allowsTracking: false },
      suppressions: [{ stream: 'all', reason: 'manual', detail: 'Called us on Monday' }],
      segments: [{ name: 'Testers' }],
      editorialWork: null,
    })
    expect(JSON.stringify(document)).not.toContain('stranger@example.test')
  })

  test('lists what an editor created in the admin area, by name', async () => {
    const editor = await buildUser(server, { email: 'ann@example.test', admin: true })
    const { body } = await call(server, 'admin-create-document', { kind: 'issue', title: 'Tills' }, editor.token)
    await call(server, 'admin-save-segment', { name: 'Testers', add: [], remove: [] }, editor.token)
    expect((await exported(editor.token)).data.editorialWork).toMatchObject({
      documents: [{ kind: 'issue', id: body.id }],
      segments: [{ name: 'Testers' }],
      images: [],
      mailings: [],
    })
  })

  test('contains no secret, not even hashed', async () => {
    await fill(user)
    const text = JSON.stringify(await exported())
    const [row] = await server.database.db.select({ hash: users.encryptedPassword }).from(users)
    const secrets = ['hash-of-', 'sealed-secret', 'public-key', 'nonce-of', 'challenge-of', '$argon2', row?.hash]
    for (const secret of secrets) expect(text).not.toContain(secret)
    for (const { token } of await selectRows<{ token: string }>(sql`select token from auth.refresh_tokens`)) {
      expect(text).not.toContain(token)
    }
  })

  test('contains nothing about other people', async () => {
    const stranger = await buildUser(server, { email: 'stranger@example.test', subscription: 'active', admin: true })
    await fill(stranger)
    await fill(user)
    await call(server, 'admin-set-disabled', { userId: user.id, disabled: true }, stranger.token)
    await addAuthMethod(server, stranger, 'totp')
    await call(server, 'admin-set-disabled', { userId: user.id, disabled: true }, stranger.token)
    await call(server, 'admin-set-disabled', { userId: user.id, disabled: false }, stranger.token)
    const again = await server.app.request('/auth/v1/token?grant_type=password', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: user.email, password: user.password }),
    })
    const { access_token } = (await again.json()) as { access_token: string }
    const sessionId = JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString()).session_id
    await addAuthMethod(server, { sessionId }, 'totp')
    await server.database.db.execute(sql`update auth.sessions set awaits_second_factor = false`)
    const document = await exported(access_token)
    const text = JSON.stringify(document)
    for (const theirs of ['stranger@example.test', stranger.id, `cus_${stranger.id.slice(0, 8)}`]) {
      expect(text).not.toContain(theirs)
    }
    expect(document.data.securityEvents).toContainEqual(
      expect.objectContaining({ event: 'account_disabled', by: 'the publisher' }),
    )
  })

  test('requires reauthentication, is logged and emails the owner', async () => {
    await ageAuthentication(server, user)
    expect((await call(server, 'export-data', {}, user.token)).status).toBe(403)
    await call(server, 'confirm-identity', { method: 'password', password: user.password }, user.token)
    expect((await callFrom(server, firefox, 'export-data', {}, user.token)).status).toBe(200)
    expect(await auditEntries(server, 'data_exported', user.id)).toHaveLength(1)
    const [email] = server.outbox.list(user.email)
    expect(email?.subject).toBe('Your Front Counter data was downloaded')
    expect(email?.text).toMatch(/Device: +Firefox on Windows/)
    expect(email?.text).toMatch(/When: +Saturday, November 21, 2026 at 10:20 AM UTC/)
  })

  test('is limited to ten per hour', async () => {
    for (let n = 0; n < 10; n += 1) await exported()
    expect(await call(server, 'export-data', {}, user.token)).toMatchObject({
      status: 429,
      body: { code: 'over_request_rate_limit' },
    })
  })
})

describe('An owner who answers a data request', () => {
  const ask = (given: object, token: string) =>
    call(server, 'admin-export-member', { userId: user.id, ...given }, token)
  let owner: Awaited<ReturnType<typeof buildUser>>
  beforeEach(async () => {
    owner = await buildUser(server, { email: 'owner@example.test', admin: true })
  })

  test('gets what the member would get, and the member is told', async () => {
    await fill(user)
    const own = (await exported()).data
    const { status, body } = await ask({}, owner.token)
    expect(status).toBe(200)
    const { data } = body as { data: Record<string, unknown> }
    expect(Object.keys(data)).toEqual(Object.keys(own))
    expect(data.account).toEqual(own.account)
    expect(JSON.stringify(data)).not.toContain('owner@example.test')
    expect(await auditEntries(server, 'data_exported_by_staff', user.id)).toMatchObject([
      { by: 'owner@example.test', actor_id: owner.id },
    ])
    const [email] = server.outbox.list(user.email)
    expect(email?.subject).toBe('We downloaded your Front Counter data')
    expect(email?.text).not.toContain('Device:')
  })

  test('needs a fresh sign-in, and is limited to ten an hour', async () => {
    await ageAuthentication(server, owner)
    expect((await ask({}, owner.token)).status).toBe(403)
    await call(server, 'confirm-identity', { method: 'password', password: owner.password }, owner.token)
    for (let n = 0; n < 10; n += 1) expect((await ask({}, owner.token)).status).toBe(200)
    expect((await ask({}, owner.token)).status).toBe(429)
  })

  test('isn’t a member of support, and gets a clear answer for accounts that don’t exist', async () => {
    const support = await buildUser(server, { email: 'support@example.test', role: 'support' })
    expect((await ask({}, support.token)).status).toBe(403)
    expect((await ask({ userId: crypto.randomUUID() }, owner.token)).status).toBe(404)
    expect((await ask({ userId: 'mia' }, owner.token)).status).toBe(400)
    expect(await auditEntries(server, 'data_exported_by_staff')).toEqual([])
  })
})

describe('every table is covered', () => {
  test('every table about an account is exported, or omitted with a reason', async () => {
    const dependents = await selectRows<{ name: string }>(sql`
      with recursive dependents as (
        select 'auth.users'::regclass::oid as id
        union
        select c.conrelid from pg_constraint c join dependents h on c.confrelid = h.id where c.contype = 'f'
      )
      select n.nspname || '.' || t.relname as name
        from dependents h join pg_class t on t.oid = h.id join pg_namespace n on n.oid = t.relnamespace`)
    const withOwnerColumn = await selectRows<{ name: string }>(sql`
      select distinct table_schema || '.' || table_name as name from information_schema.columns
        where table_schema in ('auth', 'public') and column_name in ('user_id', 'customer_id', 'email', 'owner_id')`)
    const names = new Set([...dependents, ...withOwnerColumn].map(({ name }) => name))
    expect(names.size).toBeGreaterThan(12)
    const missing = tableRegistry.filter(({ table, exported, edited }) => {
      const { schema = 'public', name } = getTableConfig(table)
      return names.has(`${schema}.${name}`) && !exported && !edited
    })
    expect(missing.map(({ table }) => getTableConfig(table).name)).toEqual([])
  })

  test('every part that a feature reads is in the list of tables', () => {
    const listed = tableRegistry.map(({ exported }) => exported)
    const read = Object.values(allFeatures).flatMap((feature) => Object.keys(feature.exportedData ?? {}))
    expect(read.filter((name) => !listed.includes(name))).toEqual([])
    expect(new Set(read).size).toBe(read.length)
  })
})
