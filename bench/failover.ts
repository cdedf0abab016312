/**
 * `npm run bench -- failover [times] [members]`: kills the primary PostgreSQL while a newsletter is being sent and
 * visitors sign up, sign in and read, then promotes its synchronous replica. The server isn't restarted. The promoted
 * database gets a new replica before the next time. Prints who got an email twice or not at all, how many acknowledged
 * accounts sign in, and how long nothing was answered.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { openPostgres } from '#server/db/open-postgres.ts'
import { addIssue, addMailing, addMembers, queryRows, statusOf } from '#tests/integration/newsletter/sending/support.ts'
import { freePort } from '../scripts/postgres.ts'
import { startCountingSmtp } from './support/counting-smtp.ts'
import { createClient } from './support/http-client.ts'
import { startReplicatedPostgres } from './support/replicated-postgres.ts'
import { quantile, round } from './support/statistics.ts'

const [times = 3, members = 2_000] = process.argv.slice(2).map(Number)
const visitors = Number(process.env.BENCH_WORKERS ?? 2)
/** How long a monitor takes to notice that the primary is gone. */
const noticedAfterMs = Number(process.env.BENCH_SECONDS ?? 2) * 1000
/** How long to wait for the visitors' last emails. */
const emailSeconds = 60
const root = fileURLToPath(new URL('..', import.meta.url))
const data = mkdtempSync(join(tmpdir(), 'front-counter-failover-'))
const password = 'a long enough passphrase'
const smtp = await startCountingSmtp()
const postgres = await startReplicatedPostgres()
const port = await freePort()
const server = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/server/main.ts'], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    ...process.env,
    ...{ DATABASE_URL: postgres.url, DATA_DIR: data, PORT: String(port), LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent' },
    ...{ PUBLIC_URL: 'http://127.0.0.1', SECRET_KEY: 'for this run only, and long enough' },
    ...{ SMTP_URL: smtp.url, MAIL_FROM: 'news@example.test', LIMIT_SIGN_UP: '100000/1', LIMIT_TOKEN: '100000/1' },
  },
})
const client = createClient(visitors + 1)

const acknowledged: string[] = []
const latencies: number[] = []
const refusals = new Map<string, number>()
let answeredAt = 0
let isOver = false

/** Null if it failed. */
async function send(path: string, body?: object, token?: string): Promise<Record<string, unknown> | null> {
  const startedAt = performance.now()
  const answer = await client
    .send(
      body ? 'POST' : 'GET',
      `http://127.0.0.1:${port}${path}`,
      token ? { authorization: `Bearer ${token}` } : {},
      body,
    )
    .catch((error: Error) => ({ status: 0, body: error.message }))
  latencies.push(performance.now() - startedAt)
  if (answer.status >= 200 && answer.status < 400) {
    answeredAt = startedAt
    return JSON.parse(answer.body || '{}') as Record<string, unknown>
  }
  const reason = `${answer.status} ${/"(?:code|error)":"?([\w ]+)/.exec(answer.body)?.[1] ?? answer.body.slice(0, 60)}`
  refusals.set(reason, (refusals.get(reason) ?? 0) + 1)
  await delay(50)
  return null
}

/** Not a visitor, who signs up during the run. */
const isMember = (email: string) => !email.startsWith('visitor-')

async function visit(visitor: number) {
  for (let n = 0; !isOver; n++) {
    const email = `visitor-${visitor}-${n}@example.test`
    const account = await send('/auth/v1/signup', { email, password })
    if (!account?.access_token) continue
    acknowledged.push(email)
    for (let read = 0; read < 5; read++) await send('/auth/v1/user', undefined, String(account.access_token))
  }
}

async function untilTrue(condition: () => boolean | Promise<boolean>, seconds: number): Promise<boolean> {
  const deadline = performance.now() + seconds * 1000
  while (!(await condition())) {
    if (performance.now() > deadline) return false
    await delay(50)
  }
  return true
}

