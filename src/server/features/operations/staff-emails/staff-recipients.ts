import { eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { staffEmailChoice, staffEmailSent, userRoles, users } from '#server/db/schema/index.ts'
import { maySeeStaffEmail, type StaffEmailKind } from '#shared/domain/staff-emails.ts'
import { parseStoredRole, type StaffRole } from '#shared/domain/staff-roles.ts'

/** Confirmed addresses of active staff who turned the email on and whose role may see it. */
export async function listStaffRecipients(
  tx: Tx,
  kind: StaffEmailKind,
  now: Date,
): Promise<{ email: string; role: StaffRole }[]> {
  const rows = await tx
    .select({ email: users.email, role: userRoles.role })
    .from(staffEmailChoice)
    .innerJoin(userRoles, eq(userRoles.userId, staffEmailChoice.userId))
    .innerJoin(users, eq(users.id, staffEmailChoice.userId))
    .where(
      sql`${staffEmailChoice.kind} = ${kind} and ${users.emailConfirmedAt} is not null and ${users.deletedAt} is null
        and coalesce(${users.bannedUntil} <= ${now.toISOString()}::timestamptz, true)`,
    )
    .orderBy(users.email)
  return rows.flatMap(({ email, role: stored }) => {
    const role = parseStoredRole(stored)
    return email && role && maySeeStaffEmail(role, kind) ? [{ email, role }] : []
  })
}

/** When the last email of the kind was enqueued. Keeps other workers waiting until the end of the transaction. */
export async function lockLastSent(tx: Tx, kind: StaffEmailKind): Promise<Date> {
  await tx
    .insert(staffEmailSent)
    .values({ kind, sentAt: new Date(0) })
    .onConflictDoNothing()
  const [row] = await tx.select().from(staffEmailSent).where(eq(staffEmailSent.kind, kind)).for('update')
  return row?.sentAt ?? new Date(0)
}

export async function setLastSent(tx: Tx, kind: StaffEmailKind, sentAt: Date): Promise<void> {
  await tx.update(staffEmailSent).set({ sentAt }).where(eq(staffEmailSent.kind, kind))
}
