/**
 * `npm run bench -- flat-memory [minutes]`: visitors sign up, sign in and read public pages, the portal and their plan,
 * while a newsletter is sent over and over. Prints the server's memory (RSS) every minute, and by how much it grows per
 * hour after a third of the time.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openPostgres } from '#server/db/open-postgres.ts'
import { addIssue, addMailing, addMembers, statusOf } from '#tests/integration/newsletter/sending/support.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { startCountingSmtp } from './support/counting-smtp.ts'
import { createClient } from './support/http-client.ts'
import { residentMb, startProgram } from './support/server.ts'
import { quantile, round } from './support/statistics.ts'

const minutes = Number(process.argv[2] ?? 15)
const visitors = Number(process.env.BENCH_WORKERS ?? 2)
const password = 'a long enough passphrase'
const token = 'a-token-for-this-run-only'
const data = mkdtempSync(join(tmpdir(), 'front-counter-memory-'))
const smtp = await startCountingSmtp()
const postgres = process.env.DATABASE_URL ? null : await startPostgres()
const url = process.env.DATABASE_URL ?? postgres?.url ?? ''
const server = await startProgram('src/server/main.ts', {
  ...{ DATABASE_URL: url, DATA_DIR: data, PUBLIC_URL: 'http://127.0.0.1', MONITORING_TOKEN: token },
  ...{ SMTP_URL: smtp.url, MAIL_FROM: 'news@example.test', LIMIT_SIGN_UP: '1000000/1', LIMIT_TOKEN: '1000000/1' },
})
const database = await openPostgres(url)
const client = createClient(visitors)
const latencies: number[] = []
const failures = new Map<string, number>()
let isOver = false

async function send(path: string, body?: object, bearer?: string) {
  const startedAt = performance.now()
  const headers: Record<string, string> = bearer ? { authorization: `Bearer ${bearer}` } : {}
  const answer = await client.send(body ? 'POST' : 'GET', server.url + path, headers, body)
  latencies.push(performance.now() - startedAt)
  if (answer.status >= 400)
    failures.set(`${path} ${answer.status}`, (failures.get(`${path} ${answer.status}`) ?? 0) + 1)
  return answer.body
}

async function visit(visitor: number) {
  for (let n = 0; !isOver; n++) {
    const email = `visitor-${visitor}-${n}@example.test`
    const account = JSON.parse(await send('/auth/v1/signup', { email, password }))
    for (let read = 0; read < 10; read++) {
      await send('/', undefined)
      await send('/drops', undefined)
      await send('/auth/v1/user', undefined, account.access_token)
      await send('/functions/v1/check-subscription', {}, account.access_token)
      await send('/rest/v1/user_roles?select=role', undefined, account.access_token)
    }
    await send('/auth/v1/token?grant_type=password', { email, password })
    await send(`/nothing-${n}`).catch(() => '')
  }
}

async function sendNewsletters() {
  const issueId = await addIssue(database, 'flat-memory')
  await addMembers(database, 500)
  while (!isOver) {
    const newsletter = await addMailing(database, { issueId })
    while (!isOver && (await statusOf(database, newsletter)) !== 'sent') await delay(250)
    await delay(5_000)
  }
}

/** Used heap of JavaScript in MB, from the metrics. */
async function heapMb() {
  const { body } = await client.send('GET', `${server.url}/metrics`, { authorization: `Bearer ${token}` })
  return Number(/^nodejs_heap_size_used_bytes(?:\{[^}]*\})? (\S+)/m.exec(body)?.[1] ?? Number.NaN) / 1024 / 1024
}

/** The slope of a straight line through the points, by least squares. */
function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, value]) => value))]
  const above = points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0)
  return above / points.reduce((sum, [at]) => sum + (at - x) ** 2, 0)
}

try {
  const work = Promise.all([sendNewsletters(), ...Array.from({ length: visitors }, (_, visitor) => visit(visitor))])
  const samples: (readonly [minute: number, mb: number])[] = []
  console.log('minute  RSS MB  heap MB  requests  emails')
  for (let minute = 1; minute <= minutes; minute++) {
    await delay(60_000)
    const mb = residentMb(server.pid)
    samples.push([minute, mb])
    const emails = [...smtp.emails.values()].reduce((sum, count) => sum + count, 0)
    const line = [minute, round(mb), round(await heapMb(), 1), latencies.length, emails]
    console.log(line.map((value, n) => String(value).padStart([6, 7, 8, 9, 7][n] ?? 0)).join(' '))
  }
  isOver = true
  await work
  const settled = samples.slice(Math.floor(samples.length / 3))
  if (settled.length > 1) console.log(`growth after a third of the time: ${round(slope(settled) * 60, 1)} MB an hour`)
  console.log(`requests ${latencies.length}, p99 ${round(quantile(latencies, 0.99))} ms`)
  for (const [what, count] of failures) if (!what.startsWith('/nothing')) console.log(`  ${count} × ${what}`)
} finally {
  isOver = true
  client.close()
  await database.close()
  await server.stop()
  await smtp.close()
  await postgres?.stop()
  rmSync(data, { recursive: true, force: true })
}
process.exit(0)
