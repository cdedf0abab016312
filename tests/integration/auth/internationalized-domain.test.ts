import { expect, test } from 'vitest'
import { users } from '#server/db/schema/index.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { officialClient } from './client.ts'
import { latestEmail } from './email-flows.ts'

const server = openForTests(() => createTestApp())
const password = 'six or more'

test('an address with an internationalized domain can sign up, get email and sign in, however it is written', async () => {
  const { auth } = officialClient(server)
  expect((await auth.signUp({ email: 'Ana@Bücher.example', password })).error).toBeNull()
  const stored = 'ana@xn--bcher-kva.example'
  expect(await server.database.db.select({ email: users.email }).from(users)).toEqual([{ email: stored }])
  expect(latestEmail(server, stored).link).not.toBe('')
  for (const email of ['ana@BÜCHER.example', stored]) {
    expect((await auth.signInWithPassword({ email, password })).error).toBeNull()
  }
})

test.each([
  ['ana@пример.рф', 'ana@xn--e1afmkfd.xn--p1ai'],
  ['a&b/c=d#e!f@example.com', 'a&b/c=d#e!f@example.com'],
])('%s can sign up and its emailed link confirms it', async (email, stored) => {
  expect((await officialClient(server).auth.signUp({ email, password })).error).toBeNull()
  const { link } = latestEmail(server, stored)
  expect(new URL(link).pathname).not.toBe('')
  expect((await officialClient(server).auth.signInWithPassword({ email, password })).error).toBeNull()
})

test('a letter before the @ that email can’t be sent to is refused', async () => {
  const { error } = await officialClient(server).auth.signUp({ email: 'ömil@example.com', password })
  expect(error?.message).toBe('Unable to validate email address: invalid format')
})
