import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { queryRows } from '#server/db/database.ts'
import { createLogger } from '#server/http/logger.ts'
import { defineJob, openJobQueue, openJobSender } from '#server/jobs/jobs.ts'
import { openTestDatabase } from '#tests/support/open-test-database.ts'

test('the queue listens for jobs and starts one within a second', async () => {
  const database = await openTestDatabase()
  const logged: string[] = []
  const queue = await openJobQueue(database, createLogger('warn', { write: (line) => void logged.push(line) }))
  let startedAt = 0
  const job = defineJob({
    name: 'started-at-once',
    payload: z.object({}),
    retryLimit: 0,
    run: async () => {
      startedAt = performance.now()
    },
  })
  const run = async () => {
    const enqueuedAt = performance.now()
    await database.db.transaction((tx) => queue.enqueue(tx, job, {}))
    await expect.poll(() => startedAt, { timeout: 60_000, interval: 10 }).toBeGreaterThan(enqueuedAt)
    return startedAt - enqueuedAt
  }
  const unfinished = () =>
    queryRows(database.db, sql`select id from pgboss.job where name = ${job.name} and state <> 'completed'`)
  try {
    await queue.work([job])
    await run()
    // After each job the worker looks for another one. From then on, only a notification wakes it before it polls. One of a few
    // jobs starts in time on a busy machine, too; without notifications none does.
    const times: number[] = []
    while (times.length < 5 && !times.some((time) => time < 1_000)) {
      await expect.poll(unfinished).toEqual([])
      times.push(await run())
    }
    expect(Math.min(...times)).toBeLessThan(1_000)
    expect(logged).toEqual([])
  } finally {
    await queue.stop(1_000)
    await database.close()
  }
})

test('jobs enqueued by one transaction run one after another, without a pause', async () => {
  const database = await openTestDatabase()
  const queue = await openJobQueue(database, createLogger('silent'))
  const done: number[] = []
  const count = defineJob({
    name: 'count-for-the-test',
    payload: z.object({ number: z.number() }),
    retryLimit: 0,
    run: async ({ number }) => {
      done.push(number)
      if (number === 1) throw new Error('a failing job')
    },
  })
  try {
    await queue.work([count])
    await database.db.transaction(async (tx) => {
      for (const number of [0, 1, 2, 3]) await queue.enqueue(tx, count, { number })
    })
    // A worker that isn't woken polls every five seconds, or every 30 if it listens, so four jobs would take 15.
    await expect.poll(() => done.toSorted(), { timeout: 12_000, interval: 20 }).toEqual([0, 1, 2, 3])
  } finally {
    await queue.stop(1_000)
    await database.close()
  }
})

test('several jobs enqueued at once each run, except those whose key is queued already', async () => {
  const database = await openTestDatabase()
  const queue = await openJobQueue(database, createLogger('silent'))
  const done: string[] = []
  const job = defineJob({
    name: 'enqueued-at-once',
    payload: z.object({ key: z.string(), text: z.string() }),
    retryLimit: 0,
    keyOf: ({ key }) => key,
    run: async ({ text }) => void done.push(text),
  })
  try {
    await queue.work([job])
    const payloads = ['a', 'b', 'c', 'b'].map((key, index) => ({ key, text: `${key}${index}` }))
    await database.db.transaction((tx) => queue.enqueue(tx, job, ...payloads))
    await expect.poll(() => done.toSorted(), { timeout: 9_000, interval: 20 }).toEqual(['a0', 'b1', 'c2'])
  } finally {
    await queue.stop(1_000)
    await database.close()
  }
})

test('jobs of a queue with several at a time run side by side, and only the one that fails runs again', async () => {
  const database = await openTestDatabase()
  const queue = await openJobQueue(database, createLogger('silent'))
  const allStarted = Promise.withResolvers<void>()
  const runs = new Map<number, number>()
  const job = defineJob({
    name: 'side-by-side',
    payload: z.object({ number: z.number() }),
    retryLimit: 1,
    parallel: 3,
    run: async ({ number }) => {
      runs.set(number, (runs.get(number) ?? 0) + 1)
      if (runs.size === 3) allStarted.resolve()
      await allStarted.promise
      if (number === 1 && runs.get(1) === 1) throw new Error('fails once')
    },
  })
  try {
    await queue.work([job])
    await database.db.transaction(async (tx) => {
      for (const number of [0, 1, 2]) await queue.enqueue(tx, job, { number })
    })
    await expect.poll(() => Object.fromEntries(runs), { timeout: 60_000 }).toEqual({ 0: 1, 1: 2, 2: 1 })
  } finally {
    await queue.stop(1_000)
    await database.close()
  }
})

test('a job of a later version is retried as often, and may take as long, as that version says', async () => {
  const database = await openTestDatabase()
  const logger = createLogger('silent')
  const job = { name: 'with-new-settings', payload: z.object({ number: z.number() }) }
  const settingsOf = (number: number) =>
    queryRows(
      database.db,
      sql`select retry_limit::int as "retryLimit", expire_seconds::int as "maxSeconds"
        from pgboss.job where name = ${job.name} and data ->> 'number' = ${`${number}`}`,
    )
  const versions = [
    { retryLimit: 1 },
    { retryLimit: 7 },
    { retryLimit: 0 },
    { retryLimit: 0, maxSeconds: 60 },
    { retryLimit: 0, maxSeconds: 3_600 },
    { retryLimit: 0 },
  ]
  try {
    for (const [number, settings] of versions.entries()) {
      const sender = await openJobSender(database, logger, [{ name: job.name, ...settings }])
      await database.db.transaction((tx) => sender.enqueue(tx, job, { number }))
      await sender.stop()
      expect(await settingsOf(number)).toEqual([{ maxSeconds: 900, ...settings }])
    }
  } finally {
    await database.close()
  }
})

test('jobs queued under the former name of a job are run, and its former schedule is removed', async () => {
  const database = await openTestDatabase()
  const logger = createLogger('silent')
  const payload = z.object({ number: z.number() })
  const former = defineJob({ name: 'former-name', payload, retryLimit: 0, run: async () => undefined })
  const done: number[] = []
  const renamed = defineJob({
    name: 'present-name',
    formerNames: [former.name],
    payload,
    retryLimit: 0,
    run: async ({ number }) => void done.push(number),
  })
  try {
    const earlier = await openJobQueue(database, logger)
    await earlier.work([former], [{ job: former.name, cron: '0 0 1 1 *' }])
    await earlier.stop(1_000)
    const oldNode = await openJobSender(database, logger, [former])
    const send = (number: number) => database.db.transaction((tx) => oldNode.enqueue(tx, former, { number }))
    await send(1)
    const queue = await openJobQueue(database, logger)
    await queue.work([renamed])
    await send(2)
    await database.db.transaction((tx) => queue.enqueue(tx, renamed, { number: 3 }))
    await expect.poll(() => done.toSorted(), { timeout: 20_000 }).toEqual([1, 2, 3])
    expect(await queryRows(database.db, sql`select name from pgboss.schedule`)).toEqual([])
    await queue.stop(1_000)
    await oldNode.stop()
  } finally {
    await database.close()
  }
})
