import { type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { queryRows } from '#server/db/database.ts'
import { emailPreferences, suppressions, users } from '#server/db/schema/index.ts'
import { eligibilitySql } from '#server/features/publishing/deliverability/eligibility-sql.ts'
import type { MailingKind } from '#shared/contracts/publishing/newsletter.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/open-test-database.ts'

let database: TestDatabase
const now = new Date('2026-03-01T09:00:00Z')

beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(() => database.truncate())
afterAll(() => database.close())

const rowsHere = <Row>(statement: SQL) => queryRows<Row>(database.db, statement)

type Prefs = Partial<Pick<typeof emailPreferences.$inferInsert, 'drops' | 'news' | 'followUps' | 'allowsTracking'>>
type Suppressed = { stream: string; reason: string; liftedAt?: Date }

async function reader(email: string, { prefs, suppressed = [] }: { prefs?: Prefs; suppressed?: Suppressed[] } = {}) {
  const id = crypto.randomUUID()
  await database.db.insert(users).values({ id, email, createdAt: now, updatedAt: now })
  if (prefs) await database.db.insert(emailPreferences).values({ userId: id, ...prefs, updatedAt: now })
  for (const each of suppressed) await database.db.insert(suppressions).values({ email, createdAt: now, ...each })
  return id
}

async function causes(kind: MailingKind) {
  const { joins, cause } = eligibilitySql(kind, { user: sql`u`, email: sql`u.email`, now })
  const rows = await rowsHere<{ email: string; cause: string | null }>(
    sql`select u.email, ${cause} as cause from auth.users u ${joins}`,
  )
  return Object.fromEntries(rows.map((row) => [row.email, row.cause]))
}

test('By default a reader gets everything; each preference and suppression stops its own stream', async () => {
  await reader('plain@x.test')
  await reader('monthly@x.test', { prefs: { drops: 'monthly' } })
  await reader('off@x.test', { prefs: { drops: 'off' } })
  await reader('no-news@x.test', { prefs: { news: false } })
  await reader('no-questions@x.test', { prefs: { followUps: false } })
  await reader('bounced@x.test', { suppressed: [{ stream: 'all', reason: 'hard_bounce' }] })
  await reader('complained@x.test', { suppressed: [{ stream: 'drops', reason: 'complaint' }] })
  await reader('by-hand@x.test', { suppressed: [{ stream: 'news', reason: 'manual' }] })
  await reader('lifted@x.test', { suppressed: [{ stream: 'all', reason: 'soft_bounces', liftedAt: now }] })
  const always = { 'plain@x.test': null, 'lifted@x.test': null, 'bounced@x.test': 'bounced' }
  const issue = {
    ...always,
    'monthly@x.test': 'monthly',
    'off@x.test': 'unsubscribed',
    'no-news@x.test': null,
    'no-questions@x.test': null,
    'complained@x.test': 'complained',
    'by-hand@x.test': null,
  }
  expect(await causes('issue')).toEqual(issue)
  expect(await causes('digest')).toEqual({ ...issue, 'monthly@x.test': null })
  expect(await causes('news')).toEqual({
    ...always,
    'monthly@x.test': null,
    'off@x.test': null,
    'no-news@x.test': 'unsubscribed',
    'no-questions@x.test': null,
    'complained@x.test': null,
    'by-hand@x.test': 'manual',
  })
  expect(await causes('follow-up')).toEqual({
    ...always,
    'monthly@x.test': null,
    'off@x.test': null,
    'no-news@x.test': null,
    'no-questions@x.test': 'unsubscribed',
    'complained@x.test': null,
    'by-hand@x.test': null,
  })
})

test('A reader with several suppressions is one row, with the most important cause', async () => {
  await reader('many@x.test', {
    prefs: { drops: 'off' },
    suppressed: [
      { stream: 'all', reason: 'soft_bounces' },
      { stream: 'drops', reason: 'complaint' },
      { stream: 'news', reason: 'unsubscribed' },
      { stream: 'all', reason: 'hard_bounce', liftedAt: now },
    ],
  })
  const { joins, cause } = eligibilitySql('issue', { user: sql`u`, email: sql`u.email`, now })
  const rows = await rowsHere(sql`select ${cause} as cause from auth.users u ${joins}`)
  expect(rows).toEqual([{ cause: 'bounced' }])
})

test('A disabled, deleted or missing account gets nothing', async () => {
  const disabled = await reader('disabled@x.test')
  const freed = await reader('freed@x.test')
  const deleted = await reader('deleted@x.test')
  await database.db.execute(sql`update auth.users set banned_until = ${'2030-01-01'} where id = ${disabled}`)
  await database.db.execute(sql`update auth.users set banned_until = ${'2026-02-01'} where id = ${freed}`)
  await database.db.execute(sql`update auth.users set deleted_at = now() where id = ${deleted}`)
  expect(await causes('news')).toEqual({
    'disabled@x.test': 'account_gone',
    'freed@x.test': null,
    'deleted@x.test': 'account_gone',
  })
  const { joins, cause } = eligibilitySql('news', { user: sql`u`, email: sql`d.email`, now })
  const rows = await rowsHere(sql`select ${cause} as cause from (values ('gone@x.test')) as d (email)
    left join auth.users u on u.email = d.email ${joins}`)
  expect(rows).toEqual([{ cause: 'account_gone' }])
})

test('Readers of the monthly digest are those who asked for it, and only readers who allow it are tracked', async () => {
  await reader('weekly@x.test')
  await reader('monthly@x.test', { prefs: { drops: 'monthly', allowsTracking: true } })
  const { joins, wantsDigest, allowsTracking } = eligibilitySql('digest', { user: sql`u`, email: sql`u.email`, now })
  const rows = await rowsHere(
    sql`select u.email, ${allowsTracking} as "allowsTracking", ${wantsDigest} as digest from auth.users u ${joins} order by u.email`,
  )
  expect(rows).toEqual([
    { email: 'monthly@x.test', allowsTracking: true, digest: true },
    { email: 'weekly@x.test', allowsTracking: false, digest: false },
  ])
})
