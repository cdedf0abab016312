import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { auditLogEntries, users } from '#server/db/schema/index.ts'
import { normalizeEmail } from '#shared/domain/email-address.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { rememberSignInAddress } from '../limits/known-ip-addresses.ts'
import {
  consumePoint,
  emailCounterKey,
  getCounter,
  resetCounter,
  userCounterKey,
} from '../limits/rate-limit-counters.ts'
import { rateLimitError } from '../limits/rate-limit-error.ts'
import { rehashInBackground } from '../passwords/rehash-password.ts'
import { ProtocolError } from '../protocol-error.ts'
import { ofEvent, ofUser, recordSecurityEvent, type SecurityEventEntry } from '../security/security-event.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import { createSession, type IssuedSession } from '../sessions/create-session.ts'
import { isBanned } from '../sessions/session-row.ts'

/** Minimum time between entries of the same event for an account. */
const minIntervalMs = 60_000

type FailedSignIn = SecurityEventEntry & { event: 'sign_in_failed' | 'sign_in_locked'; userId: string }

/**
 * Records a failed sign-in, at most one entry per event and minute. Runs after the response, so that timing doesn't reveal
 * whether the account exists.
 */
function recordFailedSignIn(deps: Pick<AuthDeps, 'database' | 'logger'>, entry: FailedSignIn): void {
  write(deps, entry).catch((error: unknown) => deps.logger.warn({ err: error }, 'failed sign-in not recorded'))
}

async function write({ database: { db } }: Pick<AuthDeps, 'database'>, entry: FailedSignIn): Promise<void> {
  const since = new Date(entry.now.getTime() - minIntervalMs).toISOString()
  const [recent] = await db
    .select({ id: auditLogEntries.id })
    .from(auditLogEntries)
    .where(and(ofUser(entry.userId), ofEvent(entry.event), sql`${auditLogEntries.createdAt} > ${since}::timestamptz`))
    .limit(1)
  if (!recent) await recordSecurityEvent(db, entry)
}

export const passwordGrantInput = z.object({
  email: z.string().nullish(),
  phone: z.string().nullish(),
  password: z.string().nullish(),
})

/** Attempts per known device while the account is locked. */
const knownDeviceLimit = { points: 300, windowSeconds: 3600 }

type AccountRow = {
  id: string
  encrypted_password: string | null
  email_confirmed_at: Date | null
  banned_until: Date | null
  known_address: boolean
}

/**
 * Signs in with a password. Failures are counted per email address, whether or not it has an account. Over the limit, only
 * known devices can still sign in.
 * @throws AppError invalid_credentials, over_request_rate_limit, user_banned, email_not_confirmed
 */
export async function signInWithPassword(
  deps: AuthDeps,
  input: z.output<typeof passwordGrantInput>,
  client: ClientInfo,
): Promise<IssuedSession> {
  if (input.phone && !input.email) throw new ProtocolError('phone_login_disabled')
  if (!input.email || !input.password) {
    throw new AppError('validation_failed', { message: 'Email and password are required' })
  }
  const email = normalizeEmail(input.email)
  const account = await findAccount(deps, email, client)
  const attempts = signInAttempts(deps, email, account, client)

  const isValid = await deps.hasher.verify(account?.encrypted_password, input.password, attempts.check)
  if (!account || !isValid) throw await attempts.fail()
  // Checked after the password, so that guessing doesn't reveal disabled accounts.
  if (isBanned(account, deps.clock())) throw new AppError('user_banned', { status: 400 })
  if (deps.config.auth.emailConfirmation === 'first' && !account.email_confirmed_at)
    throw new AppError('email_not_confirmed')

  rehashInBackground(deps, { id: account.id, storedHash: account.encrypted_password ?? '' }, input.password)

  const now = deps.clock()
  return deps.database.db.transaction(async (tx) => {
    // Lock order everywhere: the user's row before counters.
    await requireSamePassword(tx, deps, account)
    const opened = await createSession(tx, { userId: account.id, method: 'password', client, now })
    // During a lockout, don't add known addresses: the attacker may share this one.
    if (!attempts.locked()) {
      await resetCounter(tx, attempts.key)
      await rememberSignInAddress(tx, { userId: account.id, client, now })
    }
    await recordSecurityEvent(tx, { event: 'signed_in', userId: account.id, email, client, now })
    return opened
  })
}

/** Fails if the password was changed or removed during the comparison. */
async function requireSamePassword(tx: Tx, { hasher }: AuthDeps, account: AccountRow): Promise<void> {
  const [present] = await tx
    .select({ hash: users.encryptedPassword })
    .from(users)
    .where(eq(users.id, account.id))
    .for('no key update')
  const renewed = hasher.isOutdated(account.encrypted_password ?? '')
  if (!present?.hash || (present.hash !== account.encrypted_password && !renewed))
    throw new AppError('invalid_credentials')
}

async function findAccount(
  { database, clock }: AuthDeps,
  email: string,
  client: ClientInfo,
): Promise<AccountRow | null> {
  const [row] = await database.prepared<AccountRow>(
    'auth-account',
    `select u.id, u.encrypted_password, u.email_confirmed_at, u.banned_until,
        exists (select 1 from auth.known_addresses k where k.user_id = u.id and k.kind = 'sign_in'
          and k.ip = $2::text and k.expires_at > $3::timestamptz) as known_address
      from auth.users u where u.email = $1 and u.is_sso_user = false and u.deleted_at is null`,
    [email, client.ip, clock().toISOString()],
  )
  return row ?? null
}

/** Counts one attempt. `check` runs right before the hash comparison, so that queued attempts see a new lockout. */
function signInAttempts(deps: AuthDeps, email: string, account: AccountRow | null, client: ClientInfo) {
  const { points: allowed, windowSeconds } = deps.config.auth.limits.failedSignIn
  const key = emailCounterKey('sign-in', email)
  const byCookie = account && client.device?.userIds.includes(account.id) ? client.device.id : null
  const device = byCookie ?? (account?.known_address ? client.ip : null)
  let lockedUntil: Date | null = null
  const lockedOut = (until: Date) =>
    rateLimitError({ what: 'failed sign-ins', instead: ', or reset your password', until, now: deps.clock() })

  return {
    key,
    locked: () => lockedUntil !== null,
    async check() {
      const count = await getCounter(deps.database, key, { windowSeconds, now: deps.clock() })
      lockedUntil = count && count.points >= allowed ? count.expiresAt : null
      if (!lockedUntil) return
      if (!account || !device) throw lockedOut(lockedUntil)
      const counter = userCounterKey(account.id, `known-device:${device}`)
      const { points } = await consumePoint(deps.database.db, counter, knownDeviceLimit.windowSeconds, deps.clock())
      if (points > knownDeviceLimit.points) throw lockedOut(lockedUntil)
    },
    async fail(): Promise<AppError> {
      if (lockedUntil) return lockedOut(lockedUntil)
      const now = deps.clock()
      const { points, expiresAt } = await consumePoint(deps.database.db, key, windowSeconds, now)
      // The attempt that reaches the limit locks the account.
      const event = points >= allowed ? 'sign_in_locked' : 'sign_in_failed'
      if (account) recordFailedSignIn(deps, { event, userId: account.id, email, client, now })
      return points > allowed ? lockedOut(expiresAt) : new AppError('invalid_credentials')
    },
  }
}
