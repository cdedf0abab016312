import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { queryRows } from '#server/db/database.ts'
import { userRoles, users } from '#server/db/schema/index.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { dyingAfter, Killed, scattered } from '#tests/support/dying-database.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { check, defaultOptions, run, runImport, storedMembers, upload } from './support.ts'

/** Random moments; every statement and every commit of a run is one. `IMPORT_KILLS=all` tries each. */
const kills = process.env.IMPORT_KILLS === 'all' ? Number.POSITIVE_INFINITY : caseCount(6, 20, 'IMPORT_KILLS')
const batchSize = 4

const server = openForTests(() => createTestApp())
let admin: TestUser
beforeAll(async () => {
  admin = await buildUser(server, { admin: true, email: 'owner@example.test' })
})

const options = { complimentaryUntil: '2030-01-01', tag: 'moved', invite: true, fillExisting: true }

const fileFor = (domain: string) => `email,name,status,tags,note,complimentary,stripe customer id,trade
${[
  'a,Ana,active,"one,two",A note,no,cus_a,Diner',
  'b,Ben,unsubscribed,,,no,,',
  'c,Cleo,bounced,,,no,,',
  'd,,complained,three,,no,,',
  'e,Eve,active,,,yes,,Gym',
  'nobody,,active,,,,sub_1,',
  'f,Flo,pending,,,no,,',
  'g,Gus,active,one,Another note,yes,cus_g,',
  'a,Ana once more,unsubscribed,,,,,',
  'h,Hal,active,,,no,,',
]
  .map((line) => line.replace(/^\w+/, (name) => `${name}@${domain}`))
  .join('\n')}
`

const settings = { ...defaultOptions, ...options }

async function prepare(domain: string) {
  const { body } = await upload(server, admin, fileFor(domain))
  const { id, source, mapping } = body
  await call(server, 'admin-check-members', { id, source, mapping, options: settings }, admin.token)
  return id
}

/** The check and the import, in a process that dies at a moment of each, and their continuation in another. */
async function importKilledAt(domain: string, moment: number): Promise<string> {
  const id = await prepare(domain)
  for (const step of ['check', 'import']) {
    if (step === 'import') await call(server, 'admin-import-members', { id }, admin.token)
    const { db } = dyingAfter(server.database.db, moment)
    const dying = { ...server.deps, database: { ...server.database, db } }
    await runImport(dying, id, batchSize).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error
    })
    await runImport(server.deps, id, batchSize)
  }
  return id
}

const withoutDomain = (value: unknown, domain: string) => JSON.parse(JSON.stringify(value).replaceAll(domain, 'x.test'))

/** Queued invitations, which commit with the members. */
async function invited(domain: string): Promise<string[]> {
  const rows = await queryRows<{ email: string }>(
    server.database.db,
    sql`select email from account_emails where strpos(email, ${`@${domain}`}) > 0 order by email, id`,
  )
  return rows.map(({ email }) => email)
}

const outcome = async (domain: string, id: string) => {
  const { body } = await call(server, 'admin-member-import', { id }, admin.token)
  const { counts, status } = body as Record<string, unknown>
  const emails = (await invited(domain)).map((email) => email.replace(domain, 'x.test'))
  return { members: withoutDomain(await storedMembers(server, domain), domain), counts, status, emails }
}

test('an import killed at any moment and resumed equals one that wasn’t', { timeout: 240_000 }, async () => {
  const whole = await prepare('whole.test')
  const counting = dyingAfter(server.database.db, 1_000_000)
  const counted = { ...server.deps, database: { ...server.database, db: counting.db } }
  await runImport(counted, whole, batchSize)
  await call(server, 'admin-import-members', { id: whole }, admin.token)
  const ofCheck = counting.used()
  await runImport(counted, whole, batchSize)
  const moments = Math.max(ofCheck, counting.used() - ofCheck)
  const expected = await outcome('whole.test', whole)
  expect(expected).toMatchObject({ status: 'finished', counts: { new: 8, refused: 2, invited: 3 } })
  expect(expected.members).toHaveLength(8)
  // The first line of the duplicate address takes over the unsubscribe.
  expect(expected.members[0]).toMatchObject({ email: 'a@x.test', getsEmail: false, customer: 'cus_a' })

  const tried = kills < moments ? scattered(kills, moments) : Array.from({ length: moments }, (_, n) => n)
  for (const moment of tried) {
    const domain = `kill-${moment}.test`
    const id = await importKilledAt(domain, moment)
    expect(await outcome(domain, id), `killed at moment ${moment}`).toEqual(expected)
  }
})

test('two imports with the same addresses at once create each member once', async () => {
  const file = fileFor('twice.test')
  const first = await check(server, admin, file)
  const second = await check(server, admin, file)
  for (const { id } of [first, second]) await call(server, 'admin-import-members', { id }, admin.token)
  await Promise.all([first, second].map(({ id }) => runImport(server.deps, id, 2)))
  const counts = await Promise.all(
    [first, second].map(async ({ id }) => (await call(server, 'admin-member-import', { id }, admin.token)).body.counts),
  )
  expect((counts as { new: number }[]).reduce((sum, { new: added }) => sum + added, 0)).toBe(8)
  expect(await storedMembers(server, '@twice.test')).toHaveLength(8)
})

test('the same import run by two processes at once writes each member once', async () => {
  const checked = await check(server, admin, fileFor('same.test'), { invite: true })
  await call(server, 'admin-import-members', { id: checked.id }, admin.token)
  await Promise.all([1, 2].map(() => runImport(server.deps, checked.id, 2)))
  expect(await storedMembers(server, '@same.test')).toHaveLength(8)
  expect(await invited('same.test')).toHaveLength(3)
  const again = await run(server, admin, await check(server, admin, fileFor('same.test'), { invite: true }))
  expect(again.counts).toMatchObject({ new: 0, invited: 0 })
  expect(await invited('same.test')).toHaveLength(3)
})

test('an import stops if its owner was disabled', async () => {
  const { db } = server.database
  const other = await buildUser(server, { admin: true })
  const checked = await check(server, other, fileFor('disabled.test'))
  await call(server, 'admin-import-members', { id: checked.id }, other.token)
  await db
    .update(users)
    .set({ bannedUntil: new Date('2099-01-01') })
    .where(eq(users.id, other.id))
  await runImport(server.deps, checked.id)
  expect(await storedMembers(server, '@disabled.test')).toEqual([])
  const { body } = await call(server, 'admin-member-import', { id: checked.id }, admin.token)
  expect(body).toMatchObject({ status: 'canceled', counts: { new: 0 } })
})

test('an import stops if its owner loses the role, and the file can be imported again', async () => {
  const { db } = server.database
  const other = await buildUser(server, { admin: true })
  const checked = await check(server, other, fileFor('role.test'))
  await call(server, 'admin-import-members', { id: checked.id }, other.token)
  await db.delete(userRoles).where(eq(userRoles.userId, other.id))
  await runImport(server.deps, checked.id)
  expect(await storedMembers(server, '@role.test')).toEqual([])
  const { body } = await call(server, 'admin-member-import', { id: checked.id }, admin.token)
  expect(body).toMatchObject({ status: 'canceled', counts: { new: 0 } })
  const again = await run(server, admin, await check(server, admin, fileFor('role.test')))
  expect(again.counts).toMatchObject({ new: 8 })
})
