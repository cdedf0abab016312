import { sql } from 'drizzle-orm'
import { index, jsonb, text, timestamp, uniqueIndex, uuid, varchar } from 'drizzle-orm/pg-core'
import { auth, userId } from './auth-users.ts'
import { instant } from './columns.ts'

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
