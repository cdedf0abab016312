import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { openPglite } from '#server/db/open-pglite.ts'
import { startSender } from '#server/features/publishing/mailings/sending/start-sender.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { openTestDatabase } from '#tests/support/open-test-database.ts'
import { type Behavior, startSmtpServer } from '#tests/support/smtp-server.ts'
import {
  addIssue,
  addMailing,
  addMembers,
  queryRows,
  sendingDeps,
  smtpNewsletterMailer,
  statusOf,
  sums,
  until,
} from './support.ts'

/** `NEWSLETTER_KILLS=100` for a full run. With a `DATABASE_URL` on PostgreSQL, connections are cut as well. */
const kills = caseCount(1, 3, 'NEWSLETTER_KILLS')
const members = 60 + 40 * kills
/** Claimed at once: five connections and their queue. */
const maxInFlight = 30

const directory = mkdtempSync(join(tmpdir(), 'front-counter-newsletter-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const child = fileURLToPath(new URL('sender-child.ts', import.meta.url))

function startChild(env: Record<string, string>) {
  const process_ = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', child], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  const said: string[] = []
  process_.stdout.on('data', (chunk: Buffer) => said.push(chunk.toString()))
  return {
    process: process_ as ChildProcess,
    hasSaid: (word: string) => said.join('').includes(word),
    /** A sender exits only when the test kills it. */
    async when(condition: () => boolean) {
      await until(() => condition() || process_.exitCode !== null)
      expect([process_.exitCode, said.join('')]).toEqual([null, expect.any(String)])
    },
  }
}

/** Usually accepts, sometimes fails, depending on the recipient so that a retry gets the same result. */
function behave(to: string, tries: Map<string, number>): Behavior {
  const n = Number(/\d+/.exec(to)?.[0])
  const tried = (tries.get(to) ?? 0) + 1
  tries.set(to, tried)
  if (n % 17 === 0) return { refuse: 550 }
  if (n % 19 === 0) return tried > 4 ? 'accept' : { refuse: 451 }
  if (n % 53 === 0) return 'hang up after data'
  return 'accept'
}

test(`After ${kills} kills at random moments no one is missed, no one gets two emails, and the totals match`, {
  timeout: 60_000 * (kills + 10),
}, async () => {
  const onPostgres = process.env.DATABASE_URL !== undefined && process.env.DATABASE_URL !== ''
  const kept = onPostgres ? await openTestDatabase() : null
  const env: Record<'DATABASE_URL' | 'DATA_DIR', string> = kept?.url
    ? { DATABASE_URL: kept.url, DATA_DIR: '' }
    : { DATABASE_URL: '', DATA_DIR: join(directory, 'pg') }
  /** The embedded database allows one process at a time. */
  async function looking<T>(work: (database: Database) => Promise<T>): Promise<T> {
    if (kept) return work(kept)
    const database = await openPglite(env.DATA_DIR)
    return work(database).finally(() => database.close())
  }
  const tries = new Map<string, number>()
  const server = await startSmtpServer({ behave: (to) => behave(to, tries), answerMs: 5 })
  const mailing = await looking(async (database) => {
    await addIssue(database)
    await addMembers(database, members)
    return addMailing(database)
  })

  for (let round = 0; round < kills; round += 1) {
    const sender = startChild({ ...env, SMTP_URL: server.url })
    const exited = once(sender.process, 'exit')
    const enough = server.heard.length + 1 + Math.floor(Math.random() * 35)
    await sender.when(() => server.heard.length >= enough || sender.hasSaid('done'))
    if (kept && round % 3 === 0) {
      await kept.db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`)
      await sender.when(() => server.heard.length >= enough + 5 || sender.hasSaid('done'))
    }
    sender.process.kill('SIGKILL')
    await exited
  }
  const last = startChild({ ...env, SMTP_URL: server.url })
  const exited = once(last.process, 'exit')
  await last.when(() => last.hasSaid('done'))
  last.process.kill('SIGKILL')
  await exited
  await server.close()

  await looking(async (database) => {
    expect(await statusOf(database, mailing)).toBe('sent')
    const { rows, counts } = await sums(database, mailing)
    expect(rows).toEqual(counts)
    expect(Object.values(rows).reduce((sum, n) => sum + n, 0)).toBe(members)
    expect(rows.pending ?? rows.sending).toBeUndefined()
    expect(rows['unknown sender_lost'] ?? 0).toBeLessThanOrEqual(kills * maxInFlight)

    const statuses = await queryRows<{ email: string; status: string }>(
      database,
      sql`select email, status from deliveries`,
    )
    const heard = server.heard.map(({ to }) => to)
    expect(new Set(heard).size).toBe(heard.length)
    const received = new Set(heard)
    for (const { email, status } of statuses) {
      if (status === 'submitted') expect([email, received.has(email)]).toEqual([email, true])
      if (status === 'failed') expect([email, received.has(email)]).toEqual([email, false])
    }
    // Every recipient of an email is submitted or, at worst, unknown.
    const statusByEmail = new Map(statuses.map(({ email, status }) => [email, status]))
    for (const to of heard) expect(['submitted', 'unknown']).toContain(statusByEmail.get(to))
  })
  await kept?.close()
})

test.skipIf(!process.env.DATABASE_URL)(
  'Two nodes share one issue: each member gets one email, from one of them',
  async () => {
    const database = await openTestDatabase()
    const { openPostgres } = await import('#server/db/open-postgres.ts')
    const second = await openPostgres(database.url ?? '')
    const server = await startSmtpServer({ answerMs: 2 })
    await addIssue(database)
    await addMembers(database, 600)
    const nodes = await Promise.all(
      [database, second].map(async (db) => {
        const deps = sendingDeps(db, smtpNewsletterMailer(server.url))
        return { deps, sender: await startSender(deps, { idleMs: 20 }) }
      }),
    )
    const mailing = await addMailing(database)
    await until(async () => (await statusOf(database, mailing)) === 'sent')
    expect(await sums(database, mailing)).toEqual({ rows: { submitted: 600 }, counts: { submitted: 600 } })
    expect(new Set(server.heard.map(({ to }) => to)).size).toBe(600)
    expect(server.heard).toHaveLength(600)
    const shares = await queryRows<{ n: number }>(
      database,
      sql`select count(*)::int as n from deliveries group by sender_id`,
    )
    expect(shares).toHaveLength(2)
    for (const { deps, sender } of nodes) {
      await sender.stop(5_000)
      await deps.newsletterMailer.close()
    }
    await server.close()
    await second.close()
    await database.close()
  },
)
