import { bigint, boolean, index, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { auth, userId, users } from './auth-users.ts'
import { bytea, instant } from './columns.ts'

/** Passkeys: discoverable credentials to sign in with. Security keys used as a second factor are in `mfa_factors`. */
export const webauthnCredentials = auth.table(
  'webauthn_credentials',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userId(),
    credentialId: bytea('credential_id').notNull(),
    publicKey: bytea('public_key').notNull(),
    attestationType: text('attestation_type').notNull().default(''),
    aaguid: uuid('aaguid'),
    signCount: bigint('sign_count', { mode: 'number' }).notNull().default(0),
    transports: jsonb('transports').$type<string[]>().notNull().default([]),
    backupEligible: boolean('backup_eligible').notNull().default(false),
    backedUp: boolean('backed_up').notNull().default(false),
    friendlyName: text('friendly_name').notNull().default(''),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [
    uniqueIndex('webauthn_credentials_credential_id_key').on(t.credentialId),
    index('webauthn_credentials_user_id_idx').on(t.userId),
  ],
)

/** Pending WebAuthn ceremonies. The first response consumes the row. */
export const webauthnChallenges = auth.table(
  'webauthn_challenges',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    challengeType: text('challenge_type').$type<'signup' | 'registration' | 'authentication'>().notNull(),
    sessionData: jsonb('session_data').$type<{ challenge: string; sessionId?: string }>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    index('webauthn_challenges_user_id_idx').on(t.userId),
    index('webauthn_challenges_expires_at_idx').on(t.expiresAt),
  ],
)
