import { type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { queryRows } from '#server/db/query-rows.ts'
import { emailPreferences, suppressions, users } from '#server/db/schema/index.ts'
import { receivable } from '#server/features/deliverability/receivable.ts'
import type { MailingKind } from '#shared/contracts/newsletter.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/open-test-database.ts'

let database: TestDatabase
const now = new Date('2026-03-01T09:00:00Z')

beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(() => database.truncate())
afterAll(() => database.close())

const rowsHere = <Row>(statement: SQL) => queryRows<Row>(database.db, statement)

type Wish = Partial<Pick<typeof emailPreferences.$inferInsert, 'drops' | 'news' | 'allowsTracking'>>
type Shut = { stream: string; reason: string; liftedAt?: Date }

async function reader(email: string, { wish, shut = [] }: { wish?: Wish; shut?: Shut[] } = {}) {
  const id = crypto.randomUUID()
  await database.db.insert(users).values({ id, email, createdAt: now, updatedAt: now })
  if (wish) await database.db.insert(emailPreferences).values({ userId: id, ...wish, updatedAt: now })
  for (const each of shut) await database.db.insert(suppressions).values({ email, createdAt: now, ...each })
  return id
}

async function causes(kind: MailingKind) {
  const { joins, cause } = receivable(kind, { user: sql`u`, email: sql`u.email`, now })
  const rows = await rowsHere<{ email: string; cause: string | null }>(
    sql`select u.email, ${cause} as cause from auth.users u ${joins}`,
  )
  return Object.fromEntries(rows.map((row) => [row.email, row.cause]))
}

test('Who has said nothing gets everything; each wish and each suppression stops its own stream', async () => {
  await reader('plain@x.test')
  await reader('monthly@x.test', { wish: { drops: 'monthly' } })
  await reader('off@x.test', { wish: { drops: 'off' } })
  await reader('no-news@x.test', { wish: { news: false } })
  await reader('bounced@x.test', { shut: [{ stream: 'all', reason: 'hard_bounce' }] })
  await reader('complained@x.test', { shut: [{ stream: 'drops', reason: 'complaint' }] })
  await reader('by-hand@x.test', { shut: [{ stream: 'news', reason: 'manual' }] })
  await reader('lifted@x.test', { shut: [{ stream: 'all', reason: 'soft_bounces', liftedAt: now }] })
  const always = { 'plain@x.test': null, 'lifted@x.test': null, 'bounced@x.test': 'bounced' }
  const issue = {
    ...always,
    'monthly@x.test': 'monthly',
    'off@x.test': 'unsubscribed',
    'no-news@x.test': null,
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
    'complained@x.test': null,
    'by-hand@x.test': 'manual',
  })
})

test('A reader is one row however many suppressions they have, and the weightiest is told', async () => {
  await reader('many@x.test', {
    wish: { drops: 'off' },
    shut: [
      { stream: 'all', reason: 'soft_bounces' },
      { stream: 'drops', reason: 'complaint' },
      { stream: 'news', reason: 'unsubscribed' },
      { stream: 'all', reason: 'hard_bounce', liftedAt: now },
    ],
  })
  const { joins, cause } = receivable('issue', { user: sql`u`, email: sql`u.email`, now })
  const rows = await rowsHere(sql`select ${cause} as cause from auth.users u ${joins}`)
  expect(rows).toEqual([{ cause: 'bounced' }])
})

test('An account that is disabled, deleted or not there any more gets nothing', async () => {
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
  const { joins, cause } = receivable('news', { user: sql`u`, email: sql`d.email`, now })
  const rows = await rowsHere(sql`select ${cause} as cause from (values ('gone@x.test')) as d (email)
    left join auth.users u on u.email = d.email ${joins}`)
  expect(rows).toEqual([{ cause: 'account_gone' }])
})

test('Readers of the monthly digest are those who asked for it, and only readers who allow it are tracked', async () => {
  await reader('weekly@x.test')
  await reader('monthly@x.test', { wish: { drops: 'monthly', allowsTracking: true } })
  const { joins, wantsDigest, allowsTracking } = receivable('digest', { user: sql`u`, email: sql`u.email`, now })
  const rows = await rowsHere(
    sql`select u.email, ${allowsTracking} as "allowsTracking", ${wantsDigest} as digest from auth.users u ${joins} order by u.email`,
  )
  expect(rows).toEqual([
    { email: 'monthly@x.test', allowsTracking: true, digest: true },
    { email: 'weekly@x.test', allowsTracking: false, digest: false },
  ])
})
