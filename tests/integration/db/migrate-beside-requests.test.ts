import pg from 'pg'
import { test } from 'vitest'
import { migratePostgres } from '#server/db/open-postgres.ts'
import { openTestDatabase } from '#tests/support/open-test-database.ts'

const next = {
  sql: ['alter table leases add column next_version integer'],
  hash: 'next',
  folderMillis: 9_000_000_000_000,
  bps: true,
}

test.runIf(process.env.DATABASE_URL)(
  'A migration that waits for a table lets the requests of other servers pass, and is applied once it is free',
  async () => {
    const database = await openTestDatabase()
    const url = database.url ?? ''
    const [long, request] = [new pg.Client(url), new pg.Client(url)]
    await Promise.all([long.connect(), request.connect()])
    const waiting = async () => {
      const statement = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'alter table leases%'`
      while ((await request.query(statement)).rows.length === 0);
    }
    try {
      await long.query('begin')
      await long.query('select * from leases')
      const migrated = migratePostgres(url, { onError: () => {}, pending: () => [next], lockTimeoutMs: 200 })
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
    }
  },
)
