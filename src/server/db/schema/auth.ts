import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  boolean,
  index,
  inet,
  jsonb,
  pgSchema,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core'
import { bytea, instant, partOf } from './columns.ts'

/**
 * The `auth` schema of Supabase Auth, column names included, so that a publisher can migrate in either direction with a
 * dump. It keeps columns that we never write. Columns marked "Ours" are additions, and so are the tables of backup codes,
 * known addresses, trusted devices and signing keys.
 */
export const auth = pgSchema('auth')

export const users = auth.table(
  'users',
  {
    instanceId: uuid('instance_id'),
    id: uuid('id').primaryKey(),
    aud: varchar('aud', { length: 255 }),
    role: varchar('role', { length: 255 }),
    /** Lower-cased before it is stored. */
    email: varchar('email', { length: 255 }),
    encryptedPassword: varchar('encrypted_password', { length: 255 }),
    emailConfirmedAt: instant('email_confirmed_at'),
    invitedAt: instant('invited_at'),
    confirmationToken: varchar('confirmation_token', { length: 255 }),
    confirmationSentAt: instant('confirmation_sent_at'),
    recoveryToken: varchar('recovery_token', { length: 255 }),
    recoverySentAt: instant('recovery_sent_at'),
    emailChangeTokenNew: varchar('email_change_token_new', { length: 255 }),
    emailChange: varchar('email_change', { length: 255 }),
    emailChangeSentAt: instant('email_change_sent_at'),
    lastSignInAt: instant('last_sign_in_at'),
    rawAppMetaData: jsonb('raw_app_meta_data').$type<Record<string, unknown>>(),
    rawUserMetaData: jsonb('raw_user_meta_data').$type<Record<string, unknown>>(),
    isSuperAdmin: boolean('is_super_admin'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    phone: text('phone'),
    phoneConfirmedAt: instant('phone_confirmed_at'),
    phoneChange: text('phone_change').default(''),
    phoneChangeToken: varchar('phone_change_token', { length: 255 }).default(''),
    phoneChangeSentAt: instant('phone_change_sent_at'),
    confirmedAt: instant('confirmed_at').generatedAlwaysAs(sql`least(email_confirmed_at, phone_confirmed_at)`),
    emailChangeTokenCurrent: varchar('email_change_token_current', { length: 255 }).default(''),
    emailChangeConfirmStatus: smallint('email_change_confirm_status').default(0),
    bannedUntil: instant('banned_until'),
    reauthenticationToken: varchar('reauthentication_token', { length: 255 }).default(''),
    reauthenticationSentAt: instant('reauthentication_sent_at'),
    isSsoUser: boolean('is_sso_user').notNull().default(false),
    deletedAt: instant('deleted_at'),
    isAnonymous: boolean('is_anonymous').notNull().default(false),
    /** Ours: created through the admin API and not by a sign-up, so its password and profile are trusted from the start. */
    createdByAdmin: boolean('created_by_admin').notNull().default(false),
  },
  (t) => [
    uniqueIndex('users_email_partial_key').on(t.email).where(sql`is_sso_user = false`),
    uniqueIndex('users_phone_key').on(t.phone),
    // Keyset pages of the admin list, newest first.
    index('users_created_at_id_idx').on(t.createdAt.desc(), t.id.desc()),
    index('users_email_prefix_idx').on(t.email.op('text_pattern_ops')),
    index('users_email_trgm_idx').using('gin', t.email.op('gin_trgm_ops')),
  ],
)

/** The account a row belongs to. The row is deleted with it. */
export const userId = () => partOf('user_id', () => users.id)

export const identities = auth.table(
  'identities',
  {
    providerId: text('provider_id').notNull(),
    userId: userId(),
    identityData: jsonb('identity_data').$type<Record<string, unknown>>().notNull(),
    provider: text('provider').notNull(),
    lastSignInAt: instant('last_sign_in_at'),
    createdAt: instant('created_at'),
    updatedAt: instant('updated_at'),
    email: text('email').generatedAlwaysAs(sql`lower(identity_data ->> 'email')`),
    id: uuid('id').primaryKey().defaultRandom(),
  },
  (t) => [
    uniqueIndex('identities_provider_id_provider_unique').on(t.providerId, t.provider),
    index('identities_user_id_idx').on(t.userId),
  ],
)

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

export const aalLevel = auth.enum('aal_level', ['aal1', 'aal2', 'aal3'])

export const sessions = auth.table(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: userId(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    factorId: uuid('factor_id'),
    aal: aalLevel('aal').notNull().default('aal1'),
    notAfter: instant('not_after'),
    /** UTC, without a time zone. */
    refreshedAt: timestamp('refreshed_at', { withTimezone: false }),
    userAgent: text('user_agent'),
    ip: inet('ip'),
    tag: text('tag'),
    /** Ours: the account has a second factor that this session hasn't verified yet. It can only do that, or sign out. */
    awaitsSecondFactor: boolean('awaits_second_factor').notNull().default(false),
    /** Ours: the trust that replaced the second factor. The session ends with it. */
    trustedDeviceId: uuid('trusted_device_id').references(() => trustedDevices.id, { onDelete: 'cascade' }),
  },
  (t) => [
    index('sessions_trusted_device_id_idx').on(t.trustedDeviceId),
    index('user_id_created_at_idx').on(t.userId, t.createdAt),
    index('sessions_not_after_idx').on(t.notAfter.desc()),
  ],
)

/** `token` and `parent` are SHA-256 hashes, so a leaked table contains no usable token. */
export const refreshTokens = auth.table(
  'refresh_tokens',
  {
    instanceId: uuid('instance_id'),
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    token: varchar('token', { length: 255 }),
    userId: varchar('user_id', { length: 255 }),
    revoked: boolean('revoked').notNull().default(false),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    parent: varchar('parent', { length: 255 }),
    sessionId: uuid('session_id').references(() => sessions.id, { onDelete: 'cascade' }),
  },
  (t) => [
    uniqueIndex('refresh_tokens_token_unique').on(t.token),
    index('refresh_tokens_session_id_revoked_idx').on(t.sessionId, t.revoked),
    index('refresh_tokens_parent_idx').on(t.parent),
  ],
)

export const mfaAmrClaims = auth.table(
  'mfa_amr_claims',
  {
    sessionId: partOf('session_id', () => sessions.id),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    authenticationMethod: text('authentication_method').notNull(),
    id: uuid('id').primaryKey(),
  },
  (t) => [uniqueIndex('mfa_amr_claims_session_id_authentication_method_pkey').on(t.sessionId, t.authenticationMethod)],
)

export const codeChallengeMethod = auth.enum('code_challenge_method', ['s256', 'plain'])
export const oneTimeTokenType = auth.enum('one_time_token_type', [
  'confirmation_token',
  'reauthentication_token',
  'recovery_token',
  'email_change_token_new',
  'email_change_token_current',
  'phone_change_token',
])

export const oneTimeTokens = auth.table(
  'one_time_tokens',
  {
    id: uuid('id').primaryKey(),
    userId: userId(),
    tokenType: oneTimeTokenType('token_type').notNull(),
    tokenHash: text('token_hash').notNull(),
    relatesTo: text('relates_to').notNull(),
    /** Ours: password hash of the sign-up that requested this token. It takes effect only when this token is verified. */
    encryptedPassword: varchar('encrypted_password', { length: 255 }),
    /** Ours: metadata of the sign-up that requested this token. */
    rawUserMetaData: jsonb('raw_user_meta_data').$type<Record<string, unknown>>(),
    createdAt: timestamp('created_at').notNull().defaultNow(),
    updatedAt: timestamp('updated_at').notNull().defaultNow(),
  },
  (t) => [
    index('one_time_tokens_token_hash_hash_idx').using('hash', t.tokenHash),
    index('one_time_tokens_relates_to_hash_idx').using('hash', t.relatesTo),
    // One token of each type per user, except that every sign-up has its own.
    uniqueIndex('one_time_tokens_user_id_token_type_key')
      .on(t.userId, t.tokenType)
      .where(sql`encrypted_password is null`),
    index('one_time_tokens_user_id_idx').on(t.userId),
  ],
)

export const flowState = auth.table(
  'flow_state',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id'),
    authCode: text('auth_code').notNull(),
    codeChallengeMethod: codeChallengeMethod('code_challenge_method').notNull(),
    codeChallenge: text('code_challenge').notNull(),
    providerType: text('provider_type').notNull(),
    providerAccessToken: text('provider_access_token'),
    providerRefreshToken: text('provider_refresh_token'),
    createdAt: instant('created_at'),
    updatedAt: instant('updated_at'),
    authenticationMethod: text('authentication_method').notNull(),
    authCodeIssuedAt: instant('auth_code_issued_at'),
    /** Ours: SHA-256 of the token in this flow's link. Only this flow receives the auth code that the link yields. */
    linkTokenHash: text('link_token_hash'),
    /** Ours: the one-time token that following the link consumes. */
    oneTimeTokenId: uuid('one_time_token_id'),
  },
  (t) => [
    index('flow_state_link_token_hash_idx').on(t.linkTokenHash),
    index('flow_state_one_time_token_id_idx').on(t.oneTimeTokenId),
    index('flow_state_user_id_idx').on(t.userId),
  ],
)

