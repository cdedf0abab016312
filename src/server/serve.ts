import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { syncPlans } from '#server/features/billing/plans/change-plans.ts'
import { takeOverPlans } from '#server/features/billing/subscriptions/plan-store.ts'
import { createStripe } from '#server/features/billing/subscriptions/stripe/stripe-overview.ts'
import { createEmailQuota } from '#server/features/identity/auth/limits/email-limits.ts'
import { runCommand } from '#server/features/operations/operator/commands.ts'
import { startControlServer } from '#server/features/operations/operator/control-server.ts'
import { startSender } from '#server/features/publishing/mailings/sending/start-sender.ts'
import { followSettings } from '#server/features/publishing/site-settings/apply-settings.ts'
import { createFindRedirect, type FindRedirect } from '#server/features/publishing/site-settings/find-redirect.ts'
import { readLandingContent } from '#server/features/publishing/site-settings/page-texts.ts'
import { peopleText } from '#shared/domain/plan-texts.ts'
import { publicationDefaults } from '#shared/publication-defaults.ts'
import { enqueuedEarly, jobsOf } from './all-features.ts'
import { createApp } from './app.ts'
import { type Config, readConfig } from './config/config.ts'
import { createSecretBox, loadSecret } from './config/secret-box.ts'
import { lockDataDirectory } from './db/directory-lock.ts'
import { openDatabase } from './db/open-database.ts'
import { explainStartError, OperatorError } from './explain-start-error.ts'
import type { Deps } from './feature.ts'
import { areRepliesCurrent } from './features/publishing/answer-emails/send-replies.ts'
import { mediaKey } from './http/app-icon.ts'
import { builtPagesDirectory } from './http/landing-page.ts'
import { createLogger, type Logger } from './http/logger.ts'
import { staticPages } from './http/serve-client-build.ts'
import { createEmailJob, createLoggingEnqueue, emailJob } from './jobs/email-job.ts'
import { openJobQueue } from './jobs/jobs.ts'
import { asListenError, listen } from './listen.ts'
import { createEmailStatusRecorder } from './mail/account-email-log.ts'
import { openStore } from './media/s3-store.ts'
import { monitoringApp } from './monitoring/monitoring.routes.ts'
import type { Metrics } from './monitoring/prometheus.ts'
import { type Readiness, readinessOf } from './monitoring/readiness.ts'
import { openMail } from './open-mail.ts'
import { openSms } from './open-sms.ts'
import { seedContent, seedContentJobs } from './seed/seed-content.ts'
import { seedDemoAccounts } from './seed/seed-demo-accounts.ts'
import { seedDemoBilling } from './seed/seed-demo-billing.ts'

const clientDirectory = fileURLToPath(new URL('../../dist/client', import.meta.url))
/** After this time a shutdown is forced, since the process must end within 15 seconds of SIGTERM. */
const shutdownMs = 12_000

/** Opened resources, closed in reverse order. */
type Closer = { name: string; close(): Promise<void> | void }

