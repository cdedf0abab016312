import type { Db, Tx } from '#server/db/database.ts'
import { identities, userRoles, users } from '#server/db/schema/index.ts'
import { sqlState, uniqueViolation } from '#server/db/sql-state.ts'
import { type RetainedDeps, restoreSuppressions } from '#server/mail/retained-suppressions.ts'
import { AppError } from '#shared/errors.ts'
import { normalizeEmail } from '../email-flows/email-address.ts'

export type NewUser = {
  id?: string
  email: string
  /** PHC string; null for an account that has only ever used mailed links. */
  passwordHash: string | null
  /** Shown as `user_metadata`; the user may change it. */
  data?: Record<string, unknown>
  now: Date
}

/**
 * Writes an account and its e-mail identity. Runs in the caller's transaction, so that nobody is left half made.
 * @throws AppError user_already_exists, decided by the unique index and not by a look beforehand
 */
export async function createUser(
  tx: Db | Tx,
  deps: RetainedDeps,
  user: NewUser & {
    confirmedAt?: Date | null
    confirmationSentAt?: Date | null
    createdByAdmin?: boolean
    /** Whether the mailbox has shown that it is theirs; where nobody is asked to, it counts as confirmed without. */
    proven?: boolean
  },
): Promise<{ id: string; email: string }> {
  const { now, data = {}, confirmedAt = null, confirmationSentAt = null } = user
  const id = user.id ?? crypto.randomUUID()
  const email = normalizeEmail(user.email)
  const confirmed = confirmedAt !== null
  const proven = user.proven ?? confirmed
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
    identityData: { ...data, sub: id, email, email_verified: proven, phone_verified: false },
    createdAt: now,
    updatedAt: now,
  })
  await restoreSuppressions(tx, deps, email)
  return { id, email }
}

/** An account of somebody who has not said who they are. */
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

/** An account whose address needs no proof, for seeds and for operators. Give `isAdmin` to nobody else. */
export async function createConfirmedUser(
  tx: Db | Tx,
  deps: RetainedDeps,
  user: NewUser & { isAdmin?: boolean },
): Promise<{ id: string; email: string }> {
  const created = await createUser(tx, deps, { ...user, confirmedAt: user.now })
  if (user.isAdmin) await tx.insert(userRoles).values({ userId: created.id, role: 'admin' }).onConflictDoNothing()
  return created
}
