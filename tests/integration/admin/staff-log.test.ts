import { sql } from 'drizzle-orm'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { auditLogEntries } from '#server/db/schema/index.ts'
import { recordSecurityEvent } from '#server/features/identity/auth/security/security-event.ts'
import type { StaffLogPage } from '#shared/contracts/identity/staff-log.ts'
import type { SecurityEvent } from '#shared/domain/security-events.ts'
import { addFactor, addPasskey, firefox, openOtherSession } from '#tests/integration/account/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp())
let admin: TestUser
let mia: TestUser
beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = new Date('2026-11-21T10:20:30.456Z')
  admin = await buildUser(server, { admin: true, email: 'admin@example.test' })
  mia = await buildUser(server, { email: 'mia@example.test' })
})

const read = async (query: object = {}) => {
  const { status, body } = await call(server, 'admin-audit-log', query, admin.token)
  expect(status).toBe(200)
  return body as StaffLogPage
}
const record = (event: SecurityEvent, of: TestUser, entry: object = {}) => {
  server.clock.advance(1)
  const client = { ip: '203.0.113.9', userAgent: firefox }
  return recordSecurityEvent(server.database.db, {
    event,
    userId: of.id,
    email: of.email,
    client,
    now: server.clock.now,
    ...entry,
  })
}
const events = ({ items: list }: StaffLogPage) => list.map(({ event }) => event)

