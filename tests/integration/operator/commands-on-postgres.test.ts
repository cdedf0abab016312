import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keyRing } from '#server/features/identity/auth/keys/signing-keys.ts'
import { runOperatorCommand } from '#server/run-operator-command.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'

/** Runs if the tests have a PostgreSQL; with the embedded database commands go through the running server. */
const onPostgres = test.skipIf(!process.env.DATABASE_URL)

const directory = mkdtempSync(join(tmpdir(), 'front-counter-operator-'))
let server: TestApp
beforeAll(async () => {
  server = await createTestApp()
})
afterAll(async () => {
  await server.close()
  rmSync(directory, { recursive: true, force: true })
})

/** The secret of the nodes under test. */
const secret = 'a secret for tests, long enough to be one'
const shell = (line: string, env: Record<string, string> = {}) =>
  runOperatorCommand(line.split(' '), {
    DATABASE_URL: server.database.url,
    SECRET_KEY: secret,
    DATA_DIR: directory,
    ...env,
  })

onPostgres('commands work on the database beside running nodes, and touch no data directory', async () => {
  await buildUser(server, { email: 'ana@example.test' })
  expect(await shell('admin grant ana@example.test')).toEqual({
    lines: ['ana@example.test is now an admin.'],
    succeeded: true,
  })
  expect((await shell('admin list')).lines).toEqual([expect.stringMatching(/^ana@example\.test/)])
  expect(await shell('admin grant nobody@example.test')).toEqual({
    lines: ['There is no account with the address nobody@example.test. Ask them to sign up first.'],
    succeeded: false,
  })
  expect(readdirSync(directory)).toEqual([])
})

onPostgres('an answer names commands as they are called', async () => {
  const OPERATOR_COMMAND = 'sudo front-counter'
  const refused = await shell('admin list of what', { OPERATOR_COMMAND })
  expect(refused.lines[0]).toMatch(
    /^Usage:\n {2}sudo front-counter admin grant <email>[\s\S]*sudo front-counter keys:rotate \[--now\]/,
  )
  expect(refused.lines[0]).not.toMatch(/npm| -- /)
  expect((await shell('restore', { OPERATOR_COMMAND })).lines[0]).toContain('  sudo front-counter restore latest\n')
  expect((await shell('admin list of what')).lines[0]).toContain('npm run admin -- list')
})

onPostgres('a running node publishes a key that was rotated in the shell, and signs with it in time', async () => {
  const before = (await keyRing(server.deps).signingKey()).kid
  const { lines } = await shell('keys:rotate')
  const kid = /Key (\S+) is published/.exec(lines[0] ?? '')?.[1]
  server.clock.advance(60_000)
  expect((await keyRing(server.deps).publicKeys()).map((key) => key.kid)).toEqual([before, kid])
  server.clock.advance(16 * 60_000)
  expect((await keyRing(server.deps).signingKey()).kid).toBe(kid)
})

onPostgres('a shell with another secret than the nodes changes no key', async () => {
  const before = await keyRing(server.deps).publicKeys()
  const refused = await shell('keys:rotate', { SECRET_KEY: 'another secret, which is as long as that one' })
  expect(refused).toEqual({ lines: [expect.stringContaining('SECRET_KEY')], succeeded: false })
  await keyRing(server.deps).reload()
  expect(await keyRing(server.deps).publicKeys()).toEqual(before)
})

test('an invalid environment and an unreachable database each give one error message', async () => {
  const wrong = await runOperatorCommand(['admin', 'list'], { PORT: 'none' })
  expect(wrong).toEqual({ lines: [expect.stringContaining('PORT')], succeeded: false })
  const away = await runOperatorCommand(['admin', 'list'], {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nothing',
    SECRET_KEY: secret,
  })
  expect(away).toEqual({ lines: [expect.stringMatching(/^The database can’t be reached: .+/)], succeeded: false })
})
