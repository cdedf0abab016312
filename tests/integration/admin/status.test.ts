import { randomUUID } from 'node:crypto'
import { eq, isNull, sql } from 'drizzle-orm'
import pg from 'pg'
import { beforeEach, describe, expect, test } from 'vitest'
import { migrationLock } from '#server/db/migration-lock.ts'
import { restoreHold } from '#server/db/restore-hold.ts'
import { backfills, backups, issues, mailings, publicationSettings, senders } from '#server/db/schema/index.ts'
import { registerSender } from '#server/features/publishing/mailings/sending/senders.ts'
import { createLogger } from '#server/http/logger.ts'
import { openJobQueue } from '#server/jobs/jobs.ts'
import { readServerVersion } from '#server/monitoring/server-version.ts'
import type { AdminOverview } from '#shared/contracts/operations/admin-overview.ts'
import type { AdminStatus } from '#shared/contracts/operations/admin-status.ts'
import { addIssue, addMailing } from '#tests/integration/mailings/sending/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(async () => {
  const app = await createTestApp({ env: { BACKUP_DESTINATION: '/var/backups' } })
  const queue = await openJobQueue(app.database, createLogger('silent'))
  await queue.stop(1_000)
  return app
})
const hoursAgo = (hours: number) => new Date(server.clock.now.getTime() - hours * 3_600_000)
let owner: TestUser
let editor: TestUser

beforeEach(async () => {
  await server.database.truncate()
  owner = await buildUser(server, { role: 'owner' })
  editor = await buildUser(server, { role: 'editor' })
  const backup = { id: randomUUID(), name: randomUUID(), destination: '/var/backups', origin: 'schedule' }
  await server.database.db.insert(backups).values({ ...backup, status: 'done', startedAt: hoursAgo(5) })
})

const read = async (who: TestUser = owner) => (await call(server, 'admin-status', {}, who.token)).body as AdminStatus
const readOverview = async () => (await call(server, 'admin-overview', {}, owner.token)).body as AdminOverview

test('says that nothing is wrong, what runs and what waits', async () => {
  const { problems, running, waiting } = await read(editor)
  expect(problems).toEqual([])
  expect(running.every(({ isOk }) => isOk)).toBe(true)
  expect(running.find(({ name }) => name === 'Daily backups')).toMatchObject({ at: hoursAgo(5).toISOString() })
  expect(waiting).toEqual({ deliveries: 0, seriesSteps: 0, jobs: [], nextDrop: null, nextMailing: null })
})

describe('updates', () => {
  const readUpdates = async () => (await read()).running.find(({ name }) => name === 'Updates')

  test('are finished while all servers run one version', async () => {
    await registerSender(server.database.db, randomUUID())
    await registerSender(server.database.db, randomUUID())
    expect(await readUpdates()).toEqual({ name: 'Updates', state: 'Finished', isOk: true, at: null })
  })

  test('name the work that a migration left to the running servers, and say when it stopped', async () => {
    const updatedAt = hoursAgo(0)
    await server.database.db.insert(backfills).values({ name: 'from a later version', handledRows: 12_500, updatedAt })
    expect(await readUpdates()).toMatchObject({
      state: 'Work of a newer version in the background, 12,500 rows so far',
      isOk: true,
    })
    expect((await read()).problems).toEqual([])
    await server.database.db.update(backfills).set({ updatedAt: hoursAgo(1) })
    expect((await read()).problems).toMatchObject([{ kind: 'backfill', since: hoursAgo(1).toISOString() }])
    expect((await readOverview()).problems).toMatchObject([{ kind: 'backfill' }])
  })

  test('that leave a server on an earlier version are a problem after a while', async () => {
    const { db } = server.database
    await db.insert(senders).values({ id: randomUUID(), startedAt: hoursAgo(60), heartbeatAt: sql`now()` })
    await registerSender(db, randomUUID())
    expect(await readUpdates()).toMatchObject({
      state: 'Servers are being updated, and two versions run side by side',
    })
    expect((await read()).problems).toEqual([])
    await db.update(senders).set({ startedAt: hoursAgo(1) })
    expect((await read()).problems).toMatchObject([
      {
        kind: 'versions',
        detail: `1 server runs an earlier version, 1 server runs ${readServerVersion()}. Update the others too.`,
      },
    ])
    // One that died without a word doesn't count.
    await db.update(senders).set({ heartbeatAt: sql`now() - interval '2 minutes'` }).where(isNull(senders.version))
    expect((await read()).problems).toEqual([])
  })

  test.runIf(process.env.DATABASE_URL)('say that another server is migrating the database', async () => {
    const other = new pg.Client({ connectionString: server.database.url })
    await other.connect()
    await other.query('select pg_advisory_lock($1)', [migrationLock])
    expect(await readUpdates()).toMatchObject({ state: 'A server is updating the database', isOk: true })
    await other.end()
    await expect.poll(async () => (await readUpdates())?.state).toBe('Finished')
  })
})

test('emails on hold, a late backup and a missing drop are on both pages', async () => {
  const { db } = server.database
  const restoredAt = hoursAgo(2)
  const value = { backupAt: hoursAgo(60).toISOString(), restoredAt: restoredAt.toISOString() }
  await db.insert(publicationSettings).values({ name: restoreHold, value, updatedAt: restoredAt })
  await db.update(backups).set({ startedAt: hoursAgo(60) })
  await addIssue(server.database)
  const day = hoursAgo(24 * 10)
    .toISOString()
    .slice(0, 10)
  await db.update(issues).set({ date: day, publishedAt: hoursAgo(24 * 10) })
  const { problems, running } = await read()
  expect(problems.map(({ kind }) => kind)).toEqual(['email-hold', 'backup', 'drop'])
  expect(running.find(({ name }) => name === 'Automatic email')).toMatchObject({ isOk: false, state: 'On hold' })
  expect((await readOverview()).problems).toEqual(problems)
})

test('a scheduled mailing is what comes next', async () => {
  await addIssue(server.database)
  const id = await addMailing(server.database)
  const scheduledAt = hoursAgo(-20)
  await server.database.db.update(mailings).set({ status: 'scheduled', scheduledAt }).where(eq(mailings.id, id))
  expect((await read()).waiting.nextMailing).toMatchObject({ id, at: scheduledAt.toISOString() })
})
