/**
 * `npm run bench -- node-kills [kills]`: three servers on one PostgreSQL behind a proxy that moves a request on only if a
 * server accepts no connection. One after the other is killed and started again while visitors sign up, sign in and read.
 * Prints how many accounts that were acknowledged can sign in afterwards, and whose email is missing.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort, startPostgres } from '../scripts/postgres.ts'
import { startSmtpServer } from '../tests/support/smtp-server.ts'
import { quantile, round } from './support/statistics.ts'

const kills = Number(process.argv[2] ?? 20)
const visitors = Number(process.env.BENCH_WORKERS ?? 4)
/** From one server's restart to the next kill. */
const pauseMs = Number(process.env.BENCH_SECONDS ?? 2) * 1000
const root = fileURLToPath(new URL('..', import.meta.url))
const data = mkdtempSync(join(tmpdir(), 'front-counter-kills-'))
const password = 'a long enough passphrase'
const smtp = await startSmtpServer()
const postgres = await startPostgres({ durable: true })
const ports = await Promise.all([freePort(), freePort(), freePort()])
const servers: ChildProcess[] = []

async function start(index: number) {
  const port = ports[index] ?? 0
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/server/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      ...{ DATABASE_URL: postgres.url, DATA_DIR: join(data, String(index)), PORT: String(port), LOG_LEVEL: 'silent' },
      ...{ PUBLIC_URL: 'http://127.0.0.1', SECRET_KEY: 'for this run only, and long enough' },
      ...{ SMTP_URL: smtp.url, MAIL_FROM: 'news@example.test', LIMIT_SIGN_UP: '100000/1', LIMIT_TOKEN: '100000/1' },
    },
  })
  servers[index] = child
  for (;;) {
    if (child.exitCode !== null) throw new Error(`a server exited with ${child.exitCode}`)
    const isReady = await fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await delay(50)
  }
}

const times: number[] = []
const failures = new Map<string, number>()
const fail = (reason: string) => void failures.set(reason, (failures.get(reason) ?? 0) + 1)
const acknowledged: string[] = []
let turn = 0
let isOver = false

/** Null if the connection broke, or a server was starting. */
async function send(path: string, body?: object, token?: string): Promise<Record<string, unknown> | null> {
  turn += 1
  const startedAt = performance.now()
  for (let step = 0; step < ports.length; step++) {
    try {
      const { status, text } = await sendTo(ports[(turn + step) % ports.length] ?? 0, path, body, token)
      times.push(performance.now() - startedAt)
      if (status < 400) return JSON.parse(text || '{}') as Record<string, unknown>
      fail(`answer ${status}`)
      return null
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ECONNREFUSED') continue
      fail(`connection ${code ?? 'broken'}`)
      return null
    }
  }
  fail('no server')
  return null
}

function sendTo(port: number, path: string, body?: object, token?: string) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request({ port, path, method: body ? 'POST' : 'GET', headers, agent: false }, async (response) => {
      const chunks: Buffer[] = []
      try {
        for await (const chunk of response) chunks.push(chunk as Buffer)
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() })
      } catch (error) {
        reject(error)
      }
    })
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}

async function visit(visitor: number) {
  for (let n = 0; !isOver; n++) {
    const email = `visitor-${visitor}-${n}@example.test`
    const answer = await send('/auth/v1/signup', { email, password })
    if (!answer?.access_token) continue
    acknowledged.push(email)
    for (let read = 0; read < 5; read++) await send('/auth/v1/user', undefined, String(answer.access_token))
  }
}

try {
  // The first one migrates.
  for (const index of ports.keys()) await start(index)
  const work = Promise.all(Array.from({ length: visitors }, (_, visitor) => visit(visitor)))
  let back = 0
  for (let kill = 0; kill < kills; kill++) {
    await delay(pauseMs)
    const victim = servers[kill % ports.length]
    const gone = victim && once(victim, 'exit')
    victim?.kill('SIGKILL')
    await gone
    await start(kill % ports.length)
    back += 1
  }
  isOver = true
  await work
  const emailOf = () => new Set(smtp.received.map(({ to }) => to))
  const deadline = performance.now() + 120_000
  while (acknowledged.some((email) => !emailOf().has(email)) && performance.now() < deadline) await delay(500)
  const counts = new Map<string, number>()
  for (const { to } of smtp.received) counts.set(to, (counts.get(to) ?? 0) + 1)
  let signedIn = 0
  for (const email of acknowledged) {
    if (await send('/auth/v1/token?grant_type=password', { email, password })) signedIn += 1
  }
  console.log(`killed servers that came back      ${back} of ${kills}`)
  console.log(`requests answered                  ${times.length}, p99 ${round(quantile(times, 0.99), 0)} ms`)
  for (const [reason, count] of failures) console.log(`  ${count} × ${reason}`)
  console.log(`acknowledged accounts that sign in ${signedIn} of ${acknowledged.length}`)
  const missing = acknowledged.filter((email) => !counts.has(email)).length
  const twice = acknowledged.filter((email) => (counts.get(email) ?? 0) > 1).length
  console.log(`their emails                       ${missing} missing, ${twice} sent twice`)
} finally {
  for (const server of servers) server.kill('SIGKILL')
  await smtp.close()
  await postgres.stop()
  rmSync(data, { recursive: true, force: true })
}
process.exit(0)
