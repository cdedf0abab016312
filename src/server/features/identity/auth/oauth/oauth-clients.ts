import { timingSafeEqual } from 'node:crypto'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import type { Db, Tx } from '#server/db/database.ts'
import { oauthClients } from '#server/db/schema/index.ts'
import type { FeatureDeps } from '#server/feature.ts'
import { minuteMs } from '#shared/domain/durations.ts'
import { type AuthDeps, isUuid } from '../auth-deps.ts'
import { recordSecurityEvent } from '../security/security-event.ts'
import { type ClientMetadata, fetchClientDocument, grantTypes, isMetadataUrl } from './client-metadata.ts'
import { hashToken, newSecret } from './connection-tokens.ts'
import { OAuthError } from './oauth-error.ts'

export type OAuthClient = typeof oauthClients.$inferSelect

/** A metadata document is read again after this time. */
const documentTtlMs = 10 * minuteMs

/** The id that the client itself uses. */
export const publicIdOf = ({ id, metadataUrl }: Pick<OAuthClient, 'id' | 'metadataUrl'>) => metadataUrl ?? id

export const redirectUrisOf = ({ redirectUris }: OAuthClient) => redirectUris.split(',')

/** By our id or the address of its metadata document. */
export async function findClient(db: Db | Tx, clientId: string): Promise<OAuthClient | null> {
  const isIt = isUuid(clientId) ? eq(oauthClients.id, clientId) : eq(oauthClients.metadataUrl, clientId)
  const [client] = await db
    .select()
    .from(oauthClients)
    .where(and(isIt, isNull(oauthClients.deletedAt)))
  return client ?? null
}

/**
 * The client that asks for a connection. One that is named by its metadata document needs no registration.
 * @throws OAuthError invalid_client
 */
export async function requireClient(
  deps: Pick<AuthDeps, 'database' | 'clock'> & Pick<FeatureDeps, 'fetchText'>,
  clientId: string,
): Promise<OAuthClient> {
  const { db } = deps.database
  const client = await findClient(db, clientId)
  if (!isMetadataUrl(clientId)) {
    if (client) return client
    throw new OAuthError('invalid_client', 'Unknown client_id. Register the client again.')
  }
  const now = deps.clock()
  if (client && now.getTime() - client.updatedAt.getTime() < documentTtlMs) return client
  const metadata = await fetchClientDocument(deps, clientId)
  const values = { ...columnsOf(metadata), clientType: 'public' as const, updatedAt: now }
  const [saved] = await db
    .insert(oauthClients)
    .values({
      id: crypto.randomUUID(),
      registrationType: 'dynamic',
      metadataUrl: clientId,
      tokenEndpointAuthMethod: 'none',
      createdAt: now,
      ...values,
    })
    .onConflictDoUpdate({ target: oauthClients.metadataUrl, set: values })
    .returning()
  if (!saved) throw new Error('The client was not saved')
  return saved
}

const columnsOf = (metadata: ClientMetadata) => ({
  redirectUris: metadata.redirect_uris.join(','),
  grantTypes: (metadata.grant_types?.length ? metadata.grant_types : grantTypes).join(','),
  clientName: metadata.client_name || null,
  clientUri: metadata.client_uri ?? null,
  logoUri: metadata.logo_uri ?? null,
})

/** Registers a client. @returns it with its secret, which isn't stored; null for a public client */
export async function registerClient(
  tx: Tx,
  metadata: ClientMetadata,
  registrationType: OAuthClient['registrationType'],
  now: Date,
): Promise<{ client: OAuthClient; secret: string | null }> {
  const tokenEndpointAuthMethod = metadata.token_endpoint_auth_method ?? 'client_secret_basic'
  const secret = tokenEndpointAuthMethod === 'none' ? null : newSecret()
  const [client] = await tx
    .insert(oauthClients)
    .values({
      id: crypto.randomUUID(),
      registrationType,
      clientType: secret ? 'confidential' : 'public',
      clientSecretHash: secret && hashToken(secret),
      tokenEndpointAuthMethod,
      createdAt: now,
      updatedAt: now,
      ...columnsOf(metadata),
    })
    .returning()
  if (!client) throw new Error('The client was not saved')
  return { client, secret }
}

/** A client in the form of the protocol and of RFC 7591. */
export function toWireClient(client: OAuthClient, secret: string | null = null) {
  return {
    client_id: client.id,
    ...(secret && { client_secret: secret, client_secret_expires_at: 0 }),
    client_id_issued_at: Math.floor(client.createdAt.getTime() / 1000),
    client_type: client.clientType,
    registration_type: client.registrationType,
    redirect_uris: redirectUrisOf(client),
    token_endpoint_auth_method: client.tokenEndpointAuthMethod,
    grant_types: client.grantTypes.split(','),
    response_types: ['code'],
    ...(client.clientName && { client_name: client.clientName }),
    ...(client.clientUri && { client_uri: client.clientUri }),
    ...(client.logoUri && { logo_uri: client.logoUri }),
    created_at: client.createdAt.toISOString(),
    updated_at: client.updatedAt.toISOString(),
  }
}

