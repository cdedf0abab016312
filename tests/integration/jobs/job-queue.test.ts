import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createLogger } from '#server/http/logger.ts'
import { defineJob, openJobQueue, openJobSender } from '#server/jobs/jobs.ts'
import { openTestDatabase } from '#tests/support/open-test-database.ts'

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
    // Polling alone, every five seconds, would take at least fifteen.
    await expect.poll(() => done.toSorted(), { timeout: 9_000 }).toEqual([0, 1, 2, 3])
  } finally {
    await queue.stop(1_000)
    await database.close()
  }
})

test('a job of a later version is retried as often as that version says', async () => {
  const database = await openTestDatabase()
  const logger = createLogger('silent')
  const job = { name: 'tried-more-often', payload: z.object({ number: z.number() }) }
  const retriesOf = async (number: number) => {
    const answer = await database.db.execute(sql`
      select retry_limit::int as retries from pgboss.job where name = ${job.name} and data ->> 'number' = ${`${number}`}`)
    return (answer as unknown as { rows: { retries: number }[] }).rows.map(({ retries }) => retries)
  }
  try {
    for (const [number, retryLimit] of [1, 7, 0].entries()) {
      const sender = await openJobSender(database, logger, [{ name: job.name, retryLimit }])
      await database.db.transaction((tx) => sender.enqueue(tx, job, { number }))
      await sender.stop()
      expect(await retriesOf(number)).toEqual([retryLimit])
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
    formerName: former.name,
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
    const schedules = await database.db.execute(sql`select name from pgboss.schedule`)
    expect((schedules as unknown as { rows: unknown[] }).rows).toEqual([])
    await queue.stop(1_000)
    await oldNode.stop()
  } finally {
    await database.close()
  }
})
