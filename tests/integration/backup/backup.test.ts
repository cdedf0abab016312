import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPgliteSession } from '#server/db/copy-pglite.ts'
import { openPostgresSession } from '#server/db/copy-postgres.ts'
import type { Database } from '#server/db/database.ts'
import { backups } from '#server/db/schema/index.ts'
import { alertOwners } from '#server/features/operations/backup/alert-owners.ts'
import { createS3Destination } from '#server/features/operations/backup/destinations/s3.ts'
import { openBackupFile, verifyBackup } from '#server/features/operations/backup/format/backup-file.ts'
import { addFoundBackups } from '#server/features/operations/backup/read-backups.ts'
import { restoreDatabase } from '#server/features/operations/backup/restore-database.ts'
import { runBackup, runDrill } from '#server/features/operations/backup/run-backup.ts'
import { writeBackup } from '#server/features/operations/backup/write-backup.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import type { Enqueue } from '#server/jobs/jobs.ts'
import { openBeforeMigration } from '#tests/support/open-before-migration.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/open-test-database.ts'
import { startS3StandIn } from './s3-stand-in.ts'
import { addUsers, backupKey, createInstance, depsOf, queryOf } from './support.ts'

const engine: Database['kind'] = process.env.DATABASE_URL ? 'postgres' : 'pglite'

/** Where files are; the database is shared by all tests. */
let instance: Awaited<ReturnType<typeof createInstance>>
let database: TestDatabase
let deps: ReturnType<typeof depsOf>
const folder = () => join(instance.directory, 'backups')

beforeAll(async () => {
  instance = await createInstance('pglite')
  database = await openTestDatabase()
  // A new database has rows that migrations insert, and one that another file has used doesn't.
  await database.truncate()
  const { config } = instance
  const drillDatabaseUrl = database.url ?? null
  deps = depsOf({ ...config, backup: { ...config.backup, drillDatabaseUrl } }, database)
})
afterAll(async () => {
  await database?.close()
  await instance?.remove()
})

test('A backup of an empty database can be restored', async () => {
  await runBackup(deps, 'schedule')
  expect(await runDrill(deps)).toMatchObject({ passed: true, error: null, rows: 0 })
})

test('Tables of another program in the same database are left out when a backup is restored', async () => {
  await database.db.execute(sql`create table public.of_others (id serial, name text)`)
  await database.db.execute(sql`insert into public.of_others (name) values ('theirs')`)
  try {
    await runBackup(deps, 'schedule')
  } finally {
    await database.db.execute(sql`drop table public.of_others`)
  }
  expect(await runDrill(deps)).toMatchObject({ passed: true, error: null })
})

test.skipIf(engine === 'pglite')('Rows that the database refuses end their copy with its reason', async () => {
  const session = await openPostgresSession(String(database.url))
  const oneRow = async function* () {
    yield Buffer.from('one column\n')
  }
  await expect(session.copyIn('public.nowhere', oneRow())).rejects.toThrow('relation "public.nowhere" does not exist')
  await expect(session.copyIn('public.counters (name, bucket, value)', oneRow())).rejects.toThrow('missing data')
  expect(await session.query('select 1 as one')).toEqual([{ one: 1 }])
  await session.close()
})

