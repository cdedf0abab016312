import { index, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { auth, userId, users } from './auth.ts'
import { instant, partOf } from './columns.ts'

export const oauthRegistrationType = auth.enum('oauth_registration_type', ['dynamic', 'manual'])
export const oauthClientType = auth.enum('oauth_client_type', ['public', 'confidential'])
export const oauthAuthorizationStatus = auth.enum('oauth_authorization_status', [
  'pending',
  'approved',
  'denied',
  'expired',
])

/** Programs that may ask for a connection. Lists are separated by commas. */
export const oauthClients = auth.table(
  'oauth_clients',
  {
    id: uuid('id').primaryKey(),
    clientSecretHash: text('client_secret_hash'),
    registrationType: oauthRegistrationType('registration_type').notNull(),
    redirectUris: text('redirect_uris').notNull(),
    grantTypes: text('grant_types').notNull(),
    clientName: text('client_name'),
    clientUri: text('client_uri'),
    logoUri: text('logo_uri'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    deletedAt: instant('deleted_at'),
    clientType: oauthClientType('client_type').notNull().default('confidential'),
    tokenEndpointAuthMethod: text('token_endpoint_auth_method').notNull(),
    /** Ours: address of the client ID metadata document, which is the client's id then. */
    metadataUrl: text('metadata_url'),
  },
  (t) => [
    uniqueIndex('oauth_clients_metadata_url_key').on(t.metadataUrl),
    index('oauth_clients_created_at_idx').on(t.createdAt),
  ],
)

const clientId = () => partOf('client_id', () => oauthClients.id)

/** Requests for a connection that wait for consent, or whose code wasn't exchanged yet. */
export const oauthAuthorizations = auth.table(
  'oauth_authorizations',
  {
    id: uuid('id').primaryKey(),
    authorizationId: text('authorization_id').notNull(),
    clientId: clientId(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    redirectUri: text('redirect_uri').notNull(),
    scope: text('scope').notNull(),
    state: text('state'),
    resource: text('resource'),
    codeChallenge: text('code_challenge'),
    status: oauthAuthorizationStatus('status').notNull().default('pending'),
    /** SHA-256 of the code. */
    authorizationCode: text('authorization_code'),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    approvedAt: instant('approved_at'),
  },
  (t) => [
    uniqueIndex('oauth_authorizations_authorization_id_key').on(t.authorizationId),
    uniqueIndex('oauth_authorizations_authorization_code_key').on(t.authorizationCode),
    index('oauth_authorizations_client_id_idx').on(t.clientId),
    index('oauth_authorizations_user_id_idx').on(t.userId),
    index('oauth_authorizations_expires_at_idx').on(t.expiresAt),
  ],
)

/** Connections: what someone allows a client. Ending one deletes it, and its tokens with it. */
export const oauthConsents = auth.table(
  'oauth_consents',
  {
    id: uuid('id').primaryKey(),
    userId: userId(),
    clientId: clientId(),
    /** Separated by spaces. */
    scopes: text('scopes').notNull(),
    grantedAt: instant('granted_at').notNull().defaultNow(),
    revokedAt: instant('revoked_at'),
    /** Ours: to the minute. */
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [
    uniqueIndex('oauth_consents_user_client_unique').on(t.userId, t.clientId),
    index('oauth_consents_client_id_idx').on(t.clientId),
  ],
)

/** Ours: a refresh token and those it replaced. Reusing an earlier one deletes the row, which ends its access tokens too. */
export const oauthTokenFamilies = auth.table(
  'oauth_token_families',
  {
    id: uuid('id').primaryKey(),
    consentId: partOf('consent_id', () => oauthConsents.id),
    /** The address that its access tokens open. */
    resource: text('resource').notNull(),
    /** SHA-256 of the code that it was made from, which doesn't work twice. */
    codeHash: text('code_hash').notNull(),
    /** SHA-256 of the refresh token that is valid now. */
    refreshTokenHash: text('refresh_token_hash').notNull(),
    createdAt: instant('created_at').notNull(),
    refreshedAt: instant('refreshed_at').notNull(),
  },
  (t) => [
    uniqueIndex('oauth_token_families_code_hash_key').on(t.codeHash),
    index('oauth_token_families_consent_id_idx').on(t.consentId),
    index('oauth_token_families_refreshed_at_idx').on(t.refreshedAt),
  ],
)
