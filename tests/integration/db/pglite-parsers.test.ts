import { openAsBlob } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pglite'
import { expect, inject, test } from 'vitest'
import { setParsersOnce } from '#server/db/open-pglite.ts'

const statement = `select timestamptz '2026-11-22 12:00:00.123456+00' as at, timestamptz 'infinity' as forever,
  null::timestamp as never, date '2026-11-22' as day, array['a', 'b'] as tags, 7 as count, '{"a":1}'::jsonb as json`
const query = sql.raw(statement)

test('answers Drizzle as with its parsers, and others as without them', async () => {
  const client = await PGlite.create({
    loadDataDir: await openAsBlob(inject('emptyDatabase')),
    extensions: { pg_trgm },
  })
  const byDrizzle = (await drizzle({ client }).execute(query)).rows
  const byPglite = (await client.query<{ at: unknown }>(statement)).rows
  expect(byPglite[0]?.at).toEqual(new Date('2026-11-22T12:00:00.123Z'))

  const { forDrizzle, withDates } = setParsersOnce(client)
  const db = drizzle({ client: forDrizzle })
  expect((await db.execute(query)).rows).toEqual(byDrizzle)
  expect(await db.transaction(async (tx) => (await tx.execute(query)).rows)).toEqual(byDrizzle)
  expect((await withDates.query(statement, [])).rows).toEqual(byPglite)
  expect((await withDates.exec(`select 1; ${statement}`))[1]?.rows).toEqual(byPglite)
  await client.close()
})
