import { and, eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { identities, users } from '#server/db/schema/index.ts'
import type { UserData } from './user-metadata.ts'

/** Replaces password and metadata of an account with an unconfirmed address. */
export async function setCredentials(
  tx: Tx,
  account: { userId: string; email: string; passwordHash: string | null; data: UserData; now: Date },
): Promise<void> {
  const { userId, email, passwordHash, data, now } = account
  await tx
    .update(users)
    .set({ encryptedPassword: passwordHash, rawUserMetaData: data, updatedAt: now })
    .where(eq(users.id, userId))
  await tx
    .update(identities)
    .set({
      identityData: { ...data, sub: userId, email, email_verified: false, phone_verified: false },
      updatedAt: now,
    })
    .where(and(eq(identities.userId, userId), eq(identities.provider, 'email')))
}
