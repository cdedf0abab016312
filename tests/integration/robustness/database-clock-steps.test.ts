import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { queryRows } from '#server/db/database.ts'
import { leases } from '#server/db/schema/index.ts'
import { tryLease, withLease } from '#server/features/billing/subscriptions/sync/lease.ts'
import { expireStaleSenders, registerSender } from '#server/features/publishing/mailings/sending/senders.ts'
import { createLogger } from '#server/http/logger.ts'
import { defineJob, openJobQueue } from '#server/jobs/jobs.ts'
import { catchUpQueueClock } from '#server/jobs/queue-clock.ts'
import { minuteMs } from '#shared/domain/durations.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { openTestDatabase } from '#tests/support/open-test-database.ts'

const database = openForTests(() => openTestDatabase())
const logger = createLogger('silent')
const run = (statement: string) => database.db.execute(sql.raw(statement))
const select = <Row>(statement: string) => queryRows<Row>(database.db, sql.raw(statement))

/** Only the queue reads the clock through a function, which a test can replace. */
const setQueueClock = (hours: number) =>
  run(`create or replace function pgboss.job_now() returns timestamptz language sql stable
    as $$ select now() + interval '${hours} hours' $$`)

/** Other times are moved instead, the other way. */
const setBackForSenders = () => run(`update senders set heartbeat_at = heartbeat_at + interval '1 hour'`)

let name = ''
beforeEach(async () => {
  name = `clock-${randomUUID()}`
  await database.truncate()
})

/** A server that runs a schedule, until the test ends it. */
async function startServer({ cron = '* * * * *', name: jobName = name } = {}) {
  const ran: string[] = []
  const job = defineJob({
    name: jobName,
    payload: z.unknown(),
    retryLimit: 3,
    maxRetrySeconds: 300,
    run: async (payload) => void ran.push(payload === null ? 'schedule' : String(payload)),
  })
  const queue = await openJobQueue(database, logger)
  let isOver = false
  const stop = async () => {
    if (!isOver) await queue.stop(1_000)
    isOver = true
  }
  onTestFinished(stop)
  await queue.work([job], [{ job: jobName, cron }])
  return { ran, stop }
}

async function expectScheduleToRun() {
  const { ran, stop } = await startServer()
  await expect.poll(() => ran, { timeout: 25_000 }).toContain('schedule')
  await stop()
}

test('schedules go on after the clock was set back, also in minutes that they ran for already', {
  timeout: 90_000,
}, async () => {
  await (await startServer()).stop()
  onTestFinished(async () => void (await setQueueClock(0)))
  await setQueueClock(1)
  await expectScheduleToRun()
  await setQueueClock(0)
  await expectScheduleToRun()
  // The minute that the first server's job was made for, once more.
  await setQueueClock(1)
  await expectScheduleToRun()
})

test('a daily schedule whose time the clock jumps over runs once; an hourly one waits for its next time', {
  timeout: 60_000,
}, async () => {
  onTestFinished(async () => void (await setQueueClock(0)))
  const soon = new Date(Date.now() + 30 * minuteMs)
  const daily = { cron: `${soon.getUTCMinutes()} ${soon.getUTCHours()} * * *` }
  const hourly = { name: `${name}-hourly`, cron: `${soon.getUTCMinutes()} * * * *` }
  const before = [await startServer(daily), await startServer(hourly)]
  await expect.poll(() => select('select 1 as one from pgboss.version where cron_on is not null')).toHaveLength(1)
  for (const { stop } of before) await stop()
  await setQueueClock(1)
  const [ofDay, ofHour] = [await startServer(daily), await startServer(hourly)]
  await expect.poll(() => ofDay.ran, { timeout: 15_000 }).toEqual(['schedule'])
  expect(ofHour.ran).toEqual([])
})

