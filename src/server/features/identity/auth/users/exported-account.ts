import { eq, sql } from 'drizzle-orm'
import { firstOrNull, type Tx } from '#server/db/database.ts'
import { userRoles, users } from '#server/db/schema/index.ts'
import type { PersonReaders } from '#server/feature.ts'

export const exportedAccount: PersonReaders = {
  account: readAccount,
  roles: async (tx, userId) => {
    const rows = await tx.select({ role: userRoles.role }).from(userRoles).where(eq(userRoles.userId, userId))
    return rows.map(({ role }) => role)
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
