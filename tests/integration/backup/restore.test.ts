import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { lockDataDirectory } from '#server/db/directory-lock.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { openBackupFile, verifyBackup } from '#server/features/operations/backup/format/backup-file.ts'
import { requireKnownMigration, restoreDatabase } from '#server/features/operations/backup/restore-database.ts'
import { openRestoreTarget } from '#server/features/operations/backup/restore-target.ts'
import { runBackup, runDrill } from '#server/features/operations/backup/run-backup.ts'
import { guideKey, imageKey, recordingKey } from '#server/media/object-key.ts'
import { runOperatorCommand } from '#server/run-operator-command.ts'
import { recordingPieceBytes } from '#shared/contracts/publishing/recordings.ts'
import { fillEveryTable } from './fill-every-table.ts'
import { addUsers, createInstance, depsOf, queryOf, readDefinitions, readEverything } from './support.ts'

const engine: Database['kind'] = process.env.DATABASE_URL ? 'postgres' : 'pglite'
type Instance = Awaited<ReturnType<typeof createInstance>>

/** Tests for both engines. With PostgreSQL, also from one engine to the other. */
const directions: [from: Database['kind'], to: Database['kind']][] =
  engine === 'pglite'
    ? [['pglite', 'pglite']]
    : [
        ['postgres', 'postgres'],
        ['postgres', 'pglite'],
        ['pglite', 'postgres'],
      ]

