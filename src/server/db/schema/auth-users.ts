import { sql } from 'drizzle-orm'
import { boolean, index, jsonb, pgSchema, smallint, text, uniqueIndex, uuid, varchar } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/**
 * The `auth` schema of Supabase Auth, column names included, so that a publisher can migrate in either direction with a
 * dump. It keeps columns that we never write. Columns marked "Ours" are additions; tables of ours are in
 * `auth-extensions.ts`.
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
export const userId = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

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
