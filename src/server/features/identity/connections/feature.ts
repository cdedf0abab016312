import type { Feature } from '#server/feature.ts'
import { listGrants } from '#server/features/identity/auth/oauth/grants.ts'
import { connectionsCalls } from './connections.calls.ts'

export const connectionsFeature: Feature = {
  calls: connectionsCalls,
  exportedData: {
    connections: async (tx, userId) =>
      (await listGrants(tx, userId)).map(({ client, scopes, grantedAt, lastUsedAt }) => ({
        name: client.clientName ?? '',
        rights: scopes.split(' '),
        connectedAt: grantedAt,
        lastUsedAt,
      })),
  },
}
