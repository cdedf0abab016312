import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { shortLivedFlags } from '#tests/support/short-lived-flags.ts'
import { freePort } from '../../../scripts/postgres.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'front-counter-operator-'))
const controlFile = join(directory, 'operator.json')

// Starts several processes, which takes a while on a busy machine.
vi.setConfig({ testTimeout: 400_000 })

let env: NodeJS.ProcessEnv
let server: ChildProcess
beforeAll(async () => {
  env = {
    PATH: process.env.PATH,
    DATA_DIR: directory,
    PORT: String(await freePort()),
    STRIPE_SANDBOX_PORT: String(await freePort()),
    LOG_LEVEL: 'warn',
  }
})
afterAll(() => {
  server?.kill('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
})

async function start() {
  server = spawn(process.execPath, [...shortLivedFlags, 'src/server/main.ts'], { cwd: root, env, stdio: 'inherit' })
  await expect.poll(() => existsSync(controlFile) || server.exitCode, { timeout: 180_000 }).toBe(true)
}

async function stop(signal: NodeJS.Signals) {
  const gone = once(server, 'exit')
  server.kill(signal)
  await gone
}

/** Runs a command as in a shell. */
async function operator(...args: string[]) {
  const child = spawn(process.execPath, ['scripts/operator.mjs', ...args], { cwd: root, env })
  let [out, problems] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    problems += chunk
  })
  const [status] = await once(child, 'close')
  return { status, out: out.trim(), problems: problems.trim() }
}

const control = () => JSON.parse(readFileSync(controlFile, 'utf8')) as { port: number; key: string }

test('without a database the command says so and creates none', async () => {
  const { status, problems } = await operator('admin', 'list')
  expect([status, problems]).toEqual([1, expect.stringContaining('There is no database')])
  expect(existsSync(join(directory, 'pg'))).toBe(false)
})

test('commands go through the server that holds the embedded database', async () => {
  await start()
  const grant = await operator('admin', 'grant', 'new@frontcounter.test')
  expect(grant).toEqual({ status: 0, out: 'new@frontcounter.test is now an admin.', problems: '' })
  const list = await operator('admin', 'list')
  expect(list.out.split('\n').map((line) => line.split(' ')[0])).toEqual([
    'admin@frontcounter.test',
    'new@frontcounter.test',
  ])
  const unknown = await operator('admin', 'grant', 'nobody@frontcounter.test')
  expect([unknown.status, unknown.problems]).toEqual([1, expect.stringMatching(/^There is no account.*\.$/)])
})

test('the running server publishes a rotated key without a restart', async () => {
  const keys = async () => {
    const answer = await fetch(`http://127.0.0.1:${env.PORT}/.well-known/jwks.json`)
    return ((await answer.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid)
  }
  const before = await keys()
  const { out } = await operator('keys:rotate')
  const after = await keys()
  expect(after).toEqual([...before, expect.any(String)])
  expect(out).toContain(after.at(-1))
})

test('requests without the data directory’s key are refused', async () => {
  const { port, key } = control()
  expect(statSync(controlFile).mode & 0o777).toBe(0o600)
  const body = JSON.stringify({ args: ['admin', 'revoke', 'new@frontcounter.test'] })
  const knock = (init: RequestInit) => fetch(`http://127.0.0.1:${port}/`, init)
  const refused: RequestInit[] = [
    { method: 'POST', body },
    { method: 'POST', body, headers: { Authorization: `Bearer ${key.slice(1)}x` } },
    { method: 'POST', body, headers: { Authorization: key } },
    { method: 'GET', headers: { Authorization: `Bearer ${key}` } },
    { method: 'POST', body: ' '.repeat(20_000), headers: { Authorization: `Bearer ${key}` } },
  ]
  for (const init of refused) expect((await knock(init)).status).toBe(403)
  for (const hostile of ['not json', '[]', '{"args":[1]}']) {
    const answer = await knock({ method: 'POST', body: hostile, headers: { Authorization: `Bearer ${key}` } })
    expect(await answer.json()).toEqual({
      lines: [],
      problem: 'We couldn’t read the command. Check that it comes from the same version as the server.',
    })
  }
  expect((await operator('admin', 'list', 'new@frontcounter.test')).out).toContain('two-step verification off')
})

test('while no server is running, the command opens the database itself', async () => {
  await stop('SIGTERM')
  expect(existsSync(controlFile)).toBe(false)
  const { status, out } = await operator('admin', 'revoke', 'new@frontcounter.test')
  expect([status, out]).toEqual([0, 'new@frontcounter.test is no longer an admin.'])
})

test('work enqueued without a server is done at its next start: the notice is sent', async () => {
  await start()
  const subjects = async () => {
    const answer = await fetch(`http://127.0.0.1:${env.PORT}/sandbox/mail.json?to=new@frontcounter.test`)
    return ((await answer.json()) as { subject: string }[]).map(({ subject }) => subject)
  }
  await expect.poll(subjects, { timeout: 30_000 }).toContain('You’re no longer an admin of Front Counter')
})

test('a killed server leaves a stale control socket, which nothing waits for', async () => {
  const { key } = control()
  await stop('SIGKILL')
  writeFileSync(controlFile, JSON.stringify({ port: 1, key }))
  expect((await operator('admin', 'list')).out).toMatch(/^admin@frontcounter\.test/)
  await start()
  await expect.poll(() => control().port, { timeout: 60_000 }).not.toBe(1)
  expect((await operator('admin', 'list')).status).toBe(0)
})
