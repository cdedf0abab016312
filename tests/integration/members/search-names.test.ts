import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { type Database, queryRows } from '#server/db/database.ts'
import { openPostgres } from '#server/db/open-postgres.ts'
import { users } from '#server/db/schema/index.ts'
import { memberFilterSql } from '#server/features/publishing/segments/filter-sql.ts'
import { foldName } from '#shared/domain/fold-name.ts'
import { memberFilterSchema } from '#shared/domain/member-filter.ts'
import { onServer } from '#tests/support/on-server.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { openTestDatabase } from '#tests/support/open-test-database.ts'

const database = openForTests(openTestDatabase)

/** Letters of scripts that have cases; the newest characters are unknown to older databases. */
const letters = Array.from({ length: 0x3000 - 1 }, (_, index) => String.fromCodePoint(index + 1)).filter((character) =>
  /\p{L}/u.test(character),
)
const names = [
  'İlker Işık',
  'ΝΙΚΟΣ',
  'Νίκος',
  'Isabel',
  'Ørjan Ægir',
  'Łukasz',
  'Đặng',
  'ГЕОРГИЙ',
  'Straße',
  'Zoë',
  'ﬁ',
]

test('the database folds names as search terms are folded', async () => {
  const given = [...letters, ...names]
  const rows = await queryRows<{ folded: string }>(
    database.db,
    sql`select fold_name(name) as folded from unnest(${sql.param(given)}::text[]) with ordinality as given (name, at) order by at`,
  )
  const different = given.filter((name, index) => rows[index]?.folded !== foldName(name))
  expect(different).toEqual([])
})

const pairs = [
  ['İlker', 'ilker'],
  ['İlker', 'İLKER'],
  ['ΝΙΚΟΣ', 'Νίκος'],
  ['Isabel', 'ISABEL'],
  ['Đặng', 'đang'],
] as const

/** Creates members and returns the pairs whose name isn't found. */
async function missing({ db }: Database) {
  const missed: string[] = []
  const now = new Date()
  for (const [index, [name, term]] of pairs.entries()) {
    const email = `member-${index}@example.test`
    const id = randomUUID()
    await db.insert(users).values({ id, email, rawUserMetaData: { full_name: name }, createdAt: now, updatedAt: now })
    const filter = memberFilterSchema.parse({ search: term })
    const { where } = memberFilterSql(readConfig({ NODE_ENV: 'test' }), filter, now)
    const found = await queryRows<{ id: string }>(db, sql`select user_id as id from member_facts f where ${where}`)
    if (!found.some((row) => row.id === id)) missed.push(term)
  }
  return missed
}

test('members are found by names in any alphabet and case', async () => {
  expect(await missing(database)).toEqual([])
})

const server = process.env.DATABASE_URL

test.runIf(server)('and on a database whose locale is Turkish', async () => {
  const url = new URL(server ?? '')
  url.pathname = `/turkish_${randomBytes(6).toString('hex')}`
  const name = url.pathname.slice(1)
  await onServer(
    server ?? '',
    `create database ${name} encoding 'UTF8' locale_provider icu icu_locale 'tr-TR' lc_collate 'C' lc_ctype 'C' template template0`,
  )
  const turkish = await openPostgres(url.href)
  try {
    expect(await queryRows(turkish.db, sql`select lower('I') as lowered`)).toEqual([{ lowered: 'ı' }])
    expect(await missing(turkish)).toEqual([])
  } finally {
    await turkish.close()
    await onServer(server ?? '', `drop database ${name} with (force)`)
  }
})