describe.each(directions)('A backup of %s restored into %s', (from, to) => {
  let source: Instance
  let target: Instance
  let name: string
  let before: Record<string, unknown>
  const image = randomBytes(300_000)
  const talk = randomUUID()
  const imageHash = createHash('sha256').update(image).digest('hex')
  const file = () => join(source.directory, 'backups', name)
  const restore = (...more: string[]) => runOperatorCommand(['restore', file(), ...more], target.env)

  beforeAll(async () => {
    source = await createInstance(from)
    target = await createInstance(to)
    const database = await source.open()
    const deps = depsOf(source.config, database)
    await deps.store.put(imageKey(imageHash, 'png'), image, 'image/png')
    await addUsers(database.db, ['anna@example.test', 'ben@example.test'])
    await database.db.execute(sql`insert into media_image (hash, content_type, width, height, bytes, original_name, created_at)
      values (${imageHash}, 'image/png', 1, 1, 300000, 'shop.png', now())`)
    for (const piece of [0, 1]) await deps.store.put(recordingKey(talk, piece), image, 'application/octet-stream')
    await database.db.execute(sql`insert into recording (id, issue_id, status, bytes, original_name, changed_at, created_at)
      values (${talk}, 'a', 'current', ${recordingPieceBytes + 1}, 'talk.mp3', now(), now())`)
    await deps.store.put(guideKey(imageHash), image, 'application/pdf')
    await database.db.execute(sql`insert into text_file (hash, name, content_type, bytes, created_at)
      values (${imageHash}, 'list.pdf', 'application/pdf', 300000, now())`)
    await database.db.execute(sql`insert into guide_file (guide_id, version, hash, name, content_type, bytes, created_at)
      values ('lost', 1, ${'0'.repeat(64)}, 'lost.pdf', 'application/pdf', 1, now())`)
    await database.db.execute(sql`
      insert into mailings (id, kind, subject, preheader, status, audience, scheduled_at, created_at, updated_at)
      select gen_random_uuid(), 'news', subject, '', status, '{}', now() + ("after" || ' hours')::interval, now(), now()
      from (values ('on its way', 'sending', '-2'), ('due', 'scheduled', '-1'), ('later', 'scheduled', '1'),
        ('new', 'draft', '1')) as m (subject, status, "after")`)
    await fillEveryTable(database.db)
    before = await readEverything(queryOf(database))
    expect(Object.entries(before).filter(([, rows]) => (rows as unknown[]).length === 0)).toEqual([])
    const made = await runBackup(deps, 'command')
    expect(made).toMatchObject({ status: 'done', files: 4, missingFiles: 1 })
    name = made.name
    expect(await runDrill(deps)).toMatchObject({ name, passed: true, error: null })
    await database.close()
  })
  afterAll(async () => {
    await source?.remove()
    await target?.remove()
  })

  test('changes nothing if the key, the file or the command is wrong', async () => {
    const bytes = readFileSync(file())
    const changed = join(target.directory, 'changed.backup')
    const attempt = async (env: Record<string, string>, args: string[] = [changed]) => {
      const { lines, succeeded } = await runOperatorCommand(['restore', ...args], { ...target.env, ...env })
      expect(succeeded).toBe(false)
      return lines.join('\n')
    }
    writeFileSync(changed, bytes.subarray(0, bytes.length - 1))
    expect(await attempt({})).toContain('its end is missing')
    const flipped = Buffer.from(bytes)
    flipped.writeUInt8(flipped.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1)
    writeFileSync(changed, flipped)
    expect(await attempt({})).toContain('damaged')
    copyFileSync(file(), changed)
    expect(await attempt({ BACKUP_KEY: 'another key, which is long enough too' })).toContain('another BACKUP_KEY')
    expect(await attempt({ SECRET_KEY: 'another secret, which is long enough too' })).toContain('another SECRET_KEY')
    const header = { ...(await openBackupFile(file(), [source.env.BACKUP_KEY ?? ''])).header, appVersion: '0.4.0' }
    expect(() => requireKnownMigration({ ...header, migration: { number: 999, when: Date.UTC(2090, 1, 1) } })).toThrow(
      /^The backup is from a newer version: 0\.4\.0 with database changes up to 2090-02-01 00:00 UTC\. This one’s end at 20\d\d-/,
    )
    expect(await attempt({}, ['nowhere.backup'])).toContain('There is no file nowhere.backup')
    expect(await attempt({}, [target.directory])).toContain('isn’t a file')
    expect(await attempt({}, [])).toContain('Usage')
    expect(await attempt({}, [changed, '--force'])).toContain('Usage')
    if (to === 'pglite') expect(existsSync(join(target.config.dataDirectory, 'pg'))).toBe(false)
    else expect(await isEmpty(target)).toBe(true)
  })

  test('is equal field by field, with the same indexes, keys and triggers', async () => {
    const { lines, succeeded } = await restore()
    expect(lines[0]).toMatch(/^Restored the backup of 20/)
    expect(succeeded).toBe(true)
    const [database, original] = [await target.open(), await source.open()]
    const restored = await readEverything(queryOf(database))
    expect(Object.keys(restored)).toEqual(Object.keys(before))
    for (const [table, rows] of Object.entries(before)) {
      if (table === 'public.mailings') continue
      const others = (restored[table] as unknown[]).filter((row) => !String(row).startsWith('(restore-hold,'))
      expect(others, table).toEqual(rows)
    }
    if (from === to) {
      expect(await readDefinitions(queryOf(database))).toEqual(await readDefinitions(queryOf(original)))
    }
    const mailings = await queryOf(database)('select subject, status, pause_reason from mailings order by subject')
    expect(mailings).toEqual([
      { subject: 'due', status: 'paused', pause_reason: 'restored' },
      { subject: 'later', status: 'scheduled', pause_reason: null },
      { subject: 'new', status: 'draft', pause_reason: null },
      { subject: 'on its way', status: 'paused', pause_reason: 'restored' },
    ])
    expect(await isOnHold(database.db)).toBe(true)
    expect(await depsOf(target.config, database).store.get(imageKey(imageHash, 'png'))).toEqual(new Uint8Array(image))
    expect(await depsOf(target.config, database).store.get(guideKey(imageHash))).toEqual(new Uint8Array(image))
    for (const piece of [0, 1])
      expect(await depsOf(target.config, database).store.get(recordingKey(talk, piece))).toEqual(new Uint8Array(image))
    // Counters go on from the restored values.
    await addUsers(database.db, ['carla@example.test'])
    const [{ total } = {}] = await queryOf(database)(
      `select value::int as total from counters where name = 'users_total'`,
    )
    const [{ users } = {}] = await queryOf(database)('select count(*)::int as users from auth.users')
    const [{ filled } = {}] = await queryOf(original)(
      `select value::int as filled from counters where name = 'users_total'`,
    )
    expect(Number(total)).toBe(Number(filled) + 1)
    expect(users).toBe(3)
    await database.close()
    await original.close()
  })

  test('is refused by a database with data, unless the command names it', async () => {
    const refused = await restore()
    expect(refused).toEqual({
      succeeded: false,
      lines: [
        expect.stringContaining(
          `has data, so nothing was restored. To replace all of it, add --replace ${target.databaseName}`,
        ),
      ],
    })
    const wrong = await restore('--replace', 'production')
    expect(wrong.lines[0]).toBe(`The database is ${target.databaseName}, not production, so nothing was replaced.`)
  })

  test.runIf(to === 'postgres')('replaces what a newer version added, and names it before', async () => {
    const { openPostgresSession } = await import('#server/db/copy-postgres.ts')
    const onTarget = async (statements: string) => {
      const session = await openPostgresSession(String(target.env.DATABASE_URL))
      await session.execute(statements)
      await session.close()
    }
    await onTarget(`create domain added_domain as text check (value <> '');
      create table added_table (name added_domain) partition by range (name);
      create materialized view added_view as select count(*) from auth.users`)
    const foreign = await restore('--replace', target.databaseName)
    expect(foreign.lines[0]).toMatch(/also contains public\.added_table, which isn’t one of the publication’s tables/)
    await onTarget(`insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 4000000000000)`)
    expect((await restore()).lines[0]).toMatch(
      /To replace all of it, including public\.added_table and public\.added_view of a newer version, add --replace \S+$/,
    )
    expect((await restore('--replace', target.databaseName)).succeeded).toBe(true)
    const [reopened, original] = [await target.open(), await source.open()]
    expect(Object.keys(await readEverything(queryOf(reopened)))).toEqual(Object.keys(before))
    expect(await queryOf(reopened)(`select typname from pg_type where typname like 'added%'`)).toEqual([])
    if (from === to) expect(await readDefinitions(queryOf(reopened))).toEqual(await readDefinitions(queryOf(original)))
    await reopened.close()
    await original.close()
  })

  test('is refused while a server runs, even if the command names the database', async () => {
    const lock = to === 'pglite' ? lockDataDirectory(target.config.dataDirectory) : null
    const server = to === 'postgres' ? await target.open() : null
    await server?.db.execute(sql`select 1`)
    const { lines, succeeded } = await restore('--replace', target.databaseName)
    expect(succeeded).toBe(false)
    expect(lines[0]).toMatch(/is in use by/)
    lock?.release()
    await server?.close()
  })

  test.runIf(to === 'postgres')('waits for connections that are just ending', async () => {
    const server = await target.open()
    const refused = restore()
    const restoring = `select 1 from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())`
    await expect.poll(() => queryOf(server)(restoring), { timeout: 20_000, interval: 10 }).toHaveLength(1)
    await server.close()
    expect((await refused).lines[0]).toMatch(/has data, so nothing was restored/)
  })

  test('that fails in the middle says so, and can be repeated', async () => {
    const backup = await openBackupFile(file(), [source.env.BACKUP_KEY ?? ''])
    const manifest = await verifyBackup(backup)
    const opened = await openRestoreTarget(target.config, { replace: target.databaseName, backup: manifest })
    const crash = restoreDatabase(opened.session, backup, manifest, () => Promise.reject(new Error('The disk broke')))
    await expect(crash).rejects.toThrow('The disk broke')
    await opened.close()
    if (to === 'pglite') await expect(target.open()).rejects.toThrow('didn’t finish. Run npm run restore again')
    else expect(await isEmpty(target)).toBe(false)
    expect((await restore('--replace', target.databaseName)).succeeded).toBe(true)
    const database = await target.open()
    expect(await queryOf(database)('select count(*)::int as users from auth.users')).toEqual([{ users: 2 }])
    await database.close()
    expect(readdirSync(target.config.dataDirectory).filter((entry) => entry.startsWith('pg.'))).toEqual([])
  })
})

async function isEmpty(instance: Instance): Promise<boolean> {
  const { openPostgresSession } = await import('#server/db/copy-postgres.ts')
  const session = await openPostgresSession(String(instance.env.DATABASE_URL))
  const rows = await session.query(`select 1 from pg_tables where schemaname in ('public', 'auth')`)
  await session.close()
  return rows.length === 0
}
