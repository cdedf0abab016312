import { type Config, readConfig } from '#server/config/config.ts'
import { createSecretBox } from '#server/config/secret-box.ts'
import { openPostgres } from '#server/db/open-postgres.ts'
import type { BillingDeps } from '#server/features/billing/subscriptions/billing-deps.ts'
import { planStartedJob } from '#server/features/billing/subscriptions/notices/enqueue-notices.ts'
import { createStripe } from '#server/features/billing/subscriptions/stripe/stripe-overview.ts'
import { stripeEventsJob } from '#server/features/billing/subscriptions/webhooks/process-event.ts'
import { createLogger } from '#server/http/logger.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { openJobSender } from '#server/jobs/jobs.ts'

/** The sandbox configuration with another port for Stripe. */
export function benchConfig(stripePort: number): Config {
  const config = readConfig({ NODE_ENV: 'development', LOG_LEVEL: 'error' })
  return { ...config, stripe: { ...config.stripe, port: stripePort } as Config['stripe'] }
}

/** Billing's dependencies, with a PostgreSQL and a Stripe sandbox that are already running. */
export async function openBillingDeps(databaseUrl: string, stripePort: number) {
  const config = benchConfig(stripePort)
  const logger = createLogger(config.logLevel)
  const database = await openPostgres(databaseUrl)
  const jobs = await openJobSender(database, logger, [emailJob, planStartedJob, stripeEventsJob])
  const stripe = createStripe(config.stripe)
  const clock = () => new Date()
  const secrets = createSecretBox('a secret for benchmarks')
  const deps: BillingDeps = { config, database, logger, clock, stripe, enqueue: jobs.enqueue, secrets }
  return {
    deps,
    database,
    async close() {
      await jobs.stop()
      await database.close()
    },
  }
}