/**
 * Authenticates the client of a token request: a secret in the way that it registered, or none for a public client.
 * @throws OAuthError invalid_client
 */
export async function authenticateClient(
  { database }: Pick<AuthDeps, 'database'>,
  c: Context,
  body: Readonly<Record<string, string>>,
): Promise<OAuthClient> {
  const refuse = (reason: string) => new OAuthError('invalid_client', reason)
  const basic = readBasic(c.req.header('authorization'))
  if (basic && body.client_secret) throw refuse('Use one way of client authentication')
  const clientId = basic?.id ?? body.client_id
  if (!clientId) throw refuse('client_id is required')
  if (basic && body.client_id && body.client_id !== basic.id) throw refuse('client_id differs from the credentials')
  const client = await findClient(database.db, clientId)
  if (!client) throw refuse('Unknown client_id. Register the client again.')
  const used = basic ? 'client_secret_basic' : body.client_secret ? 'client_secret_post' : 'none'
  if (used !== client.tokenEndpointAuthMethod) throw refuse(`This client uses ${client.tokenEndpointAuthMethod}`)
  const secret = basic?.secret ?? body.client_secret
  if (secret && !isSecret(client, secret)) throw refuse('The client secret is wrong')
  return client
}

const isSecret = ({ clientSecretHash }: OAuthClient, secret: string) =>
  clientSecretHash !== null && timingSafeEqual(Buffer.from(hashToken(secret)), Buffer.from(clientSecretHash))

function readBasic(authorization: string | undefined): { id: string; secret: string } | null {
  const [, encoded] = /^basic +([\w+/=-]+)$/i.exec(authorization ?? '') ?? []
  if (!encoded) return null
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? []
  return id && secret ? { id, secret } : null
}

/** Newest first. */
export async function listClients({ database }: Pick<AuthDeps, 'database'>, page: { page: number; perPage: number }) {
  const clients = await database.db
    .select()
    .from(oauthClients)
    .where(isNull(oauthClients.deletedAt))
    .orderBy(desc(oauthClients.createdAt), desc(oauthClients.id))
    .limit(page.perPage)
    .offset((page.page - 1) * page.perPage)
  return { clients, total: await database.db.$count(oauthClients, isNull(oauthClients.deletedAt)) }
}

/** Changes a client in a transaction with its entry in the staff log. @returns null if there is none */
export async function changeClient(
  { database, clock }: Pick<AuthDeps, 'database' | 'clock'>,
  clientId: string,
  change: { metadata: Partial<ClientMetadata> } | 'delete' | { secretHash: string },
): Promise<OAuthClient | null> {
  const now = clock()
  return database.db.transaction(async (tx) => {
    const client = await findClient(tx, clientId)
    if (!client) return null
    const isIt = eq(oauthClients.id, client.id)
    const record = (event: 'oauth_client_deleted' | 'oauth_client_changed' | 'oauth_client_secret_replaced') =>
      recordSecurityEvent(tx, { event, userId: null, email: '', by: 'operator', note: client.clientName ?? '', now })
    if (change === 'delete') {
      await tx.delete(oauthClients).where(isIt)
      await record('oauth_client_deleted')
      return client
    }
    const given = 'metadata' in change ? change.metadata : {}
    const set = {
      ...('secretHash' in change && { clientSecretHash: change.secretHash }),
      ...(given.client_name && { clientName: given.client_name }),
      ...(given.client_uri && { clientUri: given.client_uri }),
      ...(given.logo_uri && { logoUri: given.logo_uri }),
      ...(given.redirect_uris && { redirectUris: given.redirect_uris.join(',') }),
      ...(given.grant_types?.length && { grantTypes: given.grant_types.join(',') }),
      updatedAt: now,
    }
    const [saved] = await tx.update(oauthClients).set(set).where(isIt).returning()
    await record('secretHash' in change ? 'oauth_client_secret_replaced' : 'oauth_client_changed')
    return saved ?? null
  })
}

/** Clients that no one approved for this long are deleted. */
const unapprovedDays = 1
/** Clients that someone approved stay longer after the last connection ended: they can connect again. */
const approvedDays = 90
const maxUnapproved = 10_000

/** Deletes registrations that no one uses, and beyond a number, so that registering can't fill the database. */
export async function sweepClients({ database: { db }, clock }: Pick<AuthDeps, 'database' | 'clock'>): Promise<void> {
  const isUnused = sql`c.registration_type = 'dynamic'
    and not exists (select 1 from auth.oauth_consents k where k.client_id = c.id)
    and not exists (select 1 from auth.oauth_authorizations a where a.client_id = c.id)`
  const now = sql`${clock().toISOString()}::timestamptz`
  await db.execute(sql`delete from auth.oauth_clients c where ${isUnused} and c.updated_at < ${now} - make_interval(days =>
    case when c.updated_at > c.created_at and c.metadata_url is null then ${approvedDays}::int else ${unapprovedDays}::int end)`)
  await db.execute(sql`delete from auth.oauth_clients where id in
    (select c.id from auth.oauth_clients c where ${isUnused} order by c.created_at desc offset ${maxUnapproved})`)
}
