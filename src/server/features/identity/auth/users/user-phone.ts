import { and, eq, ne, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { identities, users } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'

/** Sets the phone number and its identity. @throws AppError phone_exists */
export async function setPhone(
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
