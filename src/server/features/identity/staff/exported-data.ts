import { asc, eq } from 'drizzle-orm'
import { firstOrNull } from '#server/db/first-or-null.ts'
import { staffInvitations, suspendedStaff } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'

export const exportedData: ExportParts = {
  suspendedRole: {
    tables: ['public.suspended_staff'],
    read: (tx, userId) =>
      firstOrNull(
        tx
          .select({ role: suspendedStaff.role, suspendedAt: suspendedStaff.suspendedAt })
          .from(suspendedStaff)
          .where(eq(suspendedStaff.userId, userId)),
      ),
  },
  staffInvitations: {
    tables: ['public.staff_invitations'],
    read: (tx, userId) =>
      tx
        .select({ email: staffInvitations.email, role: staffInvitations.role, sentAt: staffInvitations.sentAt })
        .from(staffInvitations)
        .where(eq(staffInvitations.invitedById, userId))
        .orderBy(asc(staffInvitations.email)),
  },
}