describe('the staff log', () => {
  test('is sorted newest first, in plain words, and needs no body', async () => {
    await record('signed_in', mia)
    await record('account_disabled', mia, { by: admin.email, note: 'asked for it' })
    const answer = await call(server, 'admin-audit-log', undefined, admin.token)
    expect((answer.body as StaffLogPage).items).toEqual([
      {
        id: expect.any(String),
        at: '2026-11-21T10:20:30.458Z',
        event: 'account_disabled',
        email: 'mia@example.test',
        userId: mia.id,
        by: 'admin@example.test',
        device: 'Firefox on Windows',
        ip: '203.0.113.9',
        note: 'asked for it',
        object: null,
        changes: [],
      },
      expect.objectContaining({ event: 'signed_in', by: null, note: null }),
    ])
  })

  test('is filtered by account, by event, and by both', async () => {
    await record('signed_in', mia)
    await record('password_changed', mia)
    await record('signed_in', admin)
    expect(events(await read({ email: '  MIA@example.test ' }))).toEqual(['password_changed', 'signed_in'])
    expect((await read({ event: 'signed_in' })).items.map(({ email }) => email)).toEqual([admin.email, mia.email])
    expect(events(await read({ email: mia.email, event: 'password_changed' }))).toEqual(['password_changed'])
    server.clock.advance(1)
    await call(server, 'admin-set-disabled', { userId: mia.id, disabled: true, reason: 'fraud' }, admin.token)
    // An admin's actions are listed with the events of their own account.
    expect(events(await read({ email: admin.email }))).toEqual(['account_disabled', 'signed_in'])
    expect(events(await read({ email: admin.email, event: 'account_disabled' }))).toEqual(['account_disabled'])
    expect(await read({ email: 'nobody@example.test' })).toEqual({ items: [], nextCursor: null })
    expect(await read({ email: 'mia' })).toEqual({ items: [], nextCursor: null })
  })

  test('shows every entry exactly once across its pages, even those of the same microsecond', async () => {
    await server.database.db.execute(sql`
      insert into auth.audit_log_entries (id, payload, created_at)
      select gen_random_uuid(), jsonb_build_object('action', 'signed_in', 'user_id', ${mia.id}::text, 'email', 'mia@example.test'),
        timestamptz '2026-11-01T00:00:00Z' + (n / 4) * interval '1 microsecond' from generate_series(1, 60) n`)
    for (const query of [{}, { email: mia.email }, { event: 'signed_in' }]) {
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const page: StaffLogPage = await read({ ...query, limit: 7, cursor })
        seen.push(...page.items.map(({ id }) => id))
        cursor = page.nextCursor
      } while (cursor)
      expect(seen).toHaveLength(60)
      expect(new Set(seen).size).toBe(60)
    }
  })

  test('skips incomplete entries and those of other services', async () => {
    await record('signed_in', mia)
    const foreign = [{ action: 'login', actor_id: mia.id }, { action: null }, null, {}]
    for (const payload of foreign) {
      await server.database.db
        .insert(auditLogEntries)
        .values({ id: crypto.randomUUID(), payload, createdAt: server.clock.now })
    }
    await server.database.db
      .insert(auditLogEntries)
      .values({ id: crypto.randomUUID(), payload: { action: 'signed_out' }, createdAt: null })
    expect(events(await read())).toEqual(['signed_in'])
  })

  test('uses an index for every filter', async () => {
    await server.database.db.execute(sql`
      insert into auth.audit_log_entries (id, payload, created_at)
      select gen_random_uuid(), jsonb_build_object('action', (array['signed_in','signed_out','password_changed'])[1 + n % 3],
          'user_id', gen_random_uuid()::text, 'email', 'x'),
        timestamptz '2026-01-01T00:00:00Z' + n * interval '1 second' from generate_series(1, 20000) n`)
    await server.database.db.execute(sql`analyze auth.audit_log_entries`)
    const plan = async (condition: string) => {
      const { rows } = (await server.database.db.execute(
        sql.raw(`explain select id from auth.audit_log_entries where created_at is not null and ${condition}
          order by created_at desc nulls last, id desc nulls last limit 51`),
      )) as unknown as { rows: { 'QUERY PLAN': string }[] }
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    }
    const after = `(created_at, id) < ('2026-01-01T02:00:00Z'::timestamptz, '${crypto.randomUUID()}'::uuid)`
    for (const condition of [
      'true',
      after,
      `payload ->> 'user_id' = '${mia.id}'`,
      `payload ->> 'actor_id' = '${mia.id}'`,
      `payload ->> 'email_hash' = 'x'`,
    ]) {
      expect(await plan(condition), condition).not.toContain('Seq Scan')
    }
    expect(await plan(`payload ->> 'action' = 'signed_out' and ${after}`)).not.toMatch(/Seq Scan|Sort/)
  })

  test('is only for admins', async () => {
    expect((await call(server, 'admin-audit-log', {}, mia.token)).status).toBe(403)
    expect((await call(server, 'admin-audit-log')).status).toBe(401)
  })

  test('no query causes a server error', async () => {
    const odd = fc.oneof(fc.string({ unit: 'binary', maxLength: 250 }), fc.jsonValue(), fc.constantFrom('\u0000', '%'))
    const query = fc.record({ email: odd, event: odd, cursor: odd, limit: odd }, { requiredKeys: [] })
    await fc.assert(
      fc.asyncProperty(query, async (asked) => {
        expect([200, 400]).toContain((await call(server, 'admin-audit-log', asked, admin.token)).status)
      }),
      { numRuns: caseCount(20, 60) },
    )
  })
})

describe('the page of one account', () => {
  const page = (id: string, token = admin.token) => call(server, 'admin-user', { userId: id }, token)

  test('shows its data, and no secret', async () => {
    await addFactor(server, mia)
    await addPasskey(server, mia)
    await openOtherSession(server, mia)
    const { status, body } = await page(mia.id)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: mia.id,
      email: mia.email,
      createdAt: '2026-11-21T10:20:30.456Z',
      lastSignInAt: '2026-11-21T10:20:30.456Z',
      emailConfirmed: true,
      isAdmin: false,
      disabled: false,
      factors: ['totp'],
      passkeys: 1,
      sessions: 2,
    })
  })

  test('shows whether the account is disabled or an admin’s', async () => {
    await call(server, 'admin-set-disabled', { userId: mia.id, disabled: true }, admin.token)
    expect((await page(mia.id)).body).toMatchObject({ disabled: true, sessions: 0 })
    expect((await page(admin.id)).body).toMatchObject({ isAdmin: true, disabled: false })
  })

  test('is 404 for an unknown account, and only for admins', async () => {
    expect((await page(crypto.randomUUID())).status).toBe(404)
    expect((await page(mia.id, mia.token)).status).toBe(403)
  })
})
