/**
 * `npm run bench -- newsletter rate 20000`       emails/s with DKIM, compared with the SMTP library
 * `npm run bench -- newsletter slow 5000`        the same with 20 ms before each of the server's three responses
 * `npm run bench -- newsletter memory 1000000`   maximum memory (RSS) while sending, composing and signing
 * `npm run bench -- newsletter prepare 500000`   freezing an audience
 * `npm run bench -- newsletter bookkeeping 50000` the share of recording deliveries in the CPU time per email
 * Uses DATABASE_URL, or else starts a durable temporary PostgreSQL.
 */
import { spawn } from 'node:child_process'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { eq, sql } from 'drizzle-orm'
import { createTransport } from 'nodemailer'
import PostalMime from 'postal-mime'
import { openPostgres } from '#server/db/open-postgres.ts'
import { mailings } from '#server/db/schema/index.ts'
import { createDeliveryComposer } from '#server/features/publishing/mailings/sending/compose-delivery.ts'
import { findMailing } from '#server/features/publishing/mailings/sending/mailing-row.ts'
import { prepareMailing } from '#server/features/publishing/mailings/sending/prepare-mailing.ts'
import { startSender } from '#server/features/publishing/mailings/sending/start-sender.ts'
import { readListSender } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { createDkimSigner } from '#server/mail/dkim.ts'
import { createNewsletterMailer, type MailTransport, type NewsletterMailer } from '#server/mail/newsletter-mailer.ts'
import { createSmtpTransport } from '#server/mail/smtp-transport.ts'
import {
  addIssue,
  addMailing,
  addMembers,
  from,
  queryRows,
  sendingDeps,
} from '#tests/integration/mailings/sending/support.ts'
import { freePort, startPostgres } from '../scripts/postgres.ts'
import { cpuMicrosOfTree, parentOf } from './support/server.ts'
import { median, round } from './support/statistics.ts'

const [part = 'rate', given] = process.argv.slice(2)
const connections = 10
const rounds = 3
const dkimName = { domain: 'example.test', selector: 's1' }
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
const signer = await createDkimSigner({ ...dkimName, privateKey: pem(privateKey) })

const postgres = process.env.DATABASE_URL ? null : await startPostgres({ durable: true })
const database = await openPostgres(process.env.DATABASE_URL ?? postgres?.url ?? '')
const parts: Record<string, (n: number) => Promise<unknown>> = {
  rate: (n) => compare(n, 0),
  slow: (n) => compare(n, 20),
  memory,
  prepare,
  bookkeeping,
}
const defaultCounts: Record<string, number> = {
  rate: 2_000,
  slow: 500,
  memory: 10_000,
  prepare: 50_000,
  bookkeeping: 5_000,
}
const n = Number(given ?? defaultCounts[part] ?? 0)
const run = parts[part]
if (!run) throw new Error(`Name one of: ${Object.keys(parts).join(', ')}`)
console.log(JSON.stringify({ part, n, ...((await run(n)) as object) }, null, 2))
await database.close()
await postgres?.stop()
process.exit(0)

/** Accepts everything at once and keeps the last few emails. */
function discardingTransport(): MailTransport & { last: Buffer[] } {
  const last: Buffer[] = []
  return {
    last,
    slots: connections,
    async send({ message }) {
      last.push(message)
      if (last.length > 50) last.shift()
      return { kind: 'accepted', response: '250 taken' }
    },
    ready: async () => {},
    transportError: () => null,
    close: async () => {},
  }
}

async function audience(count: number, values: Parameters<typeof addMailing>[1] = {}) {
  if ((await queryRows(database, sql`select 1 from issues limit 1`)).length === 0) {
    await addIssue(database)
    // As long as a typical drop: 35 kB when sent.
    await database.db.execute(sql`update issue_sections set body = repeat(body || ' And so on, at some length. ', 12)`)
    // One statement for a million members would exceed the statement timeout.
    for (let first = 1; first <= count; first += 20_000)
      await addMembers(database, Math.min(20_000, count + 1 - first), { first })
    await database.db.execute(sql`vacuum analyze`)
  }
  return addMailing(database, { ...values })
}

