/**
 * `npm run bench -- mail-events [events]`: bounce and complaint reports recorded per second on PostgreSQL, compared with
 * the bare driver writing the same rows: events, deliveries and suppressions.
 */
import pg from 'pg'
import { openPostgres } from '#server/db/open-postgres.ts'
import type { DeliveryReport } from '#server/features/publishing/deliverability/delivery-report.ts'
import { recordReports } from '#server/features/publishing/deliverability/record-reports.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { median, round } from './support/statistics.ts'

const events = Number(process.argv[2] ?? 20_000)
const batch = 500
const rounds = 3
const mailingId = crypto.randomUUID()

const postgres = await startPostgres({ durable: true })
const database = await openPostgres(postgres.url)
const client = new pg.Client({ connectionString: postgres.url })
await client.connect()

/** One delivery per report. One in ten is a hard bounce, the others are soft bounces. */
async function prepare() {
  await client.query(
    'truncate deliveries, email_events, suppressions, mailings, mailing_counts, mailing_hours, mailing_links restart identity',
  )
  await client.query(
    `insert into mailings (id, kind, subject, preheader, status, audience, created_at, updated_at)
     values ($1, 'issue', 's', '', 'sending', '{}', now(), now())`,
    [mailingId],
  )
  await client.query(
    `insert into deliveries (mailing_id, user_id, email, domain, reader, status, changed_at)
     select $1, gen_random_uuid(), 'r' || n || '@example.com', 'example.com', '[]', 'submitted', now()
     from generate_series(1, $2::int) n`,
    [mailingId, events],
  )
  await client.query('analyze')
}

const typeOf = (n: number) => (n % 10 === 0 ? 'hard_bounce' : 'soft_bounce')
const inBatches = <Item>(make: (n: number) => Item) =>
  Array.from({ length: Math.ceil(events / batch) }, (_, part) =>
    Array.from({ length: Math.min(batch, events - part * batch) }, (_unused, at) => make(part * batch + at + 1)),
  )

async function ours() {
  const parts = inBatches(
    (n): DeliveryReport => ({
      source: 'generic',
      externalId: `report-${n}`,
      type: typeOf(n),
      deliveryId: String(n),
      email: `r${n}@example.com`,
      subject: null,
      detail: '550 no such user',
      occurredAt: null,
    }),
  )
  for (const part of parts) await recordReports({ database, clock: () => new Date() }, part)
}

/** The same writes without lookups and rules. */
async function baseline() {
  const parts = inBatches((n) => ({ n, type: typeOf(n), email: `r${n}@example.com` }))
  for (const part of parts) {
    const numbers = part.map(({ n }) => n)
    await client.query('begin')
    await client.query(
      `insert into email_events (source, external_id, type, delivery_id, email, detail, occurred_at, received_at)
       select 'generic', 'report-' || n, t, n, e, '550 no such user', now(), now()
       from unnest($1::bigint[], $2::text[], $3::text[]) as r (n, t, e) on conflict do nothing`,
      [numbers, part.map(({ type }) => type), part.map(({ email }) => email)],
    )
    await client.query(
      `update deliveries set bounced_at = now(), bounce_type = case when id % 10 = 0 then 'hard' else 'soft' end
       where id = any($1::bigint[])`,
      [numbers],
    )
    await client.query(
      `insert into suppressions (email, stream, reason, created_at)
       select e, 'all', 'hard_bounce', now() from unnest($1::text[]) e on conflict do nothing`,
      [part.filter(({ type }) => type === 'hard_bounce').map(({ email }) => email)],
    )
    await client.query('commit')
  }
}

try {
  const perSecond: Record<'ours' | 'baseline', number[]> = { ours: [], baseline: [] }
  for (let turn = 0; turn < rounds; turn += 1) {
    for (const [name, run] of [
      ['baseline', baseline],
      ['ours', ours],
    ] as const) {
      await prepare()
      const startedAt = performance.now()
      await run()
      perSecond[name].push((events / (performance.now() - startedAt)) * 1000)
    }
  }
  const [own, bare] = [median(perSecond.ours), median(perSecond.baseline)]
  console.log(`\n${events} reports, ${batch} at a time, median of ${rounds} rounds`)
  console.table([{ 'events/s': round(own), 'bare driver': round(bare), ratio: round(own / bare, 2) }])
} finally {
  await Promise.all([database.close(), client.end()])
  await postgres.stop()
}
