import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { listUsers } from '#server/features/operations/overview/list-users.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { openTestDatabase } from '#tests/support/open-test-database.ts'

const database = openForTests(() => openTestDatabase({ unused: true }))

test('a search finds every match of the whole term, even if many addresses share most of its letters', async () => {
  const { db } = database
  await db.execute(sql`
    insert into auth.users (id, email, created_at, updated_at)
    select gen_random_uuid(), 'reader' || n || '@franchise' || n % 40 || '.example', now(), now()
    from generate_series(1, 200) n`)
  await db.execute(sql`insert into auth.users (id, email, created_at, updated_at)
    values (gen_random_uuid(), 'chise17.example@shop.test', now(), now())`)
  await db.execute(sql`analyze auth.users`)

  const found = async (search: string) => (await listUsers(db, { search })).users.map(({ email }) => email).toSorted()
  const atSeventeen = [17, 57, 97, 137, 177].map((n) => `reader${n}@franchise17.example`).toSorted()
  expect(await found('franchise17.')).toEqual(atSeventeen)
  expect(await found('chise17.')).toEqual(['chise17.example@shop.test', ...atSeventeen])
  expect(await found('READER137@franchise')).toEqual(['reader137@franchise17.example'])
  expect(await found('reader137@franchise18')).toEqual([])
  expect(await found('franchise')).toHaveLength(50)
})
