import { asc, eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import {
  identities,
  memberNotes,
  staffInvitations,
  suspendedStaff,
  userPreferences,
  userRoles,
  users,
  viewAsSessions,
} from '#server/db/schema/index.ts'
import { type ExportParts, firstOrNull } from './export-part.ts'

export const accountParts: ExportParts = {
  account: { tables: ['auth.users'], read: readAccount },
  identities: {
    tables: ['auth.identities'],
    read: (tx, userId) =>
      tx
        .select({
          provider: identities.provider,
          data: identities.identityData,
          createdAt: identities.createdAt,
          lastSignInAt: identities.lastSignInAt,
        })
        .from(identities)
        .where(eq(identities.userId, userId)),
  },
  roles: {
    tables: ['public.user_roles'],
    read: async (tx, userId) => {
      const rows = await tx.select({ role: userRoles.role }).from(userRoles).where(eq(userRoles.userId, userId))
      return rows.map(({ role }) => role)
    },
  },
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
  /** Without the authors, who are other people. */
  staffNotes: {
    tables: ['public.member_notes'],
    read: (tx, userId) =>
      tx
        .select({ text: memberNotes.text, createdAt: memberNotes.createdAt, updatedAt: memberNotes.updatedAt })
        .from(memberNotes)
        .where(eq(memberNotes.userId, userId))
        .orderBy(asc(memberNotes.createdAt), asc(memberNotes.id)),
  },
  viewedByStaff: {
    tables: ['public.view_as_sessions'],
    read: (tx, userId) =>
      tx
        .select({
          startedAt: viewAsSessions.createdAt,
          expiresAt: viewAsSessions.expiresAt,
          endedAt: viewAsSessions.endedAt,
        })
        .from(viewAsSessions)
        .where(eq(viewAsSessions.userId, userId))
        .orderBy(asc(viewAsSessions.createdAt), asc(viewAsSessions.id)),
  },
  preferences: {
    tables: ['public.user_preferences'],
    read: (tx, userId) =>
      firstOrNull(
        tx
          .select({
            focusAreas: userPreferences.focusAreas,
            aiLevel: userPreferences.aiLevel,
            goals: userPreferences.goals,
            franchiseType: userPreferences.franchiseType,
            welcomeEmailAt: userPreferences.welcomedAt,
            createdAt: userPreferences.createdAt,
            updatedAt: userPreferences.updatedAt,
          })
          .from(userPreferences)
          .where(eq(userPreferences.userId, userId)),
      ),
  },
}

function readAccount(tx: Tx, userId: string) {
  return firstOrNull(
    tx
      .select({
        id: users.id,
        email: users.email,
        emailConfirmedAt: users.emailConfirmedAt,
        newEmail: users.emailChange,
        phone: users.phone,
        phoneConfirmedAt: users.phoneConfirmedAt,
        hasPassword: sql<boolean>`coalesce(${users.encryptedPassword}, '') <> ''`,
        isAnonymous: users.isAnonymous,
        data: users.rawUserMetaData,
        appData: users.rawAppMetaData,
        createdAt: users.createdAt,
        updatedAt: users.updatedAt,
        invitedAt: users.invitedAt,
        lastSignInAt: users.lastSignInAt,
        emailsSentAt: {
          confirmation: users.confirmationSentAt,
          recovery: users.recoverySentAt,
          emailChange: users.emailChangeSentAt,
          reauthentication: users.reauthenticationSentAt,
        },
      })
      .from(users)
      .where(eq(users.id, userId)),
  )
}
