import { eq, sql } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import type { Tx } from '#server/db/database.ts'
import { identities, userRoles, users } from '#server/db/schema/index.ts'

/** Marks an address as proven, and gives the operator's own addresses their role: only now, since before anybody could claim one. */
export async function proveAddress(
  tx: Tx,
  config: Pick<Config, 'adminEmails'>,
  { userId, email, now }: { userId: string; email: string; now: Date },
): Promise<void> {
  const verified = JSON.stringify({ email, email_verified: true })
  await tx
    .update(users)
    .set({
      emailConfirmedAt: sql`coalesce(${users.emailConfirmedAt}, ${now.toISOString()}::timestamptz)`,
      rawUserMetaData: sql`coalesce(${users.rawUserMetaData}, '{}'::jsonb) || '{"email_verified": true}'::jsonb`,
      updatedAt: now,
    })
    .where(eq(users.id, userId))
  await tx
    .update(identities)
    .set({ identityData: sql`${identities.identityData} || ${verified}::jsonb`, updatedAt: now })
    .where(sql`${identities.userId} = ${userId} and ${identities.provider} = 'email'`)
  if (config.adminEmails.includes(email)) {
    await tx.insert(userRoles).values({ userId, role: 'admin' }).onConflictDoNothing()
  }
}
