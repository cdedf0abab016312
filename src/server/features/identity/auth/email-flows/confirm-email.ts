import { eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { identities, users } from '#server/db/schema/index.ts'
import { giveStaffRole, readStaffPosition } from '../users/staff-roles.ts'

type Address = { userId: string; email: string; now: Date }

/** Marks an address as confirmed and its email identity as verified. `makesAdmin` grants the admin role as well. */
export async function confirmEmail(
  tx: Tx,
  { userId, email, makesAdmin = false, now }: Address & { makesAdmin?: boolean },
): Promise<void> {
  const verified = JSON.stringify({ email, email_verified: true })
  await autoConfirmEmail(tx, { userId, now })
  await tx
    .update(identities)
    .set({ identityData: sql`${identities.identityData} || ${verified}::jsonb`, updatedAt: now })
    .where(sql`${identities.userId} = ${userId} and ${identities.provider} = 'email'`)
  // A suspension by an owner counts more than ADMIN_EMAILS.
  if (makesAdmin && !(await readStaffPosition(tx, userId))?.isSuspended) await giveStaffRole(tx, userId, 'owner')
}

/** Marks an address as confirmed without verification (EMAIL_CONFIRMATION=off). The identity remains unverified. */
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
