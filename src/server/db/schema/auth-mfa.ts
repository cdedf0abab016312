import { sql } from 'drizzle-orm'
import { index, inet, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { auth, userId } from './auth-users.ts'
import { instant } from './columns.ts'

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
    factorId: uuid('factor_id')
      .notNull()
      .references(() => mfaFactors.id, { onDelete: 'cascade' }),
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