/** Seconds from the first email to the last, without preparing the mailing. */
async function sendAll(newsletterMailer: NewsletterMailer, mailing: string): Promise<number> {
  await prepareMailing(sendingDeps(database, newsletterMailer), mailing)
  const startedAt = performance.now()
  const sender = await startSender(sendingDeps(database, newsletterMailer))
  while (!(await isSent(mailing))) await new Promise((resolve) => setTimeout(resolve, 100))
  const seconds = (performance.now() - startedAt) / 1000
  await sender.stop(5_000)
  return seconds
}

async function isSent(mailing: string) {
  const [row] = await database.db.select({ status: mailings.status }).from(mailings).where(eq(mailings.id, mailing))
  return row?.status === 'sent'
}

async function startSink(responseMs: number) {
  const port = await freePort()
  const sink = spawn(process.execPath, [fileURLToPath(new URL('support/smtp-sink.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PORT: String(port), RESPONSE_MS: String(responseMs) },
  })
  await new Promise((resolve) => sink.stdout.once('data', resolve))
  return { url: `smtp://127.0.0.1:${port}`, stop: () => void sink.kill() }
}

async function compare(count: number, responseMs: number) {
  const { url, stop } = await startSink(responseMs)
  const samples = await sampleEmails(count)
  const ours: number[] = []
  const theirs: number[] = []
  for (let turn = 0; turn < rounds; turn += 1) {
    await database.db.execute(sql`delete from deliveries`)
    const newsletterMailer = createNewsletterMailer({
      transport: createSmtpTransport({ url, connections }),
      signer,
      from,
    })
    ours.push(count / (await sendAll(newsletterMailer, await audience(count))))
    await newsletterMailer.close()
    theirs.push(count / (await sendWithNodemailer(url, samples, count)))
  }
  stop()
  const sizes = samples.map(({ size }) => size)
  return {
    responseMs,
    connections,
    emailBytes: round(median(sizes)),
    ours: ours.map((rate) => round(rate)),
    library: theirs.map((rate) => round(rate)),
    ratio: round(median(ours.map((rate, turn) => rate / (theirs[turn] ?? 1))), 2),
  }
}

type Sample = { subject: string; html: string; text: string; headers: Record<string, string>; size: number }

/** Emails as our readers get them, as input for the library. */
async function sampleEmails(count: number): Promise<Sample[]> {
  const transport = discardingTransport()
  await sendAll(createNewsletterMailer({ transport, signer: null, from }), await audience(count))
  return Promise.all(
    transport.last.map(async (message) => {
      const sentEmail = await PostalMime.parse(message)
      const list = sentEmail.headers.filter(({ key }) => key.startsWith('list-unsubscribe'))
      return {
        subject: sentEmail.subject ?? '',
        html: sentEmail.html ?? '',
        text: sentEmail.text ?? '',
        headers: Object.fromEntries(list.map(({ key, value }) => [key, value])),
        size: message.length,
      }
    }),
  )
}

/** The SMTP library as documented: a pool that signs the same headers. Records nothing. */
async function sendWithNodemailer(url: string, samples: readonly Sample[], count: number): Promise<number> {
  const options = { pool: true, maxConnections: connections, maxMessages: Number.POSITIVE_INFINITY }
  const dkim = {
    domainName: dkimName.domain,
    keySelector: dkimName.selector,
    privateKey: pem(privateKey),
    headerFieldNames:
      'from:to:subject:date:message-id:mime-version:content-type:list-unsubscribe:list-unsubscribe-post',
  }
  const transport = createTransport(url, { ...options, dkim } as object)
  const startedAt = performance.now()
  let next = 0
  const worker = async () => {
    while (next < count) {
      next += 1
      const { size: _, ...email } = samples[next % samples.length] as Sample
      await transport.sendMail({ ...email, from, to: `r${next}@d${next % 3}.test` })
    }
  }
  await Promise.all(Array.from({ length: connections * 2 }, worker))
  transport.close()
  return (performance.now() - startedAt) / 1000
}

async function memory(count: number) {
  const mailing = await audience(count)
  const before = process.memoryUsage.rss()
  let highest = 0
  const watch = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage.rss())
  }, 50)
  const seconds = await sendAll(createNewsletterMailer({ transport: discardingTransport(), signer, from }), mailing)
  clearInterval(watch)
  return { beforeMb: inMb(before), highestMb: inMb(highest), perSecond: round(count / seconds) }
}

