import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { restoreHold } from '#server/db/restore-hold.ts'
import { backups, issues, mailings, publicationSettings } from '#server/db/schema/index.ts'
import { createLogger } from '#server/http/logger.ts'
import { openJobQueue } from '#server/jobs/jobs.ts'
import type { AdminOverview } from '#shared/contracts/operations/admin-overview.ts'
import type { AdminStatus } from '#shared/contracts/operations/admin-status.ts'
import { addIssue, addMailing } from '#tests/integration/newsletter/sending/support.ts'
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
  expect(waiting).toEqual({ deliveries: 0, jobs: [], nextDrop: null, nextMailing: null })
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
