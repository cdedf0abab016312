import bcrypt from 'bcrypt'
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { users } from '#server/db/schema/index.ts'
import { createPasswordHasher } from '#server/features/identity/auth/passwords/password-hasher.ts'
import { rehashInBackground } from '#server/features/identity/auth/passwords/rehash-password.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { call, officialClient } from './client.ts'

const server = openForTests(() => createTestApp())
let demanding: TestApp
beforeAll(async () => {
  demanding = await createTestApp({
    env: { PASSWORD_REFUSE_WEAK: 'true', PASSWORD_MIN_LENGTH: '8' },
    database: server.database,
  })
})
beforeEach(() => server.database.truncate())

const credentials = { email: 'ana@example.test', password: 'six or more' }

async function storeHash(userId: string, encryptedPassword: string) {
  await server.database.db.update(users).set({ encryptedPassword }).where(eq(users.id, userId))
}
async function storedHash(userId: string) {
  const [row] = await server.database.db.select().from(users).where(eq(users.id, userId))
  return row?.encryptedPassword ?? ''
}

test.each([
  ['bcrypt', () => bcrypt.hash(credentials.password, 4)],
  ['bcrypt from PHP', async () => (await bcrypt.hash(credentials.password, 4)).replace('$2b$', '$2y$')],
  ['argon2id with another cost', () => createPasswordHasher({ memoryKiB: 256, passes: 3 }).hash(credentials.password)],
])('an account imported with a hash of %s signs in, and its hash is replaced by ours', async (_name, hash) => {
  const user = await buildUser(server, credentials)
  const brought = await hash()
  await storeHash(user.id, brought)
  const client = officialClient(server)
  const wrong = await client.auth.signInWithPassword({ ...credentials, password: 'six or less' })
  expect(wrong.error).toMatchObject({ code: 'invalid_credentials' })
  expect(await storedHash(user.id)).toBe(brought)
  expect((await client.auth.signInWithPassword(credentials)).error).toBeNull()
  await expect.poll(() => storedHash(user.id)).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/)
  expect((await client.auth.signInWithPassword(credentials)).error).toBeNull()
})

test('a password changed during its rehash stays changed', async () => {
  const user = await buildUser(server, credentials)
  const changed = await createPasswordHasher(server.deps.hashCost).hash('the new one')
  const finished = Promise.withResolvers<void>()
  const hasher = {
    ...createPasswordHasher(server.deps.hashCost),
    isOutdated: () => true,
    async hash() {
      await storeHash(user.id, changed)
      setTimeout(finished.resolve, 0)
      return 'a hash of the old password'
    },
  }
  rehashInBackground(
    { ...server.deps, hasher },
    { id: user.id, storedHash: await storedHash(user.id) },
    credentials.password,
  )
  await finished.promise
  await server.database.db.select({ id: users.id }).from(users)
  expect(await storedHash(user.id)).toBe(changed)
})

test('a failed rehash doesn’t fail the sign-in', async () => {
  const user = await buildUser(server, credentials)
  const warned = Promise.withResolvers<void>()
  const hasher = {
    ...createPasswordHasher(server.deps.hashCost),
    isOutdated: () => true,
    hash: () => Promise.reject(new Error('no memory')),
  }
  const logger = { ...server.deps.logger, warn: () => warned.resolve() } as unknown as typeof server.deps.logger
  rehashInBackground({ ...server.deps, logger, hasher }, { id: user.id, storedHash: 'old' }, credentials.password)
  await warned.promise
})

test('the operator can require strong passwords: not short, common, or easy to guess', async () => {
  const client = officialClient(demanding)
  const reasonsFor = async (password: string) => {
    const { error } = await client.auth.signUp({ email: credentials.email, password })
    return error && 'reasons' in error ? error.reasons : error
  }
  expect(await reasonsFor('short 7')).toContain('length')
  expect(await reasonsFor('12345')).toEqual(['length', 'pwned'])
  for (const common of ['password1', 'Baseball', 'IloveYou', '99999999'])
    expect(await reasonsFor(common)).toEqual(['pwned'])
  for (const easy of ['ana example', 'aaaaaaaaaaaaaaaaaaa', 'Front Counter 1'])
    expect(await reasonsFor(easy)).toEqual(['characters'])
  expect(await reasonsFor('stapler violin harbour')).toBeNull()
})

test('the error message says what to do, in the protocol’s words', async () => {
  const answer = await call(demanding, '/signup', { body: { email: credentials.email, password: 'passwor' } })
  expect([answer.status, await answer.json()]).toEqual([
    422,
    expect.objectContaining({
      code: 'weak_password',
      message:
        'Password should be at least 8 characters. Password is known to be weak and easy to guess, please choose a different one.',
      weak_password: { reasons: ['length', 'pwned'] },
    }),
  ])
})

test('a leaked password is refused for a new account by default in production, and others however simple', async () => {
  const production = { ...server.deps.config.auth.password, refuseLeaked: true }
  const auth = { ...server.deps.config.auth, password: production }
  const strict = await createTestApp({ database: server.database, config: { auth } })
  const signUp = (app: TestApp, email: string, password: string) => call(app, '/signup', { body: { email, password } })
  const refused = await signUp(strict, 'a@example.test', 'Liverpool1')
  expect(refused.status).toBe(422)
  expect(await refused.json()).toMatchObject({ code: 'weak_password', weak_password: { reasons: ['pwned'] } })
  expect((await signUp(strict, 'a@example.test', 'harbor violet canoe')).status).toBe(200)
  expect((await signUp(server, 'b@example.test', 'Liverpool1')).status).toBe(200)
  await strict.close()
})

test('a password from before the requirement still works, with a warning', async () => {
  await buildUser(server, { email: credentials.email, password: 'baseball' })
  const { data, error } = await officialClient(demanding).auth.signInWithPassword({
    email: credentials.email,
    password: 'baseball',
  })
  expect(error).toBeNull()
  expect(data.weakPassword).toMatchObject({ reasons: ['pwned'] })
  const lenient = await officialClient(server).auth.signInWithPassword({
    email: credentials.email,
    password: 'baseball',
  })
  expect(lenient.data.weakPassword).toBeFalsy()
})

test('a new password must meet the same requirement as the first one', async () => {
  const user = await buildUser(demanding, credentials)
  const weak = await call(demanding, '/user', { method: 'PUT', token: user.token, body: { password: 'sunshine' } })
  expect([weak.status, await weak.json()]).toEqual([422, expect.objectContaining({ code: 'weak_password' })])
  const long = await call(demanding, '/user', { method: 'PUT', token: user.token, body: { password: 'é'.repeat(37) } })
  expect([long.status, await long.json()]).toEqual([400, expect.objectContaining({ code: 'validation_failed' })])
})
