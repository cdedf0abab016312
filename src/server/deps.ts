import type Stripe from 'stripe'
import type { Config } from './config/config.ts'
import type { SecretBox } from './config/secret-box.ts'
import type { Database } from './db/database.ts'
import type { Logger } from './http/logger.ts'
import type { Enqueue } from './jobs/jobs.ts'
import type { NewsletterMailer } from './mail/newsletter-mailer.ts'
import type { ObjectStore } from './media/disk-store.ts'

/** Dependencies that serve.ts passes to the features. Each feature declares the part it needs. */
export type Deps = {
  config: Config
  database: Database
  logger: Logger
  clock: () => Date
  /** Encrypts and signs with the server's secret. */
  secrets: SecretBox
  enqueue: Enqueue
  stripe: Stripe
  /** Sends newsletter email. Account email goes through the job queue instead. */
  newsletterMailer: NewsletterMailer
  /** Stores images and guide files. */
  store: ObjectStore
  /** Argon2id cost of password hashes. Tests use a lower one. */
  hashCost: HashCost
}

export type HashCost = { memoryKiB: number; passes: number }
