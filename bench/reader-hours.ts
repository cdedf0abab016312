/**
 * `npm run bench -- reader-hours [waiting]`: claims of a mailing on PostgreSQL while no other delivery and many wait for
 * their reader's hour: 60 emails that are due, and nothing that is due. Uses DATABASE_URL, or else a durable temporary one.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { openPostgres } from '#server/db/open-postgres.ts'
import { firstPosition } from '#server/features/publishing/newsletter/sending/claim-batch.ts'
import { recordAndClaim } from '#server/features/publishing/newsletter/sending/record-and-claim.ts'
import { registerSender } from '#server/features/publishing/newsletter/sending/senders.ts'
import { readFigures } from '#server/monitoring/read-figures.ts'
import { addIssue, addMailing, addMembers, sendingDeps } from '#tests/integration/newsletter/sending/support.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { median, round } from './support/statistics.ts'

const waiting = Number(process.argv[2] ?? 1_000_000)
const claims = 21
const emails = 60
const batchSize = 50_000
const now = new Date()

const postgres = process.env.DATABASE_URL ? null : await startPostgres({ durable: true })
const database = await openPostgres(process.env.DATABASE_URL ?? postgres?.url ?? '')
const { db } = database
const deps = sendingDeps(database, null as never, () => now)
const senderId = randomUUID()

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

try {
  await addIssue(database)
  await addMembers(database, claims * emails)
  await registerSender(db, senderId)
  const rows = []
  for (const others of [0, waiting]) {
    await db.execute(sql`truncate deliveries, mailing_counts restart identity cascade`)
    const mailingId = await addMailing(database, {
      status: 'sending',
      readerHours: true,
      preparedAt: now,
      startedAt: now,
    })
    const at = sql`${now.toISOString()}::timestamptz`
    await db.execute(sql`insert into deliveries (mailing_id, issue_id, user_id, email, domain, reader, send_at)
      select ${mailingId}::uuid, 'issue-1', id, email, split_part(email, '@', 2), '{}', ${at} from auth.users`)
    for (let first = 1; first <= others; first += batchSize) {
      const last = Math.min(others, first + batchSize - 1)
      await db.execute(sql`insert into deliveries (mailing_id, issue_id, user_id, email, domain, reader, send_at)
        select ${mailingId}::uuid, 'issue-1', gen_random_uuid(), 'w' || n || '@wait.test', 'wait.test', '{}',
          ${at} + interval '1 hour' * (1 + n * 23 / ${others}::int)
        from generate_series(${first}::bigint, ${last}::bigint) as n`)
    }
    await db.execute(sql`vacuum analyze deliveries`)
    const claim = () =>
      recordAndClaim(deps, {
        ...{ mailingId, senderId, results: [], emails, after: firstPosition, fullDomains: new Set() },
        ...{ checksPauseRules: false, stillHeld: null },
      })
    const due: number[] = []
    for (let round_ = 0; round_ < claims; round_ += 1) {
      due.push(
        await time(async () => {
          const { deliveries } = await claim()
          if (deliveries.length !== emails) throw new Error(`${deliveries.length} emails were claimed`)
        }),
      )
    }
    const idle: number[] = []
    const figures: number[] = []
    for (let round_ = 0; round_ < claims; round_ += 1) {
      idle.push(await time(claim))
      figures.push(await time(() => readFigures(database)))
    }
    rows.push({
      waiting: others,
      [`ms for ${emails} due`]: round(median(due)),
      'ms for none due': round(median(idle)),
      'ms for monitoring': round(median(figures)),
    })
  }
  console.table(rows)
} finally {
  await database.close()
  await postgres?.stop()
}
