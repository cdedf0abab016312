import { asc } from 'drizzle-orm'
import { staffInvitations, suspendedStaff } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'
import { ownRow, ownRows } from '#server/own-rows.ts'

export const exportedData: ExportParts = {
  suspendedRole: ownRow(suspendedStaff.userId, { role: suspendedStaff.role, suspendedAt: suspendedStaff.suspendedAt }),
  staffInvitations: ownRows(
    staffInvitations.invitedById,
    { email: staffInvitations.email, role: staffInvitations.role, sentAt: staffInvitations.sentAt },
    asc(staffInvitations.email),
  ),
}
