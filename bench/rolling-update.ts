/**
 * `npm run bench -- rolling-update [commit]`: two servers of an earlier version (default: 0.4.0) on one PostgreSQL are
 * updated one after the other while visitors sign up, sign in and read. Then one goes back to the earlier version. Prints
 * the requests, those that failed, and the confirmation emails that are missing or were sent twice. Like a proxy, a request
 * goes to the other server if this one accepts no connection, and only then.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort, startPostgres } from '../scripts/postgres.ts'
import { startCountingSmtp } from './support/counting-smtp.ts'
import { quantile, round } from './support/statistics.ts'

const [earlier = 'dd7e0180'] = process.argv.slice(2)
const visitors = Number(process.env.BENCH_WORKERS ?? 6)
/** Between two changes of servers. */
const seconds = Number(process.env.BENCH_SECONDS ?? 5)
const root = fileURLToPath(new URL('..', import.meta.url))
const earlierRoot = mkdtempSync(join(tmpdir(), 'front-counter-earlier-'))
const dataRoot = mkdtempSync(join(tmpdir(), 'front-counter-rolling-'))
const password = 'a long enough passphrase'

const smtp = await startCountingSmtp()
const { emails } = smtp
const ports = await Promise.all([freePort(), freePort()])

console.log(`Installing ${earlier}`)
execFileSync('git', ['worktree', 'add', '--detach', earlierRoot, earlier], { cwd: root, stdio: 'ignore' })
execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: earlierRoot, stdio: 'ignore' })
const postgres = await startPostgres({ durable: true })

type Server = { stop: () => Promise<void> }
const children: ChildProcess[] = []

async function start(directory: string, port: number): Promise<Server> {
  const child = spawn(
    join(directory, 'node_modules/.bin/node'),
    ['--disable-warning=ExperimentalWarning', 'src/server/main.ts'],
    {
      cwd: directory,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        DATABASE_URL: postgres.url,
        DATA_DIR: mkdtempSync(join(dataRoot, 'server-')),
        PORT: String(port),
        PUBLIC_URL: 'http://127.0.0.1',
        SECRET_KEY: 'for this run only, and long enough',
        SMTP_URL: smtp.url,
        MAIL_FROM: 'news@example.test',
        LOG_LEVEL: 'error',
        ...Object.fromEntries(['SIGN_UP', 'TOKEN'].map((name) => [`LIMIT_${name}`, '1000000/1'])),
      },
    },
  )
  children.push(child)
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`${directory} exited with ${child.exitCode}`)
    await delay(50)
  }
  const exited = once(child, 'exit')
  return {
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

const times: number[] = []
const failures = new Map<string, number>()
const confirmed: string[] = []
let isOver = false
let turn = 0

async function send(path: string, body?: object, token?: string): Promise<Record<string, unknown>> {
  turn += 1
  const startedAt = performance.now()
  for (const port of [ports[turn % 2], ports[(turn + 1) % 2]]) {
    try {
      const { status, text } = await sendTo(port ?? 0, path, body, token)
      times.push(performance.now() - startedAt)
      if (status >= 400) fail(`${path} ${status} ${text.slice(0, 80)}`)
      return JSON.parse(text || '{}') as Record<string, unknown>
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') {
        fail(`${path} ${error}`)
        return {}
      }
    }
  }
  fail(`${path} no server`)
  return {}
}

const fail = (reason: string) => failures.set(reason, (failures.get(reason) ?? 0) + 1)

function sendTo(port: number, path: string, body?: object, token?: string) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request({ port, path, method: body ? 'POST' : 'GET', headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}

/** Signs up, reads and signs in again, until the run is over. */
async function visit(visitor: number) {
  for (let round = 0; !isOver; round++) {
    const email = `visitor-${visitor}-${round}@example.test`
    const { access_token: token } = await send('/auth/v1/signup', { email, password })
    if (token) confirmed.push(email)
    for (let read = 0; read < 5; read++) {
      await send('/auth/v1/user', undefined, String(token))
      await send('/functions/v1/check-subscription', {}, String(token))
    }
    await send('/auth/v1/token?grant_type=password', { email, password })
  }
}

try {
  const servers = [await start(earlierRoot, ports[0] ?? 0), await start(earlierRoot, ports[1] ?? 0)]
  const change = async (index: 0 | 1, directory: string, what: string) => {
    await delay(seconds * 1000)
    await servers[index]?.stop()
    const startedAt = performance.now()
    servers[index] = await start(directory, ports[index] ?? 0)
    console.log(
      `${what}: ready in ${round((performance.now() - startedAt) / 1000, 1)} s, ${times.length} requests so far`,
    )
  }
  const work = Promise.all(Array.from({ length: visitors }, (_, visitor) => visit(visitor)))
  await change(0, root, 'first server updated')
  await change(1, root, 'second server updated')
  await change(0, earlierRoot, 'first server back on the earlier version')
  await delay(seconds * 1000)
  isOver = true
  await work
  const deadline = performance.now() + 60_000
  while (confirmed.some((email) => !emails.has(email)) && performance.now() < deadline) await delay(200)
  await Promise.all(servers.map((server) => server.stop()))

  console.log(`requests          ${times.length}, p99 ${round(quantile(times, 0.99), 0)} ms`)
  console.log(`failed requests   ${[...failures.values()].reduce((sum, count) => sum + count, 0)}`)
  for (const [reason, count] of failures) console.log(`  ${count} × ${reason}`)
  const missing = confirmed.filter((email) => !emails.has(email)).length
  const twice = confirmed.filter((email) => (emails.get(email) ?? 0) > 1).length
  console.log(`sign-ups          ${confirmed.length}; emails missing ${missing}, sent twice ${twice}`)
} finally {
  for (const child of children) child.kill('SIGKILL')
  await smtp.close()
  await postgres.stop()
  execFileSync('git', ['worktree', 'remove', '--force', earlierRoot], { cwd: root })
  for (const directory of [earlierRoot, dataRoot]) rmSync(directory, { recursive: true, force: true })
}
process.exit(0)
