import { and, eq, isNull } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { users } from '#server/db/schema/index.ts'
import { isBanned } from '#server/features/identity/auth/sessions/session-row.ts'
import { AppError } from '#shared/errors.ts'

/** @throws AppError not_found; validation_failed for an account without an email address */
export async function findAccount(db: Db | Tx, userId: string, now: Date) {
  const [user] = await db
    .select({
      email: users.email,
      emailConfirmedAt: users.emailConfirmedAt,
      createdAt: users.createdAt,
      bannedUntil: users.bannedUntil,
      data: users.rawUserMetaData,
    })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt)))
  if (!user) throw new AppError('not_found')
  if (!user.email) throw new AppError('validation_failed', { message: 'This account has no email address' })
  return { ...user, email: user.email, isDisabled: isBanned({ banned_until: user.bannedUntil }, now) }
}
