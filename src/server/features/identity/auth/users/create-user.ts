import { type Db, sqlState, type Tx, uniqueViolation } from '#server/db/database.ts'
import { identities, userRoles, users } from '#server/db/schema/index.ts'
import { type RetainedDeps, restoreSuppressions } from '#server/mail/retained-suppressions.ts'
import { normalizeEmail } from '#shared/domain/email-address.ts'
import { AppError } from '#shared/errors.ts'

export type NewUser = {
  id?: string
  email: string
  /** PHC string; null for an account without a password. */
  passwordHash: string | null
  /** `user_metadata`, which the user can change. */
  data?: Record<string, unknown>
  now: Date
}

/**
 * Creates a user with an email identity. Call it in a transaction.
 * @throws AppError user_already_exists
 */
export async function createUser(
  tx: Db | Tx,
  deps: RetainedDeps,
  user: NewUser & {
    confirmedAt?: Date | null
    confirmationSentAt?: Date | null
    createdByAdmin?: boolean
    /** True if the address was verified by email. Default: whether it is confirmed. */
    emailVerified?: boolean
  },
): Promise<{ id: string; email: string }> {
  const { now, data = {}, confirmedAt = null, confirmationSentAt = null } = user
  const id = user.id ?? crypto.randomUUID()
  const email = normalizeEmail(user.email)
  const confirmed = confirmedAt !== null
  const emailVerified = user.emailVerified ?? confirmed
  try {
    await tx.insert(users).values({
      id,
      aud: 'authenticated',
      role: 'authenticated',
      email,
      encryptedPassword: user.passwordHash,
      emailConfirmedAt: confirmedAt,
      confirmationSentAt,
      rawAppMetaData: { provider: 'email', providers: ['email'] },
      rawUserMetaData: confirmed ? { ...data, email_verified: true } : data,
      createdAt: now,
      updatedAt: now,
      createdByAdmin: user.createdByAdmin ?? false,
    })
  } catch (error) {
    if (sqlState(error) === uniqueViolation) throw new AppError('user_already_exists', { cause: error })
    throw error
  }
  await tx.insert(identities).values({
    providerId: id,
    userId: id,
    provider: 'email',
    identityData: { ...data, sub: id, email, email_verified: emailVerified, phone_verified: false },
    createdAt: now,
    updatedAt: now,
  })
  await restoreSuppressions(tx, deps, email)
  return { id, email }
}

export async function createAnonymousUser(
  tx: Db | Tx,
  { id = crypto.randomUUID(), data, now }: { id?: string; data: Record<string, unknown>; now: Date },
): Promise<string> {
  await tx.insert(users).values({
    id,
    aud: 'authenticated',
    role: 'authenticated',
    rawAppMetaData: {},
    rawUserMetaData: data,
    isAnonymous: true,
    createdAt: now,
    updatedAt: now,
  })
  return id
}

/** Creates a user with a confirmed address, for seeds and tests. `isAdmin` grants the admin role. */
export async function createConfirmedUser(
  tx: Db | Tx,
  deps: RetainedDeps,
  user: NewUser & { isAdmin?: boolean },
): Promise<{ id: string; email: string }> {
  const created = await createUser(tx, deps, { ...user, confirmedAt: user.now })
  if (user.isAdmin) await tx.insert(userRoles).values({ userId: created.id, role: 'admin' }).onConflictDoNothing()
  return created
}
