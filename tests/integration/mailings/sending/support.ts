import { randomUUID } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import { type Config, readConfig } from '#server/config/config.ts'
import { createSecretBox } from '#server/config/secret-box.ts'
import { type Database, queryRows as rowsOfDb } from '#server/db/database.ts'
import { issueSections, issues, mailings, userRoles, users } from '#server/db/schema/index.ts'
import {
  buildContent,
  findMailing,
  type SendingDeps,
} from '#server/features/publishing/mailings/sending/mailing-row.ts'
import { startMailing } from '#server/features/publishing/mailings/sending/mailing-transitions.ts'
import { createLogger } from '#server/http/logger.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import type { Email } from '#server/mail/mailer.ts'
import { createNewsletterMailer, type MailTransport, type NewsletterMailer } from '#server/mail/newsletter-mailer.ts'
import { createSmtpTransport } from '#server/mail/smtp-transport.ts'
import { type Audience, everyone } from '#shared/contracts/publishing/newsletter.ts'
import { aiLevels, focusAreas, franchiseTypes, goals } from '#shared/domain/preferences.ts'

export const from = { name: 'Front Counter', address: 'newsletter@example.test' }
export const config: Config = { ...readConfig({ NODE_ENV: 'test', MAIL_FROM: from.address }), logLevel: 'silent' }

export const mailerOver = (transport: MailTransport): NewsletterMailer =>
  createNewsletterMailer({ transport, signer: null, from })

export const smtpNewsletterMailer = (
  url: string,
  options: Partial<Parameters<typeof createSmtpTransport>[0]> = {},
): NewsletterMailer =>
  mailerOver(createSmtpTransport({ url, connections: 5, initialBackoffMs: 10, timeoutMs: 30_000, ...options }))

/** `alerts` collects the emails to the publisher. */
export const sendingDeps = (
  database: Database,
  newsletterMailer: NewsletterMailer,
  clock = () => new Date(),
  alerts: Email[] = [],
): SendingDeps => ({
  config,
  database,
  newsletterMailer,
  clock,
  logger: createLogger((process.env.LOG_LEVEL as 'silent') ?? 'silent'),
  enqueue: async (_tx, job, payload) => {
    alerts.push(emailJob.payload.parse(job.payload.parse(payload)))
  },
  secrets: createSecretBox('a secret for tests, long enough to be one'),
})

/** An issue of six sections that differ in everything that affects the order. */
export async function addIssue({ db }: Database, id = 'issue-1', date = '2026-10-05') {
  await db.insert(issues).values({
    id,
    slug: id,
    title: `The drop ${id}`,
    date,
    preview: 'Six things.',
    tags: [],
    intro: 'Hello {{first_name|there}}, this is **the drop**.',
    closing: 'Until next week.',
    readingMinutes: 9,
  })
  await db.insert(issueSections).values(
    Array.from({ length: 6 }, (_, position) => ({
      id: `${id}-${position}`,
      issueId: id,
      position,
      heading: `Item ${position} of ${id}`,
      summary: `What item ${position} is about.`,
      focusAreas: [focusAreas[position % focusAreas.length] ?? ''],
      aiLevel: aiLevels[position % aiLevels.length] ?? '',
      goals: [goals[position % goals.length] ?? ''],
      franchiseTypes: [franchiseTypes[position % franchiseTypes.length] ?? ''],
      minutes: 5,
      body: `A text for item ${position}, with a [link](https://example.com/${position}).`,
    })),
  )
  return id
}

/** Subscribers with all kinds of answers, one statement per table; `r1@…` is the first. */
export async function addMembers({ db }: Database, count: number, options: { domains?: number; first?: number } = {}) {
  const { domains = 3, first = 1 } = options
  const words = (list: readonly string[]) => sql`${sql.param(`{${list.map((word) => `"${word}"`).join(',')}}`)}::text[]`
  const range = sql`generate_series(${first}::int, ${first + count - 1}::int) as n`
  const id = sql`('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid`
  await db.execute(sql`insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data, created_at, updated_at)
    select ${id}, 'r' || n || '@d' || n % ${domains}::int || '.test', now(),
      case when n % 2 = 0 then jsonb_build_object('full_name', 'Reader ' || n) end, now(), now() from ${range}`)
  await db.execute(sql`insert into subscription_state
      (user_id, status, product_id, current_period_start, current_period_end, sync_seq, synced_at)
    select ${id}, 'active', 'prod_pro_monthly', now() - interval '1 day', now() + interval '20 days', 1, now() from ${range}`)
  await db.execute(sql`insert into user_preferences (user_id, focus_areas, ai_level, goals, franchise_type)
    select ${id}, array[(${words(focusAreas)})[1 + n % ${focusAreas.length}::int]],
      (${words(aiLevels)})[1 + (n / 7) % ${aiLevels.length}::int],
      array[(${words(goals)})[1 + (n / 3) % ${goals.length}::int]],
      (${words(franchiseTypes)})[1 + (n / 5) % ${franchiseTypes.length}::int] from ${range} where n % 10 <> 0`)
}

/** An admin, who receives the publisher's alerts. */
export async function addAdmin({ db }: Database, email = 'boss@example.test') {
  const id = randomUUID()
  const now = new Date()
  await db.insert(users).values({ id, email, emailConfirmedAt: now, createdAt: now, updatedAt: now })
  await db.insert(userRoles).values({ userId: id, role: 'admin' })
}

export async function addMailing(
  { db }: Database,
  values: Partial<typeof mailings.$inferInsert> & { audience?: Audience } = {},
): Promise<string> {
  const id = randomUUID()
  const now = new Date()
  await db.insert(mailings).values({
    id,
    kind: 'issue',
    issueId: 'issue-1',
    subject: 'What to do this week',
    preheader: 'Six things.',
    status: 'preparing',
    audience: everyone,
    createdAt: now,
    updatedAt: now,
    ...values,
  })
  return id
}

export const queryRows = <Row>({ db }: Database, statement: SQL): Promise<Row[]> => rowsOfDb<Row>(db, statement)

/** Number of deliveries of a mailing by `status cause`: from the rows, and from the stored counts. */
export async function sums(database: Database, mailingId: string) {
  const line = sql`case when cause is null or cause = '' then '' else ' ' || cause end`
  const fromRows = await queryRows<{ name: string; n: number }>(
    database,
    sql`select status || ${line} as name, count(*)::int as n from deliveries where mailing_id = ${mailingId}::uuid group by 1`,
  )
  const kept = await queryRows<{ name: string; n: number }>(
    database,
    sql`select name || ${line} as name, value::int as n from mailing_counts
      where mailing_id = ${mailingId}::uuid and value <> 0 and name not like '%bounces' and name not in ('complaints', 'delivered')`,
  )
  const object = (rows: { name: string; n: number }[]) => Object.fromEntries(rows.map(({ name, n }) => [name, n]))
  return { rows: object(fromRows), counts: object(kept) }
}

/** Sends or schedules a draft with the current text, as the page does after its checks. */
export async function startDraft(deps: SendingDeps, id: string, { version = 1, at = null as Date | null } = {}) {
  const content = await buildContent(deps.database.db, await findMailing(deps.database.db, id))
  return startMailing(deps, { id, version, at, content, acceptedErrors: [] })
}

/** Waits for a condition, up to the test's own time limit. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10))
}

export const statusOf = async (database: Database, mailingId: string) =>
  (await queryRows<{ status: string }>(database, sql`select status from mailings where id = ${mailingId}::uuid`))[0]
    ?.status