async function main() {
  const config = readConfig(process.env)
  const logger = createLogger(config.logLevel)
  const clock = () => new Date()
  const opened: Closer[] = []
  stopOnSignals(opened, logger)

  if (config.mode === 'sandbox') {
    const lock = lockDataDirectory(config.dataDirectory)
    opened.push({ name: 'data directory', close: () => lock.release() })
  }
  const opening = openDatabase(config.database, (error) => logger.warn({ err: error }, 'database connection lost'))
  let findRedirect: FindRedirect | undefined
  const pages = pagesBuilt().then(() =>
    staticPages({
      directory: clientDirectory,
      mode: config.mode,
      publicUrl: config.publicUrl,
      trialDays: config.trialDays,
      settings: config.settings,
      landing: {
        directory: builtPagesDirectory,
        logger,
        readContent: async (choice) =>
          readLandingContent((await opening).db, config.settings.publication, choice, clock()),
      },
      readImage: (path) => openStore(config.media).get(mediaKey(path)),
      findRedirect: async (path) => {
        findRedirect ??= createFindRedirect({ database: await opening, clock })
        return findRedirect(path)
      },
    }),
  )
  // A failure is reported where they are awaited.
  pages.catch(() => undefined)
  const [database, stripeSandbox] = await Promise.all([opening, startSandboxStripe(config, logger)])
  opened.push({ name: 'database', close: () => database.close() })
  await takeOverPlans(database.db, config)
  const settings = await followSettings(database.db, config, logger, clock)
  opened.push({ name: 'settings', close: () => settings.stop() })
  if (stripeSandbox) opened.push({ name: 'Stripe sandbox', close: () => stripeSandbox.close() })

  const { mailer, newsletterMailer, inboxPages } = await openMail(config, clock)
  opened.push({ name: 'mail', close: () => mailer.close() })
  opened.push({ name: 'newsletter mailer', close: () => newsletterMailer.close() })
  const { smsJobs, messagePages } = openSms(config, clock)
  const jobs = await openJobQueue(database, logger, [emailJob, ...enqueuedEarly])
  opened.push({ name: 'jobs', close: () => jobs.stop(5_000) })

  const deps: Deps = {
    config,
    database,
    logger,
    clock,
    secrets: createSecretBox(loadSecret(config.secretKey), config.previousSecretKeys),
    enqueue: createLoggingEnqueue(jobs.enqueue, clock),
    stripe: createStripe(config.stripe),
    newsletterMailer,
    store: openStore(config.media),
    // OWASP's first recommendation for argon2id.
    hashCost: { memoryKiB: 19 * 1024, passes: 2 },
  }
  await seedContent(deps)
  if (config.mode === 'sandbox') await seedDemoBilling(deps, await seedDemoAccounts(deps))

  const readReadiness = readinessOf(deps)
  const metrics = await openMetrics(deps, readReadiness)
  if (metrics) opened.push({ name: 'metrics', close: () => metrics.close() })
  const app = createApp({ ...deps, metrics, readReadiness, extraRoutes: [...inboxPages, ...messagePages, await pages] })
  const server = await listen(app, config.host, config.port)
  opened.push({ name: 'server', close: () => server.close(5_000) })
  if (metrics && config.monitoring.listen) {
    const { host, port } = config.monitoring.listen
    const monitoring = await listen(
      monitoringApp(config.monitoring, { metrics, readReadiness }),
      host,
      port,
      'MONITORING_PORT',
    )
    opened.push({ name: 'monitoring', close: () => monitoring.close(1_000) })
  }
  if (config.database.kind === 'pglite') {
    const controlServer = await startControlServer(config.dataDirectory, logger, (args) => runCommand(deps, args))
    opened.push({ name: 'control server', close: () => controlServer.close() })
  }
  // The sandbox starts with the plans of a new database.
  if (stripeSandbox) {
    const renamed = config.settings.publication.plans.map(({ key }) => key)
    syncPlans(deps, { renamed }).catch((error: unknown) =>
      logger.warn({ err: error }, 'the plans of the Stripe sandbox weren’t updated'),
    )
  }
  const background = { ...deps, database: { ...database, db: database.background } }
  const periodic = [...jobsOf(background), seedContentJobs(background)]
  await jobs.work(
    [
      createEmailJob({
        mailer,
        quota: createEmailQuota(database, clock),
        clock,
        isCurrent: (quoted) => areRepliesCurrent(background, quoted),
        recordStatus: createEmailStatusRecorder(background),
      }),
      ...smsJobs,
      ...periodic.flatMap((feature) => feature.jobs),
    ],
    periodic.flatMap((feature) => feature.schedules),
  )
  const sender = await startSender(background)
  opened.push({ name: 'sender', close: () => sender.stop(3_000) })
  logger.info(
    { mode: config.mode, database: database.kind },
    `${config.settings.publication.name} is ready at ${config.publicUrl}`,
  )
  // Written now, so that the next start is fast even if this process is killed.
  flushCompileCache()
}

/** At the first `npm start`, the pages are built while the database is set up. */
async function pagesBuilt() {
  if (process.argv.includes('--await-pages')) await once(process, 'message')
}

/** Loads the Stripe sandbox only in sandbox mode. No other code path reaches it. */
async function startSandboxStripe(config: Config, logger: Logger) {
  if (config.stripe.kind !== 'sandbox') return null
  const { startStripeSandbox } = await import('@front-counter/stripe-sandbox')
  const { ids, port, dataFile, webhookSecrets } = config.stripe
  const entries = publicationDefaults.plans.map((plan) => ({ plan, ...ids[plan.key as keyof typeof ids] }))
  const starting = startStripeSandbox({
    dataFile,
    port,
    seed: {
      products: entries.map(({ productId, plan }) => ({
        id: productId,
        name: plan.name,
        description: `The weekly drop, prompt packs, guides and tool picks. ${peopleText(plan)}.`,
      })),
      prices: entries.map(({ productId, priceId, plan }) => ({
        id: priceId,
        product: productId,
        unitAmount: plan.priceCents,
        interval: plan.interval,
        lookupKey: plan.key,
      })),
      // The server's own address, since PUBLIC_URL may be a proxy.
      webhook: { url: `http://127.0.0.1:${config.port}/webhooks/stripe`, secret: webhookSecrets[0] ?? '' },
      portal: {
        products: entries.map(({ productId, priceId }) => ({ product: productId, prices: [priceId] })),
        returnUrl: `${config.publicUrl}/portal`,
      },
    },
    log: (message, fields) => logger.debug({ ...fields }, `stripe sandbox: ${message}`),
  })
  return starting.catch((error: unknown) => {
    throw asListenError(error, port, 'STRIPE_SANDBOX_PORT')
  })
}

/** Loads the metrics client only if it is asked for. */
async function openMetrics(deps: Deps, readReadiness: () => Promise<Readiness>): Promise<Metrics | null> {
  const { token, listen: own } = deps.config.monitoring
  if (!token && !own) return null
  const { createMetrics } = await import('./monitoring/prometheus.ts')
  return createMetrics({ ...deps, readReadiness })
}

/** True during shutdown, when errors of an unfinished start don't matter. */
let stopping = false

function stopOnSignals(opened: Closer[], logger: Logger) {
  const stop = async (signal: string) => {
    if (stopping) return
    stopping = true
    logger.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), shutdownMs).unref()
    for (const { name, close } of opened.reverse()) {
      try {
        await close()
      } catch (error) {
        logger.error({ err: error }, `closing failed: ${name}`)
      }
    }
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

main().catch((error: unknown) => {
  if (stopping) return
  const explained = explainStartError(error)
  console.error(explained instanceof OperatorError ? explained.message : explained)
  // A process that exits while V8 compiles in the background can hang, so what starts beside the error ends first.
  setTimeout(() => process.exit(1), 500)
})