export const factorType = auth.enum('factor_type', ['totp', 'webauthn', 'phone'])
export const factorStatus = auth.enum('factor_status', ['unverified', 'verified'])

export const mfaFactors = auth.table(
  'mfa_factors',
  {
    id: uuid('id').primaryKey(),
    userId: userId(),
    friendlyName: text('friendly_name'),
    factorType: factorType('factor_type').notNull(),
    status: factorStatus('status').notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    /** TOTP secret, encrypted with SECRET_KEY. */
    secret: text('secret'),
    phone: text('phone'),
    lastChallengedAt: instant('last_challenged_at').unique(),
    webAuthnCredential: jsonb('web_authn_credential'),
    webAuthnAaguid: uuid('web_authn_aaguid'),
    lastWebauthnChallengeData: jsonb('last_webauthn_challenge_data'),
  },
  (t) => [
    uniqueIndex('mfa_factors_user_friendly_name_unique')
      .on(t.friendlyName, t.userId)
      .where(sql`trim(both from friendly_name) <> ''`),
    index('mfa_factors_user_id_idx').on(t.userId),
  ],
)

export const mfaChallenges = auth.table(
  'mfa_challenges',
  {
    id: uuid('id').primaryKey(),
    factorId: partOf('factor_id', () => mfaFactors.id),
    createdAt: instant('created_at').notNull(),
    verifiedAt: instant('verified_at'),
    ipAddress: inet('ip_address').notNull(),
    otpCode: text('otp_code'),
    webAuthnSessionData: jsonb('web_authn_session_data'),
  },
  (t) => [
    index('mfa_challenge_created_at_idx').on(t.createdAt.desc()),
    index('mfa_challenges_factor_id_idx').on(t.factorId),
  ],
)

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

