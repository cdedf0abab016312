/**
 * `npm run bench -- series [members]`: one minute's work for 1,000 due steps of a series on PostgreSQL, while few and many
 * members wait in it. Each due member gets an email, a delivery, and waits again. The ratio is to the smallest number.
 */
import { type SQL, sql } from 'drizzle-orm'
import { readConfig } from '#server/config/config.ts'
import { openPostgres } from '#server/db/open-postgres.ts'
import { series } from '#server/db/schema/index.ts'
import { enterByEvents, enterByTime } from '#server/features/operations/series/enter-series.ts'
import { runDueSteps } from '#server/features/operations/series/run-due-steps.ts'
import { createLogger } from '#server/http/logger.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { median, round } from './support/statistics.ts'

const members = Number(process.argv[2] ?? 1_000_000)
const due = 1_000
const runs = 5
const sizes = [members / 100, members / 10, members].map((size) => Math.max(due * runs, Math.round(size)))
const id = '00000000-0000-4000-8000-000000000001'
const steps = [
  { kind: 'email', id: '00000000-0000-4000-8000-000000000002', subject: 'Hello', preheader: '', body: 'Hello.' },
  { kind: 'wait', id: '00000000-0000-4000-8000-000000000003', amount: 30, unit: 'days' },
  { kind: 'email', id: '00000000-0000-4000-8000-000000000004', subject: 'Again', preheader: '', body: 'Again.' },
  { kind: 'wait', id: '00000000-0000-4000-8000-000000000005', amount: 30, unit: 'days' },
]

const postgres = await startPostgres({ durable: true })
const database = await openPostgres(postgres.url, { queryTimeoutMs: 600_000 })
const { db } = database
const now = new Date()
const config = readConfig({ NODE_ENV: 'test' })
const deps = { config, database, clock: () => now, logger: createLogger('silent') }
const at = sql`${now.toISOString()}::timestamptz`

/** Prepares rows without triggers: the filters of the members list aren't measured here. */
const prepare = (statement: SQL) =>
  db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.execute(statement)
  })

try {
  await prepare(sql`insert into auth.users (id, email, email_confirmed_at, created_at, updated_at)
      select gen_random_uuid(), 'r' || n || '@franchise' || n % 997 || '.test', now(), now(), now()
      from generate_series(1, ${members}::int) as n`)
  const dates = { turnedOnAt: now, createdAt: now, updatedAt: now }
  await db.insert(series).values({ id, name: 'Welcome', status: 'on', trigger: { kind: 'tried' }, steps, ...dates })
  const rows: { waiting: number; 'ms for 1,000 due': number; slowest: number; ratio: number }[] = []
  for (const waiting of sizes) {
    await db.execute(
      sql`truncate series_entry, series_step_result, deliveries, mailing_counts restart identity cascade`,
    )
    await prepare(sql`insert into series_entry (series_id, user_id, entered_at, step_id, due_at)
      select ${id}::uuid, id, ${at}, ${steps[1]?.id}::uuid, ${at} + interval '1 day' + n * interval '1 second'
      from (select id, row_number() over (order by id) as n from auth.users limit ${waiting}) as u`)
    // As autovacuum does after so many new rows.
    await db.execute(sql`vacuum analyze series_entry`)
    const times: number[] = []
    for (let run = 0; run < runs; run += 1) {
      await db.execute(sql`update series_entry set due_at = ${at} where id in (
        select id from series_entry where step_id = ${steps[1]?.id}::uuid and due_at > ${at} order by due_at limit ${due})`)
      const startedAt = performance.now()
      await enterByEvents(deps)
      await enterByTime(deps)
      const { moved } = await runDueSteps(deps)
      times.push(performance.now() - startedAt)
      if (moved !== due) throw new Error(`${moved} members were moved`)
    }
    const ms = round(median(times))
    const ratio = round(ms / (rows[0]?.['ms for 1,000 due'] ?? ms), 2)
    rows.push({ waiting, 'ms for 1,000 due': ms, slowest: round(Math.max(...times)), ratio })
  }
  console.table(rows)
} finally {
  await database.close()
  await postgres.stop()
}
