import { desc, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { oauthClients, oauthConsents } from '#server/db/schema/index.ts'

/** Someone's connections, newest first. */
export const readConnectionsOf = (db: Db | Tx, userId: string) =>
  db
    .select({
      id: oauthConsents.id,
      name: sql<string>`coalesce(${oauthClients.clientName}, '')`,
      rights: sql<string[]>`string_to_array(${oauthConsents.scopes}, ' ')`,
      connectedAt: oauthConsents.grantedAt,
      lastUsedAt: oauthConsents.lastUsedAt,
    })
    .from(oauthConsents)
    .innerJoin(oauthClients, eq(oauthClients.id, oauthConsents.clientId))
    .where(eq(oauthConsents.userId, userId))
    .orderBy(desc(oauthConsents.grantedAt), desc(oauthConsents.id))
