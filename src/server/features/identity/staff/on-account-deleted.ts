import { eq, or, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { staffInvitations, users } from '#server/db/schema/index.ts'

/** Deletes invitations by the account and to its address. Roles go with the account. */
export async function deleteStaffInvitations(tx: Tx, userId: string): Promise<void> {
  await tx
    .delete(staffInvitations)
    .where(
      or(
        eq(staffInvitations.invitedById, userId),
        eq(staffInvitations.email, sql`(select ${users.email} from ${users} where ${users.id} = ${userId}::uuid)`),
      ),
    )
}
