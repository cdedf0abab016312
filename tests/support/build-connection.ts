import { oauthClients, oauthConsents } from '#server/db/schema/index.ts'
import { hashToken, mcpResource, startTokenFamily } from '#server/features/identity/auth/oauth/connection-tokens.ts'
import type { Right } from '#shared/domain/connection-rights.ts'
import type { TestApp } from './create-test-app.ts'

export type TestConnection = {
  connectionId: string
  clientId: string
  /** Opens `/mcp`. */
  token: string
  refreshToken: string
  headers: { Authorization: string }
}

/** Connects an assistant for a user directly in the database, with the given rights. */
export async function buildConnection(
  { deps }: Pick<TestApp, 'deps'>,
  { userId, rights, clientName = 'Test assistant' }: { userId: string; rights: readonly Right[]; clientName?: string },
): Promise<TestConnection> {
  const clientId = crypto.randomUUID()
  const connectionId = crypto.randomUUID()
  const now = deps.clock()
  return deps.database.db.transaction(async (tx) => {
    await tx.insert(oauthClients).values({
      id: clientId,
      clientName,
      clientType: 'public',
      registrationType: 'dynamic',
      redirectUris: 'http://127.0.0.1/callback',
      grantTypes: 'authorization_code,refresh_token',
      tokenEndpointAuthMethod: 'none',
      createdAt: now,
      updatedAt: now,
    })
    const consent = { id: connectionId, userId, clientId, scopes: rights.join(' '), grantedAt: now }
    await tx.insert(oauthConsents).values(consent)
    const resource = mcpResource(deps.config.publicUrl)
    const codeHash = hashToken(crypto.randomUUID())
    const { token, refreshToken } = await startTokenFamily(tx, deps, { consentId: connectionId, resource, codeHash })
    return { connectionId, clientId, token, refreshToken, headers: { Authorization: `Bearer ${token}` } }
  })
}
