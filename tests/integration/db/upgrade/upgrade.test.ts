import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { call, clientFor } from '#tests/support/client-for.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { countRows, type OldDatabase, openOldDatabase } from './open-old-database.ts'

/** Where the rows of a table of version 0.1.0 are now, if not in a table with the same name. */
const movedTo: Record<string, string[]> = {
  'public.mail_events': ['public.email_events'],
  'public.mail_preferences': ['public.email_preferences'],
  'public.rate_limits': ['public.rate_limits', 'public.leases', 'auth.known_addresses'],
  'public.revenue_figure': ['public.revenue_monthly_total'],
  'public.sending_pace': ['public.throttle_usage'],
  'public.trial_card': ['public.trial_card_usage'],
  'public.trial_had': ['public.trial_usage'],
}

describe('A database of version 0.1.0', () => {
  let old: OldDatabase
  let database: Database
  let afterMigration: Record<string, number>
  let server: TestApp
  beforeAll(async () => {
    old = await openOldDatabase()
    const migrated = await old.open()
    afterMigration = await countRows(on(migrated))
    await migrated.close()
    database = await old.open()
    server = await createTestApp({
      database: { ...database, url: undefined, truncate: () => Promise.reject(new Error('Keep the rows.')) },
      // Its signing keys are encrypted with the secret used when the rows were created.
      secret: 'a secret of the server of the journeys',
    })
    server.clock.now = new Date('2026-11-22T12:00:00Z')
  })
  afterAll(async () => {
    await server?.close()
    await database?.close()
    await old?.remove()
  })

  const on = (target: Database) => async (text: string) =>
    ((await target.db.execute(sql.raw(text))) as { rows: Record<string, unknown>[] }).rows
  const signIn = async (key: string) => {
    const { data, error } = await clientFor(server).auth.signInWithPassword({
      email: `${key}@frontcounter.test`,
      password: 'front-counter',
    })
    expect(error).toBeNull()
    return data.session?.access_token
  }

  test('had rows in every table', () => {
    expect(Object.entries(old.counts).filter(([, rows]) => rows === 0)).toEqual([])
  })

  test('keeps every row, including those of renamed or split tables', async () => {
    const [added] = await on(database)(`select count(*)::int as counts from mailing_counts where name = 'delivered'`)
    const rowsNow = (table: string) =>
      (movedTo[table] ?? [table]).reduce((sum, name) => sum + (afterMigration[name] ?? Number.NaN), 0)
    const kept = Object.keys(old.counts).map((table) => [table, rowsNow(table)])
    // Delivered emails are counted since version 0.4.0.
    const mailingCounts = Number(old.counts['public.mailing_counts']) + Number(added?.counts)
    expect(Object.fromEntries(kept)).toEqual({ ...old.counts, 'public.mailing_counts': mailingCounts })
  })

  test('has the three plans that were constants', async () => {
    expect(
      await on(database)('select key, name, price_cents::int as cents, seats from plan order by position'),
    ).toEqual([
      { key: 'pro_monthly', name: 'Pro Monthly', cents: 1000, seats: 1 },
      { key: 'pro_yearly', name: 'Pro Yearly', cents: 9900, seats: 1 },
      { key: 'team_monthly', name: 'Team Monthly', cents: 2000, seats: 3 },
    ])
  })

  test('records editors by name, not by address', async () => {
    const names = await on(database)(`select updated_by as name from content_document
      union select created_by from content_revision union select created_by from mailings
      union select lifted_by from suppressions union select granted_by from complimentary_access`)
    expect(names.filter(({ name }) => String(name).includes('@'))).toEqual([])
    expect(names).toContainEqual({ name: 'Editor' })
  })

  test('doesn’t change when it is opened again', async () => {
    expect(await countRows(on(database))).toEqual(afterMigration)
  })

  test('lets members sign in and keeps their access', async () => {
    const token = await signIn('pro')
    const { status, body } = await call(server, 'check-subscription', {}, token)
    expect({ status, subscribed: body.subscribed }).toEqual({ status: 200, subscribed: true })
  })

  test('shows its mailings, drops and members to the publisher', async () => {
    const token = await signIn('admin')
    for (const name of ['admin-mailings', 'admin-segments', 'admin-users', 'admin-suppressions', 'admin-audit-log']) {
      const { status, body } = await call(server, name, {}, token)
      expect(status, `${name} ${JSON.stringify(body)}`).toBe(200)
    }
  })
})