test('A backup is consistent while others write', async () => {
  await database.db.execute(sql`insert into counters (name, bucket, value)
    select 'account ' || n, 'epoch', 100 from generate_series(1, 50) n on conflict do nothing`)
  let stopped = false
  let transfers = 0
  const transfer = async () => {
    while (!stopped) {
      const [from, to] = [1 + Math.floor(Math.random() * 50), 1 + Math.floor(Math.random() * 50)]
      await database.db.transaction(async (tx) => {
        await tx.execute(sql`select 1 from counters where name like 'account %' order by name for update`)
        await tx.execute(sql`update counters set value = value - 7 where name = ${`account ${from}`}`)
        await tx.execute(sql`update counters set value = value + 7 where name = ${`account ${to}`}`)
      })
      transfers += 1
      // PGlite's promises would leave no turn to anything else.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const writing = transfer()
  for (let turn = 0; turn < 3; turn += 1) {
    const path = join(instance.directory, `consistent-${turn}`)
    await writeBackup(deps, path, backupKey)
    const backup = await openBackupFile(path, [backupKey])
    let rows = ''
    let isCounters = false
    for await (const record of backup.records()) {
      if (record.kind === 'T') isCounters = record.table.name === 'public.counters'
      if (record.kind === 'R' && isCounters) rows += record.rows.toString()
    }
    const values = rows
      .split('\n')
      .filter((row) => row.startsWith('account '))
      .map((row) => Number(row.split('\t')[2]))
    expect(values).toHaveLength(50)
    expect(values.reduce((sum, value) => sum + value, 0)).toBe(5_000)
  }
  stopped = true
  await writing
  expect(transfers).toBeGreaterThan(0)
})

test('A backup of a database before the last migrations is restored and then migrated', async () => {
  const old = await openBeforeMigration('0053_member_imports')
  const path = join(instance.directory, 'older')
  await old.query(`insert into counters (name, bucket, value) values ('users_total', 'epoch', 5)`)
  await writeBackup({ ...deps, database: { ...database, snapshot: old.snapshot } }, path, backupKey)
  await old.close()
  const backup = await openBackupFile(path, [backupKey])
  const manifest = await verifyBackup(backup)
  const target = await createInstance(engine)
  mkdirSync(join(target.directory, 'data', 'pg'), { recursive: true })
  const session =
    engine === 'pglite'
      ? await openPgliteSession(join(target.directory, 'data', 'pg'))
      : await (await import('#server/db/copy-postgres.ts')).openPostgresSession(String(target.env.DATABASE_URL))
  await restoreDatabase(session, backup, manifest, async () => {})
  const [{ found } = {}] = await session.query<{ found: string | null }>(
    `select to_regclass('member_imports') as found`,
  )
  expect(found).toBeNull()
  await session.close()
  const restored = await target.open()
  expect(await queryOf(restored)('select count(*)::int as imports from member_imports')).toEqual([{ imports: 0 }])
  expect(await queryOf(restored)(`select value::int from counters where name = 'users_total'`)).toEqual([{ value: 5 }])
  await restored.close()
  await target.remove()
})

test('The drill finds a broken backup, and owners get one email about it', async () => {
  const made = await runBackup(deps, 'schedule')
  const file = join(folder(), made.name)
  const bytes = readFileSync(file)
  bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1)
  writeFileSync(file, bytes)
  expect(await runDrill(deps)).toMatchObject({
    name: made.name,
    passed: false,
    error: expect.stringContaining('damaged'),
  })

  await addUsers(database.db, ['owner@example.test'])
  await database.db.execute(sql`update auth.users set email_confirmed_at = now() where email = 'owner@example.test'`)
  await database.db.execute(sql`insert into user_roles (user_id, role) select id, 'admin' from auth.users`)
  const subjects: string[] = []
  const enqueue: Enqueue = async (_tx, job, payload) => {
    if (job.name === emailJob.name) subjects.push((payload as { subject: string }).subject)
  }
  await alertOwners({ ...deps, enqueue })
  await alertOwners({ ...deps, enqueue })
  expect(subjects).toEqual(['A restore drill failed'])
  // Names have seconds; of two backups in one second, either can be the newest.
  const tomorrow = { ...deps, clock: () => new Date(Date.now() + 86_400_000) }
  await runBackup(tomorrow, 'schedule')
  await runDrill(tomorrow)
  await alertOwners({ ...tomorrow, enqueue })
  expect(subjects).toHaveLength(1)
})

test('A backup that starts right after a crash waits until the lease of the killed process has expired', async () => {
  await database.db.execute(
    sql`insert into leases (name, token, expires_at) values ('backup', 1, now() + interval '1 second')`,
  )
  expect(await runBackup(deps, 'admin')).toMatchObject({ status: 'done', origin: 'admin' })
})

test('An interrupted backup is recorded as failed by the next one, and leaves no file', async () => {
  await database.db.insert(backups).values({
    id: crypto.randomUUID(),
    name: 'front-counter-2026-11-20T03-17-00Z-000000.backup',
    destination: folder(),
    origin: 'schedule',
    status: 'running',
    startedAt: new Date('2026-11-20T03:17:00Z'),
  })
  writeFileSync(join(folder(), 'front-counter-2026-11-20T03-17-00Z-000000.backup.partial'), 'half')
  await runBackup(deps, 'schedule')
  const [{ error } = {}] = await queryOf(database)(`select error from backups where name like '%000000.backup'`)
  expect(error).toBe('The server stopped during the backup.')
  expect(readdirSync(folder()).filter((name) => name.endsWith('.partial'))).toEqual([])
})

describe('On S3', () => {
  let s3: Awaited<ReturnType<typeof startS3StandIn>>
  const onS3 = () => {
    const config = {
      kind: 's3',
      endpoint: s3.url,
      region: 'us-east-1',
      bucket: 'backups',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      prefix: 'shop 1/',
    } as const
    const work = join(instance.directory, 'unsent')
    return { ...deps, destination: createS3Destination(config, work, { partBytes: 2_000, retries: 2 }) }
  }
  beforeAll(async () => {
    s3 = await startS3StandIn()
    await database.db.execute(sql`insert into publication_settings (name, value, updated_at)
      values ('sample', ${JSON.stringify(randomBytes(20_000).toString('hex'))}::jsonb, now())`)
  })
  afterAll(() => s3?.close())

  test('backups are uploaded in parts, listed, drilled and found', async () => {
    for (let turn = 0; turn < 3; turn += 1) await runBackup(onS3(), 'schedule')
    expect(s3.control.requests).toBeGreaterThan(20)
    expect(s3.uploads.size).toBe(0)
    const { destination } = onS3()
    const listed = await destination.list()
    expect(listed).toHaveLength(3)
    expect(listed.map(({ bytes }) => bytes)).toEqual([...s3.objects].sort().map(([, { length }]) => length))
    expect(await runDrill(onS3())).toMatchObject({ passed: true })
    await database.db.delete(backups)
    await addFoundBackups(onS3())
    const rows = await queryOf(database)('select origin, status from backups')
    expect(rows).toEqual(Array(3).fill({ origin: 'found', status: 'done' }))
    expect(readdirSync(join(instance.directory, 'unsent'))).toEqual([])
  })

  test('a failing upload leaves neither an object nor parts, and a passing failure is retried', async () => {
    const before = s3.objects.size
    s3.control.fail = (method, query) => (method === 'PUT' && query.get('partNumber') === '3' ? 400 : null)
    await expect(runBackup(onS3(), 'schedule')).rejects.toThrow('responded with 400')
    expect([s3.objects.size, s3.uploads.size]).toEqual([before, 0])
    expect(readdirSync(join(instance.directory, 'unsent'))).toEqual([])
    let failures = 2
    s3.control.fail = (method) => (method === 'PUT' && failures-- > 0 ? 503 : null)
    expect(await runBackup(onS3(), 'schedule')).toMatchObject({ status: 'done' })
    s3.control.fail = () => 403
    await expect(runBackup(onS3(), 'schedule')).rejects.toThrow('responded with 403')
  })
})
