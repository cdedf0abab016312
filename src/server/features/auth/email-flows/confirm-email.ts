import { eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { identities, userRoles, users } from '#server/db/schema/index.ts'

type Address = { userId: string; email: string; now: Date }

/** Marks an address as proven by its mailbox, and gives the role that comes with it, if one does. */
export async function proveAddress(
  tx: Tx,
  { makesAdmin, ...address }: Address & { makesAdmin: boolean },
): Promise<void> {
  await confirmEmail(tx, address)
  if (makesAdmin) await tx.insert(userRoles).values({ userId: address.userId, role: 'admin' }).onConflictDoNothing()
}

/** The same where roles come by other means: on an operator's word, or with an invitation to a team. */
export async function confirmEmail(tx: Tx, { userId, email, now }: Address): Promise<void> {
  const verified = JSON.stringify({ email, email_verified: true })
  await autoConfirmEmail(tx, { userId, now })
  await tx
    .update(identities)
    .set({ identityData: sql`${identities.identityData} || ${verified}::jsonb`, updatedAt: now })
    .where(sql`${identities.userId} = ${userId} and ${identities.provider} = 'email'`)
}

/** Lets an address count as confirmed where nobody is asked to prove one; the identity keeps saying that nobody did. */
export async function autoConfirmEmail(tx: Tx, { userId, now }: Omit<Address, 'email'>): Promise<void> {
  await tx
    .update(users)
    .set({
      emailConfirmedAt: sql`coalesce(${users.emailConfirmedAt}, ${now.toISOString()}::timestamptz)`,
      rawUserMetaData: sql`coalesce(${users.rawUserMetaData}, '{}'::jsonb) || '{"email_verified": true}'::jsonb`,
      updatedAt: now,
    })
    .where(eq(users.id, userId))
}
