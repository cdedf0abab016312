import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openPostgres } from '#server/db/open-postgres.ts'
import { openTestDatabase } from '#tests/support/open-test-database.ts'

const pidOf = async (db: { execute: (query: ReturnType<typeof sql>) => unknown }) =>
  ((await db.execute(sql`select pg_backend_pid() as pid`)) as { rows: { pid: number }[] }).rows[0]?.pid

test.runIf(process.env.DATABASE_URL)(
  'A connection that is cut between two statements fails its transaction, not the process; the next one works',
  async () => {
    const kept = await openTestDatabase()
    const lost: Error[] = []
    const heard = Promise.withResolvers<void>()
    const database = await openPostgres(kept.url ?? '', {
      onIdleError: (error) => {
        lost.push(error)
        heard.resolve()
      },
    })
    const other = new pg.Client({ connectionString: kept.url })
    await other.connect()
    const transaction = database.db.transaction(async (tx) => {
      await other.query('select pg_terminate_backend($1)', [await pidOf(tx)])
      // No query runs while the disconnect arrives.
      await heard.promise
      await tx.execute(sql`select 1`)
    })
    await expect(transaction).rejects.toThrow()
    expect(lost.length).toBeGreaterThan(0)
    expect(await pidOf(database.db)).toEqual(expect.any(Number))
    const ended = once(other, 'end')
    await other.end()
    await ended
    await database.close()
    await kept.close()
  },
)

test.runIf(process.env.DATABASE_URL)(
  'A transaction that can’t begin because its connection is gone doesn’t keep a connection from the next one',
  async () => {
    const kept = await openTestDatabase()
    const database = await openPostgres(kept.url ?? '', { poolSize: 1 })
    const pid = await pidOf(database.db)
    // While this process waits synchronously, it doesn't notice that its connection was cut.
    const cut = `import pg from 'pg'
      const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
      await client.connect()
      await client.query('select pg_terminate_backend($1)', [${pid}])
      await client.end()`
    const options = { env: { ...process.env, DATABASE_URL: kept.url } }
    expect(spawnSync(process.execPath, ['--input-type=module', '-e', cut], options).status).toBe(0)
    let began = false
    const transaction = database.db.transaction(async () => {
      began = true
    })
    await expect(transaction).rejects.toThrow()
    expect(began).toBe(false)
    expect(await database.db.transaction(pidOf)).toEqual(expect.any(Number))
    await database.close()
    await kept.close()
  },
)
