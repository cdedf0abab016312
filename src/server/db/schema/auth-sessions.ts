import { bigserial, boolean, index, inet, text, timestamp, uniqueIndex, uuid, varchar } from 'drizzle-orm/pg-core'
import { trustedDevices } from './auth-extensions.ts'
import { auth, userId } from './auth-users.ts'
import { instant } from './columns.ts'

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
    sessionId: uuid('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    authenticationMethod: text('authentication_method').notNull(),
    id: uuid('id').primaryKey(),
  },
  (t) => [uniqueIndex('mfa_amr_claims_session_id_authentication_method_pkey').on(t.sessionId, t.authenticationMethod)],
)