test('a job that waits, and one of a node that died, are run within their usual time', {
  timeout: 60_000,
}, async () => {
  await (await startServer()).stop()
  const [waiting, retried, active] = [randomUUID(), randomUUID(), randomUUID()]
  const ahead = `now() + interval '1 hour'`
  await run(`insert into pgboss.job (id, name, data, state, retry_limit, retry_delay, retry_delay_max, retry_count,
      start_after, created_on, started_on, heartbeat_on, heartbeat_seconds, policy) values
    ('${waiting}', '${name}', '"waiting"', 'created', 3, 5, null, 0, ${ahead}, ${ahead}, null, null, null, 'standard'),
    ('${retried}', '${name}', '"retried"', 'retry', 3, 5, 300, 1, ${ahead}, ${ahead}, ${ahead}, null, null, 'standard'),
    ('${active}', '${name}', '"active"', 'active', 3, 5, 300, 0, now(), now(), ${ahead}, ${ahead}, 60, 'standard')`)
  await run(`update pgboss.version set cron_on = ${ahead}`)
  await run(`update pgboss.queue set monitor_claim_on = ${ahead}, monitor_on = ${ahead}, maintain_on = ${ahead}`)
  expect(await catchUpQueueClock(database.db)).toBe(true)
  expect(await catchUpQueueClock(database.db)).toBe(false)
  expect(
    await select(`select data, start_after <= now() + interval '20 seconds' as starts, started_on <= now() as started,
      heartbeat_on <= now() as heard from pgboss.job where id in ('${waiting}', '${retried}', '${active}') order by 1`),
  ).toEqual([
    { data: 'active', starts: true, started: true, heard: true },
    { data: 'retried', starts: true, started: false, heard: null },
    { data: 'waiting', starts: true, started: null, heard: null },
  ])
  expect(await select(`select name from pgboss.queue where monitor_claim_on > now() or maintain_on > now()`)).toEqual(
    [],
  )
  const { ran } = await startServer()
  await expect.poll(() => ran, { timeout: 15_000 }).toContain('waiting')
})

const deps = () => ({ database, logger })
const expireLease = (interval: string) => run(`update leases set expires_at = expires_at + interval '${interval}'`)
const leftBehind = () =>
  database.db.insert(leases).values({ name, token: 1, expiresAt: sql`now() + interval '30 seconds'` })

test('a lease of a process that died ends on time after the clock was set back', async () => {
  await leftBehind()
  await expireLease('1 hour')
  expect(await tryLease(deps(), name, async () => 'ran')).toBeNull()
  expect(await select(`select expires_at <= now() + interval '30 seconds' as soon from leases`)).toEqual([
    { soon: true },
  ])
  await expireLease('-31 seconds')
  expect(await tryLease(deps(), name, async () => 'ran')).toBe('ran')
})

test('a lease stays with its holder when the clock is set back', async () => {
  const result = await withLease(deps(), name, async () => {
    await expireLease('1 hour')
    return tryLease(deps(), name, async () => 'ran beside it')
  })
  expect(result).toBeNull()
  expect(await select('select name from leases')).toEqual([])
})

const staleAfterMs = 60_000
const look = (own: string, before?: Awaited<ReturnType<typeof expireStaleSenders>>) =>
  expireStaleSenders({ database, clock: () => new Date() }, { own, staleAfterMs, alone: false, before })
const senderIds = async () => (await select<{ id: string }>('select id::text from senders')).map(({ id }) => id).sort()

test('a sender that died just before the clock was set back expires on time', async () => {
  const [own, dead] = [randomUUID(), randomUUID()]
  await registerSender(database.db, own)
  await registerSender(database.db, dead)
  await setBackForSenders()
  const first = await look(own)
  expect(await select('select id from senders where heartbeat_at > now()')).toEqual([])
  await run(`update senders set heartbeat_at = heartbeat_at - interval '61 seconds' where id = '${dead}'`)
  const second = await look(own, first)
  expect(await senderIds()).toEqual([own, dead].sort())
  await look(own, second)
  expect(await senderIds()).toEqual([own])
})

test('senders that go on after the clock was set forward keep their deliveries', async () => {
  const [own, alive, dead] = [randomUUID(), randomUUID(), randomUUID()]
  for (const id of [own, alive, dead]) await registerSender(database.db, id)
  await run(`update senders set heartbeat_at = heartbeat_at - interval '1 hour'`)
  const seen = await look(own)
  expect(await senderIds()).toEqual([own, alive, dead].sort())
  await run(`update senders set heartbeat_at = now() where id = '${alive}'`)
  await look(own, seen)
  expect(await senderIds()).toEqual([own, alive].sort())
})