export const auditLogEntries = auth.table(
  'audit_log_entries',
  {
    instanceId: uuid('instance_id'),
    id: uuid('id').primaryKey(),
    payload: jsonb('payload'),
    createdAt: instant('created_at'),
    ipAddress: varchar('ip_address', { length: 64 }).notNull().default(''),
  },
  (t) => [
    index('audit_log_entries_created_at_idx').on(t.createdAt),
    // Keyset pages, newest first: all entries, by account, by event type.
    index('audit_log_entries_created_at_id_idx').on(t.createdAt.desc(), t.id.desc()),
    index('audit_log_entries_user_idx').on(sql`(payload ->> 'user_id')`, t.createdAt.desc(), t.id.desc()),
    index('audit_log_entries_action_idx').on(sql`(payload ->> 'action')`, t.createdAt.desc(), t.id.desc()),
    index('audit_log_entries_actor_idx')
      .on(sql`(payload ->> 'actor_id')`, t.createdAt.desc(), t.id.desc())
      .where(sql`payload ->> 'actor_id' is not null`),
    // Finds the acts of staff among an account's thousands of sign-ins.
    index('audit_log_entries_staff_idx')
      .on(sql`(payload ->> 'user_id')`, t.createdAt.desc(), t.id.desc())
      .where(sql`payload ->> 'by' is not null`),
    // Finds the changes of an account's access.
    index('audit_log_entries_access_idx')
      .on(sql`(payload ->> 'user_id')`, t.createdAt.desc(), t.id.desc())
      .where(
        sql`payload ->> 'action' in ('access_granted', 'access_revoked', 'team_joined', 'team_left', 'team_removed', 'account_disabled', 'account_enabled')`,
      ),
    // Finds the entry of a deleted account by the hash of its address.
    index('audit_log_entries_email_hash_idx')
      .on(sql`(payload ->> 'email_hash')`)
      .where(sql`payload ->> 'email_hash' is not null`),
  ],
)
