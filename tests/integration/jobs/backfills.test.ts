import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { queryRows } from '#server/db/database.ts'
import { backfills } from '#server/db/schema/index.ts'
import { createLogger } from '#server/http/logger.ts'
import { type Backfill, backfillSteps } from '#server/jobs/backfills.ts'
import { openJobQueue } from '#server/jobs/jobs.ts'
import { continueRun, runJobs } from '#server/jobs/runs.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { openTestDatabase } from '#tests/support/open-test-database.ts'

const database = openForTests(() => openTestDatabase())
const logger = createLogger('silent')
const members = 1_200
const batchSize = 100

/** What a migration of 0.4.0 did at once, which kept a million members from signing in for 73 seconds. */
const memberFacts: Backfill = {
  name: 'member-facts',
  title: 'Filling in the members list',
  async batch(tx, cursor) {
    const after = cursor ?? '00000000-0000-0000-0000-000000000000'
    const ids = await queryRows<{ id: string }>(
      tx,
      sql`select id from auth.users where id > ${after}::uuid order by id limit ${batchSize}`,
    )
    const list = ids.map(({ id }) => id)
    await tx.execute(sql`select add_member_facts(array(
      select id from auth.users u where id = any(${`{${list.join()}}`}::uuid[])
        and not exists (select 1 from member_facts f where f.user_id = u.id)))`)
    return { cursor: ids.length < batchSize ? null : (list.at(-1) ?? null), rows: ids.length }
  },
}

beforeEach(async () => {
  await database.truncate()
  await database.db.execute(sql`insert into auth.users (id, aud, role, email, raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
    select gen_random_uuid(), 'authenticated', 'authenticated', 'm' || n || '@example.test', '{}', '{}', now(), now()
    from generate_series(1, ${members}::int) n`)
  await database.db.execute(sql`delete from member_facts`)
})

/** As the end of a migration does. */
const ask = () => database.db.execute(sql`insert into backfills (name) values ('member-facts')`)
const read = async () => (await database.db.select().from(backfills))[0]
const countFacts = async () =>
  (await queryRows<{ count: number }>(database.db, sql`select count(*)::int as count from member_facts`))[0]?.count

async function openNode(known: readonly Backfill[]) {
  const queue = await openJobQueue(database, logger)
  const { jobs } = runJobs({ database, logger, enqueue: queue.enqueue }, [backfillSteps(known)])
  await queue.work(jobs)
  return {
    resume: () => jobs.find(({ name }) => name === 'resume-runs')?.run(null),
    stop: () => queue.stop(5_000),
  }
}

/** As the job of a server does. */
async function goOn(...known: Backfill[]) {
  const enqueue = async () => {}
  const { id } = (await read()) ?? { id: '' }
  await continueRun({ database, logger, enqueue }, backfillSteps(known), id)
}

test('a backfill runs in batches behind the server, and another server goes on with it', {
  timeout: 60_000,
}, async () => {
  await ask()
  const reached = Promise.withResolvers<void>()
  let batches = 0
  const first = await openNode([
    {
      ...memberFacts,
      async batch(tx, cursor) {
        batches += 1
        if (batches === 4) reached.resolve()
        return memberFacts.batch(tx, cursor)
      },
    },
  ])
  await first.resume()
  await reached.promise
  // Requests wait for one batch at most: nothing is locked between two of them.
  await database.db.execute(sql`update auth.users set updated_at = now()`)
  await first.stop()
  const handled = (await read())?.handledRows ?? 0
  expect(handled).toBeGreaterThanOrEqual(3 * batchSize)
  expect(handled).toBeLessThan(members)
  expect(await countFacts()).toBeGreaterThanOrEqual(handled)

  await goOn(memberFacts)
  expect(await countFacts()).toBe(members)
  expect(await read()).toMatchObject({ status: 'done', handledRows: members })
})

test('a server that doesn’t know it leaves it to those that do', async () => {
  await ask()
  await goOn()
  expect(await read()).toMatchObject({ status: 'open', handledRows: 0 })
  await goOn(memberFacts)
  expect(await read()).toMatchObject({ status: 'done', handledRows: members })
})

test('a batch that fails keeps what earlier ones did, and the backfill stays open', async () => {
  await ask()
  let batches = 0
  const failing: Backfill = {
    ...memberFacts,
    async batch(tx, cursor) {
      const result = await memberFacts.batch(tx, cursor)
      batches += 1
      if (batches === 3) throw new Error('the connection broke')
      return result
    },
  }
  await expect(goOn(failing)).rejects.toThrow('the connection broke')
  expect(await read()).toMatchObject({ status: 'open', handledRows: 2 * batchSize })
  expect(await countFacts()).toBe(2 * batchSize)
  await goOn(failing)
  expect(await countFacts()).toBe(members)
  expect(await read()).toMatchObject({ status: 'done', handledRows: members })
})
