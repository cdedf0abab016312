import { beforeEach, expect, test } from 'vitest'
import { customField, customFieldValues, users } from '#server/db/schema/index.ts'
import { check, run } from '#tests/integration/member-import/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { addField, setValue } from './support.ts'

const server = openForTests(() => createTestApp())
let owner: TestUser

beforeEach(async () => {
  await server.database.truncate()
  owner = await buildUser(server, { admin: true })
})

const valuesByEmail = async () => {
  const { db } = server.database
  const [accounts, rows] = [await db.select().from(users), await db.select().from(customFieldValues)]
  return Object.fromEntries(rows.map(({ userId, values }) => [accounts.find(({ id }) => id === userId)?.email, values]))
}

test('columns named like fields fill them in, lines that don’t fit are refused, and answers of members stay', async () => {
  const { db } = server.database
  const ben = await buildUser(server, { email: 'ben@example.test' })
  const size = await addField(db)
  const ovens = await addField(db, { id: 2, key: 'ovens', label: 'Ovens', kind: 'number', options: [] })
  const opened = await addField(db, { id: 3, key: 'opened', label: 'Opened', kind: 'date', options: [] })
  await setValue(db, ben.id, size, 'small')
  const file = [
    'Email,SHOP size,Ovens,field_opened',
    'ann@example.test,small shop,"1,200",2024-02-29',
    'ben@example.test,=Large shop,2,',
    'cat@example.test,Huge,3,',
    'dan@example.test,,many,',
  ].join('\n')
  const checked = await check(server, owner, file, { fillExisting: true })
  expect(checked.mapping).toEqual({ email: 0, 'field:1': 1, 'field:2': 2, 'field:3': 3 })
  expect(checked.examples.filter(({ outcome }) => outcome === 'refused').map(({ detail }) => detail)).toEqual([
    '“Huge” isn’t an option of “Shop size”.',
    '“many” can’t be read (Ovens).',
  ])
  // Renamed and retired between the check and the import.
  await db.update(customField).set({ label: 'Kind of shop', retiredAt: server.clock.now })
  await run(server, owner, checked)
  expect(await valuesByEmail()).toEqual({
    'ann@example.test': { [size.id]: 'small', [ovens.id]: 1200, [opened.id]: '2024-02-29' },
    'ben@example.test': { [size.id]: 'small', [ovens.id]: 2 },
  })
})
