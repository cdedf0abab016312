import { and, desc, eq } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { oauthClients, oauthConsents } from '#server/db/schema/index.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { recordSecurityEvent } from '../security/security-event.ts'
import type { ClientInfo } from '../sessions/client-info.ts'

/** Someone's connections with their clients, newest first. */
export async function listGrants(db: Db | Tx, userId: string) {
  const rows = await db
    .select({ consent: oauthConsents, client: oauthClients })
    .from(oauthConsents)
    .innerJoin(oauthClients, eq(oauthClients.id, oauthConsents.clientId))
    .where(eq(oauthConsents.userId, userId))
    .orderBy(desc(oauthConsents.grantedAt), desc(oauthConsents.id))
  return rows.map(({ consent, client }) => ({ ...consent, client }))
}

/** Ends one of someone's own connections. @returns false if there is no such connection */
export async function endGrant(
  { database, clock }: Pick<AuthDeps, 'database' | 'clock'>,
  who: { userId: string; email: string; client: Pick<ClientInfo, 'ip' | 'userAgent'> },
  which: { id: string } | { clientId: string },
): Promise<boolean> {
  const isIt = 'id' in which ? eq(oauthConsents.id, which.id) : eq(oauthConsents.clientId, which.clientId)
  return database.db.transaction(async (tx) => {
    const [ended] = await tx
      .delete(oauthConsents)
      .where(and(eq(oauthConsents.userId, who.userId), isIt))
      .returning()
    if (!ended) return false
    const [client] = await tx.select().from(oauthClients).where(eq(oauthClients.id, ended.clientId))
    const { userId, email } = who
    const entry = { userId, email, client: who.client, note: client?.clientName ?? '', now: clock() }
    await recordSecurityEvent(tx, { event: 'assistant_disconnected', ...entry })
    return true
  })
}
