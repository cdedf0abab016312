/**
 * `npm run bench -- admin-list [users]`: response times of the admin's user list and dashboard with a million users on
 * PostgreSQL, on one warm connection: first page, pages at random depth, searches and dashboard totals.
 */
import { sql } from 'drizzle-orm'
import { openPostgres } from '#server/db/open-postgres.ts'
import { queryRows } from '#server/db/query-rows.ts'
import { encodeCursor } from '#server/features/admin/created-at-cursor.ts'
import { listUsers } from '#server/features/admin/list-users.ts'
import { readTotals } from '#server/features/admin/read-totals.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { addManyUsers } from './support/many-users.ts'
import { quantile, round } from './support/statistics.ts'

const users = Number(process.argv[2] ?? 1_000_000)
const repetitions = 200

const postgres = await startPostgres({ durable: true })
const database = await openPostgres(postgres.url)
const { db } = database
try {
  await addManyUsers(postgres.url, users)
  const now = new Date()
  /** A cursor after a random user. */
  const randomCursor = async () => {
    const age = Math.floor(Math.random() * users * 31)
    const [row] = await queryRows<{ id: string; created_at_micros: string }>(
      db,
      sql`select id, (extract(epoch from created_at) * 1000000)::bigint::text as created_at_micros from auth.users
        where created_at <= now() - make_interval(secs => ${age}) order by created_at desc, id desc limit 1`,
    )
    return row ? encodeCursor({ id: row.id, createdAtMicros: row.created_at_micros }) : null
  }
  const cases: [name: string, prepare: () => Promise<() => Promise<unknown>>][] = [
    ['first page', async () => () => listUsers(db, {})],
    [
      'page at random depth',
      async () => {
        const cursor = await randomCursor()
        return () => listUsers(db, { cursor })
      },
    ],
    ['search, prefix of two characters', async () => () => listUsers(db, { search: 'an' })],
    ['search, full address', async () => () => listUsers(db, { search: `.${1 + Math.floor(Math.random() * users)}@` })],
    ['search, part of 1 in 10', async () => () => listUsers(db, { search: 'dmitri' })],
    [
      'search, part of 1 in 997',
      async () => () => listUsers(db, { search: `franchise${Math.floor(Math.random() * 997)}.` }),
    ],
    ['search, no hit', async () => () => listUsers(db, { search: `unknown-${Math.random()}` })],
    ['figures of the dashboard', async () => () => readTotals(db, now)],
  ]
  const rows: Record<string, unknown>[] = []
  for (const [name, prepare] of cases) {
    const times: number[] = []
    for (let turn = -20; turn < repetitions; turn += 1) {
      const run = await prepare()
      const startedAt = performance.now()
      await run()
      if (turn >= 0) times.push(performance.now() - startedAt)
    }
    rows.push({ what: name, 'p50 ms': round(quantile(times, 0.5), 2), 'p95 ms': round(quantile(times, 0.95), 2) })
  }
  console.log(`\n${users} users`)
  console.table(rows)
} finally {
  await database.close()
  await postgres.stop()
}
