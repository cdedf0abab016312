import type { Hono } from 'hono'
import type Stripe from 'stripe'
import type { HashCost, PasswordHasher } from '#server/features/identity/auth/passwords/password-hasher.ts'
import type { Config } from './config/config.ts'
import type { SecretBox } from './config/secret-box.ts'
import type { Database, Tx } from './db/database.ts'
import type { PersonReader } from './exported-data.ts'
import type { FileLimit } from './http/body-size.ts'
import type { Logger } from './http/logger.ts'
import type { AppEnv, ReadPrincipal } from './http/principal.ts'
import type { Implementation } from './http/product-calls.ts'
import type { Enqueue, FeatureJobs, QueuedJob } from './jobs/jobs.ts'
import type { AnyRun } from './jobs/runs.ts'
import type { NewsletterMailer } from './mail/newsletter-mailer.ts'
import type { ObjectStore } from './media/disk-store.ts'
import type { Resource } from './protocol/define-resource.ts'

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

/** Parts of a person's download other than rows of one table, by their name in `db/table-registry.ts`. */
export type PersonReaders = Readonly<Record<string, PersonReader>>

/** Changes what a feature stores about an account, in the transaction that deletes or resets the account. */
export type AccountHook = (tx: Tx, userId: string) => Promise<void>
/** Changes what a feature stores about a team, in the transaction that moves the team to another owner. */
export type TransferHook = (tx: Tx, fromUserId: string, toUserId: string) => Promise<void>

/** Address and browser of someone's request. */
type Visitor = { ip: string | null; userAgent: string | null }
export type VisitorHook = (userId: string, visitor: Visitor) => Promise<void>
type SignedIn = { userId: string; sessionId: string }
export type SignInHook = (signedIn: SignedIn) => Promise<void>

/** The server's dependencies and the combined hooks of all features. Composed in app.ts. */
export type FeatureDeps = Deps & {
  readPrincipal: ReadPrincipal
  hasher: PasswordHasher
  onAccountDeleted: AccountHook
  onProfileReset: AccountHook
  onTeamTransferred: TransferHook
  /** Never rejects: no one is kept from signing up or paying by it. */
  onVisitorKnown: VisitorHook
  /** Runs before the answer to a sign-in, and once the second factor is verified. Never rejects. */
  onSignedIn: SignInHook
  exportedData: PersonReaders
  /** Implementations of all contracts, to answer several calls in one. */
  allCalls(): readonly Implementation[]
  /** Fetches a certificate of Amazon SNS; replaced in tests. */
  fetchText?(url: string): Promise<string>
}

/**
 * The parts that a feature adds to the server. Each folder of src/server/features exports one from its feature.ts, and
 * all-features.ts lists them.
 */
export type Feature = {
  /** Implementations of the feature's contracts. */
  calls?(deps: FeatureDeps): Implementation[]
  /** Routes that aren't calls, such as downloads and webhooks. */
  routes?(deps: FeatureDeps): Hono<AppEnv>[]
  /** Limits of routes that take a form with a file, by path. */
  fileForms?: Readonly<Record<string, FileLimit>>
  /** Background jobs with their schedules. */
  jobs?(deps: Deps): FeatureJobs
  /** Work in steps that goes on in another process if one dies. */
  runs?(deps: Deps & { onAccountDeleted: AccountHook }): readonly AnyRun[]
  /** Jobs that requests may enqueue before the workers start. */
  enqueuedEarly?: readonly QueuedJob[]
  /** Tables that `/rest/v1` exposes. */
  resources?: readonly Resource[]
  /**
   * What no foreign key says: emails, billing, rows without one. In reverse order of the list, before any row is deleted:
   * what a feature builds on is still there.
   */
  onAccountDeleted?(tx: Tx, userId: string, deps: Deps): Promise<void>
  /** Deletes what someone else may have entered before the account's address was confirmed. */
  onProfileReset?: AccountHook
  onTeamTransferred?: TransferHook
  /** Someone signed up or begins to pay. */
  onVisitorKnown?(userId: string, visitor: Visitor, deps: Deps): Promise<void>
  /** Someone has a new session, which may still await the second factor. */
  onSignedIn?(deps: Deps, signedIn: SignedIn): Promise<void>
  exportedData?: PersonReaders
}
