import { and, eq } from 'drizzle-orm'
import { staffEmailChoice } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import type { Principal } from '#server/http/principal.ts'
import { maySeeStaffEmail, type StaffEmailKind, staffEmailKinds } from '#shared/domain/staff-emails.ts'
import { AppError } from '#shared/errors.ts'

type ChoiceDeps = Pick<Deps, 'database' | 'clock'>

/** The emails that the person's role may choose, and whether each is on. All are off until chosen. */
export async function readStaffEmails({ database }: ChoiceDeps, { userId, staffRole: role }: Principal) {
  const rows = await database.db
    .select({ kind: staffEmailChoice.kind })
    .from(staffEmailChoice)
    .where(eq(staffEmailChoice.userId, userId))
  return staffEmailKinds
    .filter((kind) => role !== null && maySeeStaffEmail(role, kind))
    .map((kind) => ({ kind, on: rows.some((row) => row.kind === kind) }))
}

/** @throws AppError not_admin for an email that the person's role may not see */
export async function chooseStaffEmail(
  { database, clock }: ChoiceDeps,
  { userId, staffRole: role }: Principal,
  { kind, on }: { kind: StaffEmailKind; on: boolean },
): Promise<void> {
  if (!role || !maySeeStaffEmail(role, kind)) throw new AppError('not_admin')
  if (on) {
    await database.db.insert(staffEmailChoice).values({ userId, kind, chosenAt: clock() }).onConflictDoNothing()
  } else {
    await database.db
      .delete(staffEmailChoice)
      .where(and(eq(staffEmailChoice.userId, userId), eq(staffEmailChoice.kind, kind)))
  }
}
