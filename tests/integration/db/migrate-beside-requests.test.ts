import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { test } from 'vitest'
import { migratePostgres } from '#server/db/migrate-postgres.ts'
import { openTestDatabase } from '#tests/support/open-test-database.ts'

/** Creates a folder whose only migration is newer than all others. */
function createMigration(statement: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'front-counter-migrations-'))
  mkdirSync(join(folder, 'meta'), { recursive: true })
  writeFileSync(join(folder, '0000_next.sql'), statement)
  const entry = { idx: 0, version: '7', when: 9_000_000_000_000, tag: '0000_next', breakpoints: true }
  writeFileSync(
    join(folder, 'meta/_journal.json'),
    JSON.stringify({ version: '7', dialect: 'postgresql', entries: [entry] }),
  )
  return folder
}

test.runIf(process.env.DATABASE_URL)(
  'A migration that waits for a table lets the requests of other servers pass, and is applied once it is free',
  async () => {
    const database = await openTestDatabase()
    const url = database.url ?? ''
    const folder = createMigration('alter table leases add column next_version integer')
    const [long, request] = [new pg.Client(url), new pg.Client(url)]
    await Promise.all([long.connect(), request.connect()])
    const waiting = async () => {
      const statement = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'alter table leases%'`
      while ((await request.query(statement)).rows.length === 0);
    }
    try {
      await long.query('begin')
      await long.query('select * from leases')
      const migrated = migratePostgres(url, { onError: () => {}, folder, lockTimeoutMs: 200 })
      await waiting()
      // It would wait until the long transaction ends, which is after this line.
      await request.query('select * from leases')
      await waiting()
      await long.query('commit')
      await migrated
      await request.query('select next_version from leases')
    } finally {
      await Promise.all([long.end(), request.end()])
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
