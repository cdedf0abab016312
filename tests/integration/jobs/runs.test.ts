import { eq, sql } from 'drizzle-orm'
import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { PgBoss } from 'pg-boss'
import { beforeAll, expect, test } from 'vitest'
import { queryRows } from '#server/db/database.ts'
import { createLogger } from '#server/http/logger.ts'
import { openJobQueue } from '#server/jobs/jobs.ts'
import { defineRunKind, type Run, runJobs } from '#server/jobs/runs.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { openTestDatabase } from '#tests/support/open-test-database.ts'

const counts = pgTable('counts', {
  id: uuid('id').primaryKey(),
  status: text('status').notNull(),
  done: integer('done').notNull(),
  total: integer('total').notNull(),
  problem: text('problem'),
})
const database = openForTests(() => openTestDatabase())
const logger = createLogger('silent')
const kind = defineRunKind({ name: 'count', table: counts, openStatuses: ['running'] })

beforeAll(async () => {
  const columns = sql`id uuid primary key, status text not null, done int not null, total int not null, problem text`
  await database.db.execute(sql`create table counts (${columns})`)
})

type Step = Run<typeof counts>['step']

/** Counts one, and ends at the total. */
const countOne: Step = ({ commit }) =>
  commit(async (_tx, { done, total }) => ({ done: done + 1, status: done + 1 === total ? 'finished' : 'running' }))

/** A node that does these steps, until it's stopped. */
async function openNode(step: Step, failed?: Run<typeof counts>['failed']) {
  const queue = await openJobQueue(database, logger)
  const { jobs } = runJobs({ database, logger, enqueue: queue.enqueue }, [{ kind, step, ...(failed && { failed }) }])
  await queue.work(jobs)
  const resume = () => jobs.find(({ name }) => name === 'resume-runs')?.run(null)
  const start = async (total: number, id: string = crypto.randomUUID()) => {
    const row = { id, status: 'running', done: 0, total }
    await database.db.transaction(async (tx) => {
      await tx.insert(counts).values(row).onConflictDoUpdate({ target: counts.id, set: row })
      await queue.enqueue(tx, kind, { id })
    })
    return id
  }
  return { start, resume, stop: () => queue.stop(1_000) }
}

const read = async (id: string) => (await database.db.select().from(counts).where(eq(counts.id, id)))[0]
const jobsOf = (id: string) =>
  queryRows<{ state: string; message: string | null }>(
    database.db,
    sql`select state, output ->> 'message' as message from pgboss.job where singleton_key = ${id} order by created_on`,
  )
const ended = (id: string, status = 'finished') =>
  expect.poll(async () => (await read(id))?.status, { timeout: 20_000, interval: 20 }).toBe(status)

test('a run goes on after its process died, from its last step, and the dead process can’t do a step any more', async () => {
  const isStuck = Promise.withResolvers<void>()
  const wakes = Promise.withResolvers<void>()
  let lateError: unknown
  const dying = await openNode(async (run) => {
    if (run.row.done === 3) {
      isStuck.resolve()
      await wakes.promise
    }
    await countOne(run).catch((error: unknown) => {
      lateError = error
      throw error
    })
  })
  const id = await dying.start(6)
  await isStuck.promise
  expect(await read(id)).toMatchObject({ status: 'running', done: 3, total: 6 })

  // An hour later, the queue looks for nodes that died.
  await database.db.execute(
    sql`update pgboss.job set heartbeat_on = now() - interval '1 hour' where singleton_key = ${id}`,
  )
  const supervisor = new PgBoss({ ...database.queue, supervise: false, schedule: false, monitorIntervalSeconds: 1 })
  await supervisor.start()
  const isGivenUp = async () => {
    await supervisor.supervise()
    return (await jobsOf(id))[0]?.state
  }
  await expect.poll(isGivenUp, { timeout: 20_000, interval: 200 }).toBe('retry')
  await supervisor.stop({ graceful: false })
  await database.db.execute(sql`update pgboss.job set start_after = now() where singleton_key = ${id}`)
  const steps: number[] = []
  const other = await openNode(async (run) => {
    steps.push(run.row.done)
    await countOne(run)
  })
  await ended(id)
  wakes.resolve()
  await expect.poll(() => lateError).toBeDefined()
  expect(steps).toEqual([3, 4, 5])
  expect(await read(id)).toMatchObject({ status: 'finished', done: 6 })
  await other.stop()
  await dying.stop()
})

test('two nodes never work on one run, however often it is queued', async () => {
  let working = 0
  let most = 0
  const steps: number[] = []
  const step: Step = async (run) => {
    working += 1
    most = Math.max(most, working)
    steps.push(run.row.done)
    await database.db.execute(sql`select 1`)
    await countOne(run)
    working -= 1
  }
  const nodes = await Promise.all([openNode(step), openNode(step)])
  const id = await nodes[0].start(10)
  for (const node of nodes) await node.resume()
  await ended(id)
  await expect.poll(() => jobsOf(id)).toEqual([{ state: 'completed', message: null }])
  expect(most).toBe(1)
  expect(steps).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  for (const node of nodes) await node.stop()
})

test('a canceled run stops before its next commit, and one started again at its end goes on', async () => {
  const canceled: string[] = []
  const node = await openNode(async (run) => {
    const { id, done } = run.row
    if (done === 2 && !canceled.includes(id)) {
      canceled.push(id)
      await database.db.update(counts).set({ status: 'canceled' }).where(eq(counts.id, id))
    }
    await countOne(run)
  })
  const id = await node.start(5)
  await ended(id, 'canceled')
  await expect.poll(async () => (await jobsOf(id)).map(({ state }) => state)).toEqual(['completed'])
  expect(await read(id)).toMatchObject({ done: 2 })
  for (let n = 0; n < 10; n += 1) {
    await node.start(3, id)
    await ended(id)
  }
  await node.stop()
})

test('a failed run says why: in its row, or in its job, which is tried again', async () => {
  const fail: Step = () => Promise.reject(new Error('The file has no header'))
  const giving = await openNode(fail, (error) => ({ status: 'failed', problem: (error as Error).message }))
  const id = await giving.start(5)
  await ended(id, 'failed')
  expect(await read(id)).toMatchObject({ problem: 'The file has no header', done: 0 })
  await giving.stop()
  const trying = await openNode(fail)
  const again = await trying.start(5)
  await expect.poll(() => jobsOf(again)).toEqual([{ state: 'retry', message: 'The file has no header' }])
  expect(await read(again)).toMatchObject({ status: 'running' })
  await trying.stop()
})

test('a node that stops hands its run over between two steps, and a run without a job is queued again', async () => {
  const started = Promise.withResolvers<void>()
  const node = await openNode(async (run) => {
    started.resolve()
    await countOne(run)
  })
  const id = await node.start(1_000_000)
  await started.promise
  await node.stop()
  const left = (await read(id))?.done ?? 0
  expect((await jobsOf(id)).map(({ state }) => state)).toEqual(['retry'])
  // As after a restore, which leaves out the queue.
  await database.db.execute(sql`delete from pgboss.job`)
  await database.db
    .update(counts)
    .set({ total: left + 3 })
    .where(eq(counts.id, id))
  const next = await openNode(countOne)
  await next.resume()
  await ended(id)
  expect(await read(id)).toMatchObject({ done: left + 3 })
  await next.stop()
})
