import { createHash } from 'node:crypto'
import { and, eq, ne, sql } from 'drizzle-orm'
import { deleteAccountRows } from '#server/db/account-rows.ts'
import { sqlState, type Tx, uniqueViolation } from '#server/db/database.ts'
import { identities, users } from '#server/db/schema/index.ts'
import type { AccountHook } from '#server/feature.ts'
import { AppError } from '#shared/errors.ts'
import { type AuthDeps, isUuid } from '../auth-deps.ts'
import { isTaken, replaceEmail } from '../email-flows/change-email.ts'
import { confirmEmail } from '../email-flows/confirm-email.ts'
import { requireEmail } from '../email-flows/email-address.ts'
import { findSignUpTokens, revokeSignUpTokens } from '../email-flows/one-time-token.ts'
import { requirePhone } from '../factors/phone-number.ts'
import { deleteUserCounters } from '../limits/rate-limit-counters.ts'
import { changePassword } from '../passwords/change-password.ts'
import { recordDeletion } from '../security/record-deletion.ts'
import { recordSecurityEvent } from '../security/security-event.ts'
import { logOut } from '../sessions/log-out.ts'
import { findUser } from '../sessions/session-row.ts'
import { createAnonymousUser, createUser } from '../users/create-user.ts'
import { deleteUser, deleteWhatNoKeyDeletes } from '../users/delete-user.ts'
import { mergeUserData, requireMetadataSize } from '../users/user-metadata.ts'
import { toWireUser, type WireUser } from '../users/user-response.ts'
import { type AdminUserInput, readPasswordHash, requireSupportedRole } from './admin-input.ts'
import { setAccountDisabled } from './set-account-disabled.ts'

/** @throws AppError user_not_found (404) */
export async function requireUser({ database }: Pick<AuthDeps, 'database'>, userId: string): Promise<WireUser> {
  const row = await findUser(database, userId)
  if (!row) throw new AppError('user_not_found', { status: 404 })
  return toWireUser(row)
}

/** Sets the phone number and its identity. @throws AppError phone_exists */
async function setPhone(
  tx: Tx,
  { userId, phone, confirmed, now }: { userId: string; phone: string; confirmed: boolean; now: Date },
): Promise<void> {
  const [other] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.phone, phone), ne(users.id, userId)))
  if (other) throw new AppError('phone_exists')
  const data = { sub: userId, phone, phone_verified: confirmed, email_verified: false }
  await tx
    .update(users)
    .set({ phone, ...(confirmed && { phoneConfirmedAt: now }), isAnonymous: false, updatedAt: now })
    .where(eq(users.id, userId))
  await tx
    .insert(identities)
    .values({ providerId: userId, userId, provider: 'phone', identityData: data, createdAt: now, updatedAt: now })
    .onConflictDoUpdate({
      target: [identities.providerId, identities.provider],
      set: { identityData: sql`${identities.identityData} || ${JSON.stringify(data)}::jsonb`, updatedAt: now },
    })
}

const unitMs = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const
/** Keeps the year at four digits. */
const maxMs = 7_900 * 365 * 24 * unitMs.h

