import { eq, inArray } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import type { SecretBox } from '#server/config/secret-box.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { trialUsage, users } from '#server/db/schema/index.ts'
import { normalizeMailbox } from '#server/mail/normalize-mailbox.ts'
import { type PlanKey, planOf, plansOnSale } from '#shared/domain/plans.ts'
import type { BillingDeps } from '../billing-deps.ts'

type Secrets = { secrets: Pick<SecretBox, 'sign' | 'signatures'> }

const purpose = 'trial had'

/** Hash stored for an email address that had a trial. Null for an account without an address. */
export const trialHash = ({ secrets }: Secrets, email: string): string | null =>
  email ? secrets.sign(purpose, normalizeMailbox(email)) : null

/** Idempotent. */
export async function recordTrialHash(db: Db | Tx, addressHash: string): Promise<void> {
  await db.insert(trialUsage).values({ addressHash }).onConflictDoNothing()
}

/** Records that the account's current email address had a trial. */
export async function recordTrialUsage(tx: Tx, deps: Secrets, userId: string): Promise<void> {
  const hash = trialHash(deps, await findEmail(tx, userId))
  if (hash) await recordTrialHash(tx, hash)
}

export async function findEmail(tx: Tx, userId: string): Promise<string> {
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
  return user?.email ?? ''
}

/**
 * Trial days still available: 0 once this account, or another with the same mailbox, had a trial. Old hashes are of
 * addresses that weren't normalized, so both forms are checked.
 * @param plan null for the most that any plan offers
 */
export async function trialDaysFor(
  { config, database, secrets }: Pick<BillingDeps, 'config' | 'database' | 'secrets'>,
  email: string,
  row: { trialUsed: boolean } | null,
  plan: PlanKey | null = null,
): Promise<number> {
  const offered =
    plan === null ? mostTrialDays(config) : (planOf(config.settings.publication, plan).trialDays ?? config.trialDays)
  if (offered === 0 || row?.trialUsed) return 0
  if (!email) return offered
  const names = new Set([normalizeMailbox(email), email.toLowerCase()])
  const hashes = [...names].flatMap((name) => secrets.signatures(purpose, name))
  const had = await database.db.select().from(trialUsage).where(inArray(trialUsage.addressHash, hashes)).limit(1)
  return had.length > 0 ? 0 : offered
}

/** The longest trial among the plans on sale; 0 if none has one. */
export const mostTrialDays = (config: Pick<Config, 'settings' | 'trialDays'>): number =>
  Math.max(0, ...plansOnSale(config.settings.publication).map(({ trialDays }) => trialDays ?? config.trialDays))
