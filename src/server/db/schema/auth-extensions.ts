import { index, jsonb, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { auth, userId } from './auth-users.ts'
import { instant } from './columns.ts'

/** Single-use recovery codes for a lost second factor. Used codes are kept, to show how many are left. */
export const backupCodes = auth.table(
  'backup_codes',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userId(),
    codeHash: text('code_hash').notNull(),
    createdAt: instant('created_at').notNull(),
    usedAt: instant('used_at'),
  },
  (t) => [uniqueIndex('backup_codes_user_id_code_hash_key').on(t.userId, t.codeHash)],
)

/** Addresses from which a user has recently signed in or verified a second factor, kept for 90 days after the last time. */
export const knownAddresses = auth.table(
  'known_addresses',
  {
    userId: userId(),
    kind: text('kind').$type<'sign_in' | 'mfa'>().notNull(),
    ip: text('ip').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.kind, t.ip] }), index('known_addresses_expires_at_idx').on(t.expiresAt)],
)

/** Devices on which a password alone signs in for a while, after the second factor was verified there. */
export const trustedDevices = auth.table(
  'trusted_devices',
  {
    id: uuid('id').primaryKey(),
    userId: userId(),
    userAgent: text('user_agent'),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('trusted_devices_user_id_idx').on(t.userId), index('trusted_devices_expires_at_idx').on(t.expiresAt)],
)

/** Keys that sign access tokens. The private part is encrypted with SECRET_KEY. */
export const signingKeys = auth.table('signing_keys', {
  kid: text('kid').primaryKey(),
  publicJwk: jsonb('public_jwk').$type<Record<string, unknown>>().notNull(),
  privateJwkEncrypted: text('private_jwk_encrypted').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
  /** When a newer key takes over signing. This key still verifies until the last token it signed has expired. */
  retiredAt: instant('retired_at'),
})
