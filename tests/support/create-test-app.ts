import Stripe from 'stripe'
import { type App, createApp } from '#server/app.ts'
import { type Config, readConfig } from '#server/config/config.ts'
import { createSecretBox } from '#server/config/secret-box.ts'
import type { Deps } from '#server/feature.ts'
import { planStartedJob, renewalNoticeJob } from '#server/features/billing/subscriptions/notices/enqueue-notices.ts'
import { requestedEmailJob, sendRequestedEmail } from '#server/features/identity/auth/email-flows/request-email.ts'
import { applySettings } from '#server/features/publishing/site-settings/apply-settings.ts'
import { sendPlanStarted } from '#server/features/reader/onboarding/complete-onboarding.ts'
import { sendRenewalNotice } from '#server/features/reader/receipts/receipts.ts'
import { createLogger, type Logger } from '#server/http/logger.ts'
import { createLoggingEnqueue, emailJob } from '#server/jobs/email-job.ts'
import type { Enqueue } from '#server/jobs/jobs.ts'
import { smsJob } from '#server/jobs/sms-job.ts'
import { updateAccountEmailStatus } from '#server/mail/account-email-log.ts'
import { createNewsletterMailer } from '#server/mail/newsletter-mailer.ts'
import { createOutbox, type Outbox } from '#server/mail/outbox.ts'
import { createOutboxTransport } from '#server/mail/outbox-transport.ts'
import type { ObjectStore } from '#server/media/disk-store.ts'
import { createMetrics } from '#server/monitoring/prometheus.ts'
import { createReadiness } from '#server/monitoring/readiness.ts'
import { createSmsOutbox, type SmsOutbox } from '#server/sms/sms-gateway.ts'
import { createMemoryStore } from './memory-store.ts'
import { openTestDatabase, type TestDatabase } from './open-test-database.ts'

export type TestApp = {
  app: App
  deps: Deps
  database: TestDatabase
  outbox: Outbox
  smsOutbox: SmsOutbox
  /** Enqueued jobs that aren't run automatically. Tests run them if they need to. */
  jobs: { name: string; payload: unknown }[]
  /** The app's clock. Assign `now` or advance it. */
  clock: { now: Date; advance(ms: number): void }
  request: App['request']
  close(): Promise<void>
}

export type TestAppOptions = {
  env?: Record<string, string>
  config?: Partial<Config>
  stripe?: Stripe
  database?: TestDatabase
  /** SECRET_KEY, for databases that were encrypted with another one. */
  secret?: string
  store?: ObjectStore
  logger?: Logger
  /** Enqueues jobs instead of performing them at once. */
  enqueue?: Enqueue
}

/** The complete app without a port, on a real database. Sends emails and text messages at once, to outboxes in memory. */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = options.database ?? (await openTestDatabase())
  const config: Config = { ...readConfig({ NODE_ENV: 'test', ...options.env }), logLevel: 'silent', ...options.config }
  await applySettings(database.db, config)
  const clock = {
    now: new Date(),
    advance(ms: number) {
      this.now = new Date(this.now.getTime() + ms)
    },
  }
  const readClock = () => clock.now
  const outbox = createOutbox({ from: config.mail.from, clock: readClock })
  const smsOutbox = createSmsOutbox(readClock)
  const jobs: TestApp['jobs'] = []
  const performOne = async (...[tx, job, payload]: Parameters<Enqueue>) => {
    if (job.name === emailJob.name) {
      const { logId, ...email } = emailJob.payload.parse(payload)
      await outbox.send(email)
      if (logId) await updateAccountEmailStatus(tx, logId, { status: 'sent', now: clock.now })
      return
    }
    if (job.name === smsJob.name) return smsOutbox.send(smsJob.payload.parse(payload))
    if (job.name === planStartedJob.name) return sendPlanStarted(tx, deps, planStartedJob.payload.parse(payload))
    if (job.name === renewalNoticeJob.name) return sendRenewalNotice(tx, deps, renewalNoticeJob.payload.parse(payload))
    jobs.push({ name: job.name, payload: job.payload.parse(payload) })
    if (job.name === requestedEmailJob.name)
      await sendRequestedEmail(tx, deps, requestedEmailJob.payload.parse(payload))
  }
  const perform: Enqueue = async (tx, job, ...payloads) => {
    for (const payload of payloads) await performOne(tx, job, payload)
  }
  const enqueue = createLoggingEnqueue(options.enqueue ?? perform, readClock)
  const deps: Deps = {
    config,
    database,
    logger: options.logger ?? createLogger('silent'),
    clock: readClock,
    secrets: createSecretBox(options.secret ?? 'a secret for tests, long enough to be one'),
    enqueue,
    stripe:
      options.stripe ??
      new Stripe('sk_test_unused', { host: '127.0.0.1', port: 9, protocol: 'http', maxNetworkRetries: 0 }),
    store: options.store ?? createMemoryStore(),
    newsletterMailer: createNewsletterMailer({
      transport: createOutboxTransport(outbox),
      signer: null,
      from: { name: 'Front Counter', address: config.mail.from },
    }),
    hashCost: { memoryKiB: 64, passes: 1 },
  }
  const { token } = config.monitoring
  const metrics = token ? createMetrics({ ...deps, readReadiness: createReadiness(deps) }) : null
  const app = createApp({ ...deps, metrics })
  return {
    app,
    deps,
    database,
    outbox,
    jobs,
    smsOutbox,
    clock,
    request: app.request,
    async close() {
      metrics?.close()
      if (!options.database) await database.close()
    },
  }
}