try {
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  if (!(await untilTrue(isUp, 60))) throw new Error('The server didn’t start')
  const database = await openPostgres(postgres.url)
  await addMembers(database, members)
  const work = Promise.all(Array.from({ length: visitors }, (_, visitor) => visit(visitor)))
  const outages: number[] = []
  const afterPromotion: number[] = []
  const sums = { failovers: 0, sent: 0, unknown: 0, twice: 0, wrong: 0 }
  for (let time = 1; time <= times; time++) {
    const issue = await addIssue(database, `failover-${time}`, `2026-10-${String(time).padStart(2, '0')}`)
    for (const email of smtp.emails.keys()) if (isMember(email)) smtp.emails.delete(email)
    const newsletter = await addMailing(database, { issueId: issue })
    const inMailing = () => [...smtp.emails.keys()].filter(isMember).length
    // Each failover begins at another moment of the sending.
    const killAt = members * (0.1 + (0.7 * ((time * 7) % 20)) / 20)
    if (!(await untilTrue(() => inMailing() >= killAt, 120))) throw new Error('The newsletter isn’t being sent')
    const killedAt = performance.now()
    await postgres.failOver(noticedAfterMs)
    const promotedAt = performance.now()
    if (!(await untilTrue(() => answeredAt > killedAt, 60))) throw new Error('No request is answered')
    outages.push(performance.now() - killedAt)
    afterPromotion.push(performance.now() - promotedAt)
    const isSent = async () => (await statusOf(database, newsletter).catch(() => null)) === 'sent'
    if (!(await untilTrue(isSent, 240))) throw new Error('The newsletter isn’t finished')
    const rows = await queryRows<{ email: string; status: string }>(
      database,
      sql`select email, status from deliveries where mailing_id = ${newsletter}::uuid`,
    )
    for (const { email, status } of rows) {
      const got = smtp.emails.get(email) ?? 0
      if (status === 'submitted') sums.sent += 1
      if (status === 'unknown') sums.unknown += 1
      if (got > 1) sums.twice += 1
      // An unknown one may or may not have arrived.
      if (status !== 'unknown' && got !== (status === 'submitted' ? 1 : 0)) sums.wrong += 1
    }
    sums.failovers += 1
    if (time < times) await postgres.restoreReplica()
  }
  isOver = true
  await work
  await untilTrue(() => acknowledged.every((email) => smtp.emails.has(email)), emailSeconds)
  let signedIn = 0
  for (const email of acknowledged)
    if (await send('/auth/v1/token?grant_type=password', { email, password })) signedIn += 1
  const seconds = (ms: number) => round(ms / 1000, 1)
  console.log(`failovers without a restart         ${sums.failovers} of ${times}`)
  console.log(
    `kill to first answer                median ${seconds(quantile(outages, 0.5))} s, longest ${seconds(Math.max(...outages))} s, of which ${seconds(noticedAfterMs)} s until noticed`,
  )
  console.log(
    `promotion to first answer           median ${seconds(quantile(afterPromotion, 0.5))} s, longest ${seconds(Math.max(...afterPromotion))} s`,
  )
  console.log(`newsletter emails                   ${sums.sent} sent, ${sums.unknown} unknown`)
  console.log(`  received twice                    ${sums.twice}`)
  console.log(`  received otherwise than recorded  ${sums.wrong}`)
  console.log(`acknowledged accounts that sign in  ${signedIn} of ${acknowledged.length}`)
  const missing = acknowledged.filter((email) => !smtp.emails.has(email)).length
  const twice = acknowledged.filter((email) => (smtp.emails.get(email) ?? 0) > 1).length
  console.log(`  their emails                      ${missing} missing, ${twice} sent twice`)
  console.log(`requests                            ${latencies.length}, p99 ${round(quantile(latencies, 0.99))} ms`)
  for (const [reason, count] of refusals) console.log(`  ${count} × ${reason}`)
  await database.close()
} finally {
  isOver = true
  server.kill('SIGKILL')
  client.close()
  await smtp.close()
  await postgres.stop()
  rmSync(data, { recursive: true, force: true })
}
process.exit(0)