const whole = /^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/
const parts = /(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g

/**
 * Parses a ban duration such as "24h" or "1h30m" into its end; null for "none".
 * @throws AppError validation_failed
 */
function parseBanDuration(given: string, now: Date): Date | null {
  if (given === 'none') return null
  if (!whole.test(given)) throw new AppError('validation_failed', { message: 'invalid format for ban duration' })
  let ms = 0
  for (const [, amount, unit] of given.matchAll(parts)) ms += Number(amount) * unitMs[unit as keyof typeof unitMs]
  if (ms <= 0) throw new AppError('validation_failed', { message: 'ban duration must be positive' })
  return new Date(now.getTime() + Math.min(ms, maxMs))
}

/** Actor in the staff log for admin API calls. */
export const operator = 'operator'

/**
 * Creates a user without sending email. The address is unconfirmed unless `email_confirm` is set.
 * @throws AppError validation_failed, email_exists, phone_exists, user_already_exists for a taken id, weak_password
 */
export async function adminCreateUser(deps: AuthDeps, input: AdminUserInput): Promise<WireUser> {
  requireSupportedRole(input)
  const email = input.email ? requireEmail(input.email) : null
  const phone = input.phone ? requirePhone(input.phone) : null
  if (!email && !phone) {
    throw new AppError('validation_failed', { message: 'Cannot create a user without either an email or phone' })
  }
  if (input.id && !isUuid(input.id))
    throw new AppError('validation_failed', { message: 'ID must conform to the uuid v4 format' })
  const now = deps.clock()
  const bannedUntil = input.ban_duration ? parseBanDuration(input.ban_duration, now) : null
  const data = requireMetadataSize(input.user_metadata ?? {})
  requireMetadataSize(input.app_metadata ?? {})
  const passwordHash = await readPasswordHash(deps, input, email ?? '')

  const userId = input.id ?? crypto.randomUUID()
  const creation = deps.database.db.transaction(async (tx) => {
    const [sameId] = await tx.select({ id: users.id }).from(users).where(eq(users.id, userId))
    if (sameId) throw new AppError('user_already_exists', { message: 'A user with this id already exists' })
    if (email && (await isTaken(tx, email, userId))) throw new AppError('email_exists')
    if (email)
      await createUser(tx, deps, {
        id: userId,
        email,
        passwordHash,
        data,
        confirmedAt: input.email_confirm ? now : null,
        createdByAdmin: true,
        now,
      })
    else await createAnonymousUser(tx, { id: userId, data, now })
    if (phone) await setPhone(tx, { userId, phone, confirmed: input.phone_confirm ?? false, now })
    await tx.update(users).set({ encryptedPassword: passwordHash, bannedUntil }).where(eq(users.id, userId))
    await setAppMetadata(tx, userId, input.app_metadata ?? {})
    await recordSecurityEvent(tx, { event: 'user_created', userId, email: email ?? '', by: operator, now })
  })
  await creation.catch(toEmailExists)
  return requireUser(deps, userId)
}

/** The unique index decides between concurrent requests. */
const toEmailExists = (error: unknown) => {
  const taken =
    sqlState(error) === uniqueViolation ||
    (error instanceof AppError && error.cause && error.code === 'user_already_exists')
  throw taken ? new AppError('email_exists', { cause: error }) : error
}

/**
 * Updates a user. Missing fields stay unchanged, metadata is merged.
 * @throws AppError user_not_found (404), and as for a new account
 */
export async function adminUpdateUser(deps: AuthDeps, userId: string, input: AdminUserInput): Promise<WireUser> {
  requireSupportedRole(input)
  const before = await requireUser(deps, userId)
  const email = input.email ? requireEmail(input.email) : null
  const phone = input.phone ? requirePhone(input.phone) : null
  const now = deps.clock()
  const ban = input.ban_duration ? { until: parseBanDuration(input.ban_duration, now) } : null
  const passwordHash = await readPasswordHash(deps, input, email ?? before.email)

  const update = deps.database.db.transaction(async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
    if (!user) throw new AppError('user_not_found', { status: 404 })
    const present = user.email ?? ''
    if (email && email !== present) await replaceEmail(tx, deps, { userId, email, present, by: operator, now })
    const address = email ?? present
    if (input.email_confirm && !passwordHash) await removeUnverifiedPassword(tx, deps, user)
    if (input.email_confirm && address) await confirmEmail(tx, { userId, email: address, now })
    if (phone || (input.phone_confirm && user.phone)) {
      await setPhone(tx, { userId, phone: phone ?? user.phone ?? '', confirmed: input.phone_confirm ?? false, now })
    }
    if (input.user_metadata) {
      const rawUserMetaData = requireMetadataSize(mergeUserData(user.rawUserMetaData, input.user_metadata))
      await tx.update(users).set({ rawUserMetaData, updatedAt: now }).where(eq(users.id, userId))
    }
    await setAppMetadata(tx, userId, input.app_metadata ?? {})
    if (passwordHash) {
      await changePassword(tx, deps, { userId, sessionId: null, passwordHash, email: present, by: operator, now })
    }
    if (ban) await setBan(tx, deps, { userId, until: ban.until, now })
    await recordSecurityEvent(tx, { event: 'user_updated', userId, email: address, by: operator, now })
  })
  await update.catch(toEmailExists)
  return requireUser(deps, userId)
}

