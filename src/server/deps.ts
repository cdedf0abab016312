import type Stripe from 'stripe'
import type { Config } from './config/config.ts'
import type { SecretBox } from './config/secret-box.ts'
import type { Database } from './db/database.ts'
import type { Logger } from './http/logger.ts'
import type { Enqueue } from './jobs/jobs.ts'
import type { NewsletterMailer } from './mail/newsletter-mailer.ts'
import type { ObjectStore } from './media/store.ts'

/** What the composition root hands to the features. Each feature names the part that it takes. */
export type Deps = {
  config: Config
  database: Database
  logger: Logger
  clock: () => Date
  /** Encrypts and signs with the server's secret. */
  secrets: SecretBox
  enqueue: Enqueue
  stripe: Stripe
  /** Takes letters. Account mail goes through the job queue instead. */
  newsletterMailer: NewsletterMailer
  /** Pictures and the files of guides. */
  store: ObjectStore
  /** Cost of a password hash: argon2id, memory in KiB and passes. Tests pay less. */
  hashCost: HashCost
}

export type HashCost = { memoryKiB: number; passes: number }
