import { and, eq, gt, inArray, like, or } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { rateLimits } from '#server/db/schema/index.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { maxFailedMfaCodes } from './failed-mfa-codes.ts'
import { countersOfUser, emailCounterKey, userCounterKey } from './rate-limit-counters.ts'

type Account = { userId: string; email: string }
export type SignInLock = { what: 'password' | 'codes'; until: Date }

const passwordKey = (email: string) => emailCounterKey('sign-in', email)
const codeKeys = (userId: string) => userCounterKey(userId, 'wrong-')

/** Active lockouts of an account: too many wrong passwords or codes. */
export async function readSignInLocks(
  { config, database, clock }: Pick<AuthDeps, 'config' | 'database' | 'clock'>,
  { userId, email }: Account,
): Promise<SignInLock[]> {
  const rows = await database.db
    .select()
    .from(rateLimits)
    .where(and(gt(rateLimits.expiresAt, clock()), or(eq(rateLimits.key, passwordKey(email)), countersOfUser(userId))))
  const last = (what: SignInLock['what'], isLocked: (row: (typeof rows)[number]) => boolean): SignInLock[] => {
    const ends = rows.filter(isLocked).map(({ expiresAt }) => expiresAt.getTime())
    return ends.length > 0 ? [{ what, until: new Date(Math.max(...ends)) }] : []
  }
  const { points } = config.auth.limits.failedSignIn
  return [
    ...last('password', (row) => row.key === passwordKey(email) && row.points >= points),
    ...last('codes', (row) => row.key.startsWith(codeKeys(userId)) && row.points >= maxFailedMfaCodes),
  ]
}

/**
 * Resets failed passwords and codes, including those of known devices.
 * @returns how many counters there were
 */
export async function clearSignInLocks(db: Db | Tx, { userId, email }: Account): Promise<number> {
  const counted = ['wrong-', 'known-device:'].map((what) => like(rateLimits.key, `${userCounterKey(userId, what)}%`))
  const cleared = await db
    .delete(rateLimits)
    .where(
      or(
        inArray(rateLimits.key, [passwordKey(email), userCounterKey(userId, 'proof')]),
        and(countersOfUser(userId), or(...counted)),
      ),
    )
    .returning({ key: rateLimits.key })
  return cleared.length
}