/**
 * Confirming an address doesn't confirm a password. If an unconfirmed account has several sign-ups, its password may be
 * someone else's, so it is removed. Only with EMAIL_CONFIRMATION=first.
 */
async function removeUnverifiedPassword(tx: Tx, { config }: AuthDeps, user: typeof users.$inferSelect) {
  const isInUse = user.emailConfirmedAt || user.createdByAdmin || user.lastSignInAt
  if (isInUse || config.auth.emailConfirmation !== 'first') return
  if ((await findSignUpTokens(tx, user.id)).length !== 1) {
    await tx.update(users).set({ encryptedPassword: null }).where(eq(users.id, user.id))
  }
  await revokeSignUpTokens(tx, user.id)
}

/** Merges the metadata. `provider` and `providers` always come from the identities. */
async function setAppMetadata(tx: Tx, userId: string, given: Record<string, unknown>): Promise<void> {
  const [user] = await tx.select({ data: users.rawAppMetaData }).from(users).where(eq(users.id, userId))
  const rows = await tx.select({ provider: identities.provider }).from(identities).where(eq(identities.userId, userId))
  const providers = rows.map((row) => row.provider).toSorted()
  const own = providers.length > 0 ? { provider: providers[0], providers } : {}
  const rawAppMetaData = requireMetadataSize({ ...mergeUserData(user?.data ?? null, given), ...own })
  await tx.update(users).set({ rawAppMetaData }).where(eq(users.id, userId))
}

async function setBan(
  tx: Tx,
  deps: AuthDeps,
  { userId, until, now }: { userId: string; until: Date | null; now: Date },
) {
  await setAccountDisabled(tx, deps, {
    userId,
    disabled: until !== null,
    by: operator,
    client: { ip: null, userAgent: null },
    now,
  })
  await tx.update(users).set({ bannedUntil: until }).where(eq(users.id, userId))
}

type DeleteDeps = AuthDeps & { onAccountDeleted: AccountHook }

/**
 * Deletes a user. A soft delete keeps an anonymized row. Either way the subscription is canceled.
 * @throws AppError user_not_found (404)
 */
export async function adminDeleteUser(deps: DeleteDeps, userId: string, { soft }: { soft: boolean }): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const now = deps.clock()
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
    if (!user) throw new AppError('user_not_found', { status: 404 })
    if (soft && user.deletedAt) return
    if (soft) await anonymizeUser(tx, deps, user, now)
    else await deleteUser(tx, deps, userId)
    if (user.deletedAt) return
    const isConfirmed = user.emailConfirmedAt !== null
    await recordDeletion(tx, deps, { userId, email: user.email ?? '', isConfirmed, by: operator, now })
  })
  await deleteUserCounters(deps.database.db, userId)
}

/** Replaces the address with a hash, which frees it for a new account. */
async function anonymizeUser(tx: Tx, deps: DeleteDeps, user: typeof users.$inferSelect, now: Date): Promise<void> {
  const userId = user.id
  const hashOf = (text: string) => createHash('sha256').update(`${userId}${text}`).digest('hex')
  await deleteWhatNoKeyDeletes(tx, deps, userId)
  await logOut(tx, { userId, sessionId: '' }, 'global')
  await deleteAccountRows(tx, userId)
  await tx
    .update(users)
    .set({
      email: user.email ? hashOf(user.email) : null,
      phone: user.phone ? hashOf(user.phone).slice(0, 15) : null,
      encryptedPassword: null,
      emailChange: null,
      phoneChange: '',
      rawUserMetaData: {},
      rawAppMetaData: {},
      deletedAt: now,
      updatedAt: now,
    })
    .where(eq(users.id, userId))
}
