/**
 * `npm run bench -- admin-list [users]`: response times of the admin's user list and overview with a million users on
 * PostgreSQL, on one warm connection: first page, pages at random depth, searches and the parts of the overview, with 2%
 * failed payments, 100,000 suppressions, and a year of mailings.
 */
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { openPostgres } from '#server/db/open-postgres.ts'
import { queryRows } from '#server/db/query-rows.ts'
import { listUsers } from '#server/features/operations/admin/list-users.ts'
import { readTotals } from '#server/features/operations/admin/read-totals.ts'
import { readGrowth, readListHealth, readMoney } from '#server/features/operations/overview/read-figures.ts'
import { readReaders } from '#server/features/operations/overview/read-readers.ts'
import { readStuckMailings, readStuckMembers } from '#server/features/operations/overview/read-stuck.ts'
import { encodeCursor } from '#server/http/cursor.ts'
import { publicationDefaults } from '#shared/publication-defaults.ts'
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
  await addTroubles()
  const now = new Date()
  /** A cursor after a random user. */
  const randomCursor = async () => {
    const age = Math.floor(Math.random() * users * 31)
    const [row] = await queryRows<{ id: string; created_at_micros: string }>(
      db,
      sql`select id, (extract(epoch from created_at) * 1000000)::bigint::text as created_at_micros from auth.users
        where created_at <= now() - make_interval(secs => ${age}) order by created_at desc, id desc limit 1`,
    )
    return row ? encodeCursor([row.created_at_micros, row.id]) : null
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
    ['overview, totals', async () => () => readTotals(db, now)],
    ['overview, stuck members', async () => () => readStuckMembers(db, now)],
    ['overview, stuck mailings', async () => () => readStuckMailings(db, now)],
    ['overview, readers', async () => () => readReaders(db)],
    ['overview, growth', async () => () => readGrowth(db, now)],
    ['overview, list health', async () => () => readListHealth(db, now)],
    ['overview, money', async () => () => readMoney(db, publicationDefaults, now)],
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

/** The problems on the overview: many more than a publisher would leave alone. */
async function addTroubles() {
  const steps = [
    `update subscription_state set status = 'past_due', unpaid_since = now() - random() * interval '7 days'
      where substr(user_id::text, 36, 1) = '7'`,
    `insert into suppressions (email, stream, reason, created_at)
      select 'gone' || n || '@example.test', 'all', (array['hard_bounce', 'complaint', 'manual'])[1 + n % 3],
        now() - n * interval '5 minutes' from generate_series(1, 100000) n`,
    `insert into stripe_event (id, type, created, attempts, last_error, processed_at)
      select 'evt_' || n, 'invoice.paid', now() - n * interval '1 second', 1, case when n % 100 = 0 then 'timeout' end,
        case when n % 100 > 0 then now() end from generate_series(1, 300000) n`,
    `insert into mailings (id, kind, subject, preheader, status, audience, started_at, created_at, updated_at)
      select gen_random_uuid(), case when n % 7 = 0 then 'issue' else 'follow-up' end, 'Mailing ' || n, '', 'sent', '{}',
        now() - n * interval '1 day', now() - n * interval '1 day', now() from generate_series(1, 365) n`,
    `insert into mailing_counts (mailing_id, name, cause, value)
      select id, name, '', 1 + 200000 / (1 + length(name)) from mailings
      cross join unnest(array['submitted', 'unknown', 'suppressed', 'failed', 'hard_bounces', 'soft_bounces', 'complaints',
        'opened', 'clicked', 'bot_opened', 'bot_clicked']) name`,
    `vacuum analyze`,
  ]
  // A connection of its own has no statement timeout.
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  for (const step of steps) await client.query(step)
  await client.end()
}
