import { desc, eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import {
  backupCodes,
  identities,
  knownAddresses,
  mfaFactors,
  sessions,
  teamInvitation,
  teamSeat,
  userPreferences,
  userRoles,
  users,
  webauthnCredentials,
} from '#server/db/schema/index.ts'
import { ofUser, readSecurityLog } from '#server/features/auth/security/security-log.ts'
import { heldBilling } from './held-billing.ts'
import { heldDesk } from './held-desk.ts'
import { heldMail } from './held-mail.ts'
import { one } from './one.ts'

type Read = (tx: Tx, userId: string) => Promise<unknown>

/** More lines of the log than a person makes before they are removed by age. */
const mostEvents = 10_000

/**
 * What the export says, part by part, each naming the tables that it tells of. Columns are named one by one: what is
 * added to a table later is not told to anybody by accident, and hashes, keys and ids of other people are not here.
 */
export const heldData: Record<string, { tables: readonly string[]; read: Read }> = {
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
  preferences: {
    tables: ['public.user_preferences'],
    read: (tx, userId) =>
      one(
        tx
          .select({
            focusAreas: userPreferences.focusAreas,
            aiLevel: userPreferences.aiLevel,
            goals: userPreferences.goals,
            franchiseType: userPreferences.franchiseType,
            welcomeMailAt: userPreferences.welcomedAt,
            createdAt: userPreferences.createdAt,
            updatedAt: userPreferences.updatedAt,
          })
          .from(userPreferences)
          .where(eq(userPreferences.userId, userId)),
      ),
  },
  sessions: {
    tables: ['auth.sessions', 'auth.mfa_amr_claims'],
    read: (tx, userId) =>
      tx
        .select({
          id: sessions.id,
          userAgent: sessions.userAgent,
          ip: sessions.ip,
          assuranceLevel: sessions.aal,
          methods: sql<string[]>`array(select a.authentication_method from auth.mfa_amr_claims a
            where a.session_id = auth.sessions.id order by 1)`,
          startedAt: sessions.createdAt,
          lastUsedAt: sessions.updatedAt,
          endsAt: sessions.notAfter,
        })
        .from(sessions)
        .where(eq(sessions.userId, userId))
        .orderBy(desc(sessions.createdAt)),
  },
  secondSteps: {
    tables: ['auth.mfa_factors'],
    read: (tx, userId) =>
      tx
        .select({
          type: mfaFactors.factorType,
          status: mfaFactors.status,
          name: mfaFactors.friendlyName,
          phone: mfaFactors.phone,
          createdAt: mfaFactors.createdAt,
          lastUsedAt: mfaFactors.lastChallengedAt,
        })
        .from(mfaFactors)
        .where(eq(mfaFactors.userId, userId)),
  },
  passkeys: {
    tables: ['auth.webauthn_credentials'],
    read: (tx, userId) =>
      tx
        .select({
          name: webauthnCredentials.friendlyName,
          transports: webauthnCredentials.transports,
          backedUp: webauthnCredentials.backedUp,
          createdAt: webauthnCredentials.createdAt,
          lastUsedAt: webauthnCredentials.lastUsedAt,
        })
        .from(webauthnCredentials)
        .where(eq(webauthnCredentials.userId, userId)),
  },
  backupCodes: {
    tables: ['auth.backup_codes'],
    read: (tx, userId) =>
      tx
        .select({ createdAt: backupCodes.createdAt, usedAt: backupCodes.usedAt })
        .from(backupCodes)
        .where(eq(backupCodes.userId, userId)),
  },
  ...heldBilling,
  team: { tables: ['public.team_seat', 'public.team_invitation'], read: readTeam },
  ...heldMail,
  ...heldDesk,
  securityEvents: { tables: ['auth.audit_log_entries'], read: readEvents },
  knownAddresses: { tables: ['auth.known_addresses'], read: readKnownAddresses },
}

/** What hangs on an account and is not told, each with its reason. */
export const leftOut: Readonly<Record<string, string>> = {
  'auth.refresh_tokens': 'hashes of the keys of sessions, which are listed themselves',
  'auth.one_time_tokens': 'hashes of mailed codes, which live for an hour',
  'auth.flow_state': 'hashes of codes between two pages, which live for minutes',
  'auth.mfa_challenges': 'questions to a second step, which live for minutes',
  'auth.webauthn_challenges': 'questions to a passkey, which live for minutes',
  'public.trial_usage': 'hashes of addresses; that a trial was had is told with the subscription',
  'public.revenue_change': 'sums of invoices, which are told themselves',
  'public.revenue_customer': 'when those sums were made',
}

function readAccount(tx: Tx, userId: string) {
  return one(
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
        mailsSentAt: {
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

/** Seats and invitations that they gave, with the addresses they typed, and the seat that they have. */
async function readTeam(tx: Tx, userId: string) {
  const invitations = await tx
    .select({
      email: teamInvitation.email,
      createdAt: teamInvitation.createdAt,
      sentAt: teamInvitation.sentAt,
      expiresAt: teamInvitation.expiresAt,
      acceptedAt: teamInvitation.acceptedAt,
    })
    .from(teamInvitation)
    .where(eq(teamInvitation.ownerId, userId))
  const given = await tx
    .select({ seat: teamSeat.seat, joinedAt: teamSeat.joinedAt })
    .from(teamSeat)
    .where(eq(teamSeat.ownerId, userId))
  const own = tx.select({ joinedAt: teamSeat.joinedAt }).from(teamSeat).where(eq(teamSeat.userId, userId))
  return { memberOfATeam: await one(own), seatsGiven: given, invitations }
}

/** Who else did something is said, not by which address: that is somebody else's. */
async function readEvents(tx: Tx, userId: string) {
  const events = await readSecurityLog(tx, { where: [ofUser(userId)], limit: mostEvents })
  return events.map(({ at, event, email, by, device, ip, note }) => ({
    at,
    event,
    email,
    by: by ? 'the publisher' : 'you',
    device: by ? '' : device,
    ip: by ? '' : ip,
    note,
  }))
}

/** Addresses they signed in from, and those where they verified a second factor. */
async function readKnownAddresses(tx: Tx, userId: string) {
  const rows = await tx.select().from(knownAddresses).where(eq(knownAddresses.userId, userId))
  return rows.map(({ ip, kind, expiresAt }) => ({ ip, secondStep: kind === 'mfa', rememberedUntil: expiresAt }))
}
