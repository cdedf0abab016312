import { and, eq } from 'drizzle-orm'
import { oauthConsents } from '#server/db/schema/index.ts'
import type { FeatureDeps } from '#server/feature.ts'
import { askedRights, decideAuthorization, readAuthorization } from '#server/features/identity/auth/oauth/authorize.ts'
import { endGrant, listGrants } from '#server/features/identity/auth/oauth/grants.ts'
import { redirectTarget } from '#server/features/identity/auth/oauth/redirect-uri.ts'
import type { Caller } from '#server/http/principal.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import * as contracts from '#shared/contracts/identity/connections.ts'
import { rightsFor } from '#shared/domain/connection-rights.ts'
import { AppError } from '#shared/errors.ts'

const publisherOf = ({ metadataUrl }: { metadataUrl: string | null }) => metadataUrl && new URL(metadataUrl).host

/** @throws AppError not_found */
async function readRequest(deps: FeatureDeps, who: Caller, authorizationId: string) {
  const found = await readAuthorization(deps, authorizationId)
  if (!found) throw new AppError('not_found')
  const { authorization, client } = found
  const isSame = and(eq(oauthConsents.userId, who.userId), eq(oauthConsents.clientId, client.id))
  return {
    name: client.clientName ?? '',
    publishedBy: publisherOf(client),
    target: redirectTarget(authorization.redirectUri),
    rights: askedRights(deps, authorization, who),
    isConnected: (await deps.database.db.$count(oauthConsents, isSame)) > 0,
  }
}

export const connectionsCalls = (deps: FeatureDeps): Implementation[] => [
  implement(contracts.connectionRequestCall, ({ authorizationId }, who) => readRequest(deps, who, authorizationId)),
  implement(contracts.answerConnectionRequestCall, async (decision, who) => {
    const redirectUrl = await decideAuthorization(deps, who, { ...decision, client: who.client })
    if (!redirectUrl) throw new AppError('not_found')
    return { redirectUrl }
  }),
  implement(contracts.listConnectionsCall, async (_input, who) => ({
    connections: (await listGrants(deps.database.db, who.userId)).map(
      ({ id, client, scopes, grantedAt, lastUsedAt }) => ({
        id,
        name: client.clientName ?? '',
        publishedBy: publisherOf(client),
        rights: rightsFor(scopes.split(' '), who.staffRole),
        connectedAt: grantedAt.toISOString(),
        lastUsedAt: lastUsedAt?.toISOString() ?? null,
      }),
    ),
  })),
  implement(contracts.endConnectionCall, async ({ id }, who) => ({ ended: await endGrant(deps, who, { id }) })),
]