function inMb(bytes: number): number {
  return round(bytes / 1024 / 1024)
}

async function prepare(count: number) {
  const seconds: number[] = []
  for (let turn = 0; turn < rounds; turn += 1) {
    await database.db.execute(sql`truncate deliveries`)
    const mailing = await audience(count)
    const startedAt = performance.now()
    await prepareMailing(
      sendingDeps(database, createNewsletterMailer({ transport: discardingTransport(), signer, from })),
      mailing,
    )
    seconds.push(round((performance.now() - startedAt) / 1000, 2))
  }
  return { seconds, median: median(seconds) }
}

/**
 * CPU time for recording deliveries: that of sending a one-line email to a transport that accepts at once, minus that of
 * composing it. Compared with the CPU time of a complete email over SMTP, for this process and the database.
 */
async function bookkeeping(count: number) {
  const line = { subject: 'A line', preheader: '', kind: 'news' as const, title: 'A line', date: null, path: null }
  const news = { kind: 'news', issueId: null, content: { ...line, intro: 'A line.', sections: [], closing: '' } }
  const bare = createNewsletterMailer({ transport: discardingTransport(), signer: null, from })
  const mailing = await audience(count, news)
  const all = await cpuPerEmail(count, () => sendAll(bare, mailing))
  const composing = await cpuPerEmail(count, () => composeAll(bare, mailing))
  const recording = { sender: all.sender - composing.sender, database: all.database }
  const { url, stop } = await startSink(0)
  const newsletterMailer = createNewsletterMailer({
    transport: createSmtpTransport({ url, connections }),
    signer,
    from,
  })
  const email = await audience(count)
  const whole = await cpuPerEmail(count, () => sendAll(newsletterMailer, email))
  await newsletterMailer.close()
  stop()
  const share = {
    sender: round(recording.sender / whole.sender, 3),
    both: round((recording.sender + recording.database) / (whole.sender + whole.database), 3),
  }
  return { cpuMicrosPerEmail: { recording, whole }, share }
}

/** Composes all emails of a mailing as the sender does. */
async function composeAll(newsletterMailer: NewsletterMailer, id: string) {
  const deps = sendingDeps(database, newsletterMailer)
  const compose = createDeliveryComposer(deps, await readListSender(deps), await findMailing(database.db, id), [])
  const rows = await queryRows<{ id: string; user_id: string; email: string; reader: string }>(
    database,
    sql`select id::text, user_id::text, email, reader from deliveries where mailing_id = ${id}::uuid`,
  )
  for (const { id, user_id: userId, email, reader } of rows) {
    const delivery = {
      id,
      userId,
      email,
      reader,
      name: null,
      subjectIndex: 0,
      allowsTracking: false,
      freeSource: null,
      hasAccess: true,
      fieldValues: null,
      changes: [],
      attempts: 1,
      senderId: '',
    }
    await newsletterMailer.send(email, compose(delivery))
  }
}

async function cpuPerEmail(count: number, work: () => Promise<unknown>) {
  const [backend] = await queryRows<{ pid: number }>(database, sql`select pg_backend_pid() as pid`)
  const server = parentOf(backend?.pid ?? 0)
  const before = { sender: process.cpuUsage(), database: cpuMicrosOfTree(server) }
  await work()
  const { user, system } = process.cpuUsage(before.sender)
  return {
    sender: round((user + system) / count),
    database: round((cpuMicrosOfTree(server) - before.database) / count),
  }
}
