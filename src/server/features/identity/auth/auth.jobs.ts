import { and, eq, lt, notExists } from 'drizzle-orm'
import {
  auditLogEntries,
  flowState,
  knownAddresses,
  leases,
  mfaChallenges,
  mfaFactors,
  oauthAuthorizations,
  oauthConsents,
  oauthTokenFamilies,
  oneTimeTokens,
  rateLimits,
  sessions,
  trustedDevices,
  webauthnChallenges,
} from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { type FeatureJobs, scheduledJobs } from '#server/jobs/jobs.ts'
import { dayMs, hourMs } from '#shared/domain/durations.ts'
import { createRequestedEmailJob } from './email-flows/request-email.ts'
import { deleteExpiredKeys } from './keys/rotate-signing-keys.ts'
import { refreshTokenMs } from './oauth/exchange-tokens.ts'
import { sweepClients } from './oauth/oauth-clients.ts'
import { lastUseSql, sessionExpirySql } from './sessions/session-expiry.ts'

/** Ended sessions are kept this long, so that reused refresh tokens are still recognized. */
const endedSessionRetentionMs = 30 * dayMs

/**
 * Deletes expired counters, leases, addresses, codes and challenges, unverified factors, old sessions, unused signing keys,
 * and staff log entries past their retention.
 */
export async function sweepExpired(deps: Pick<Deps, 'config' | 'database' | 'clock'>) {
  const { db } = deps.database
  const { sessionDays, auditLogDays } = deps.config.auth
  const now = deps.clock()
  const before = (ms: number) => new Date(now.getTime() - ms)
  await db.delete(rateLimits).where(lt(rateLimits.expiresAt, now))
  await db.delete(knownAddresses).where(lt(knownAddresses.expiresAt, now))
  await db.delete(trustedDevices).where(lt(trustedDevices.expiresAt, now))
  await db.delete(leases).where(lt(leases.expiresAt, now))
  await db.delete(oneTimeTokens).where(lt(oneTimeTokens.createdAt, before(7 * dayMs)))
  await db.delete(mfaFactors).where(and(eq(mfaFactors.status, 'unverified'), lt(mfaFactors.createdAt, before(dayMs))))
  await db.delete(mfaChallenges).where(lt(mfaChallenges.createdAt, before(dayMs)))
  await db.delete(webauthnChallenges).where(lt(webauthnChallenges.expiresAt, now))
  await db.delete(flowState).where(lt(flowState.createdAt, before(7 * dayMs)))
  await db.delete(sessions).where(lt(sessions.notAfter, before(endedSessionRetentionMs)))
  await deleteExpiredSessions(deps.database, sessionDays, before(endedSessionRetentionMs))
  await db.delete(auditLogEntries).where(lt(auditLogEntries.createdAt, before(auditLogDays * dayMs)))
  await deleteExpiredKeys(deps)
}

/** Deletes sessions that SESSION_MAX_DAYS or SESSION_IDLE_DAYS ended before the given time. */
async function deleteExpiredSessions(
  database: Deps['database'],
  { max, idle }: Deps['config']['auth']['sessionDays'],
  instant: Date,
) {
  await database.prepared(
    'auth-sweep-sessions',
    `delete from auth.sessions s where ${sessionExpirySql(lastUseSql, '$1', '$2')} < $3::timestamptz`,
    [max, idle, instant.toISOString()],
  )
}

/** Deletes expired requests for connections, connections whose tokens expired, and clients that no one uses. */
export async function sweepConnections(deps: Pick<Deps, 'database' | 'clock'>) {
  const { db } = deps.database
  const now = deps.clock()
  const before = (ms: number) => new Date(now.getTime() - ms)
  await db.delete(oauthAuthorizations).where(lt(oauthAuthorizations.expiresAt, now))
  await db.delete(oauthTokenFamilies).where(lt(oauthTokenFamilies.refreshedAt, before(refreshTokenMs)))
  const families = db
    .select({ id: oauthTokenFamilies.id })
    .from(oauthTokenFamilies)
    .where(eq(oauthTokenFamilies.consentId, oauthConsents.id))
  // A new one may wait for its code to be exchanged.
  await db.delete(oauthConsents).where(and(lt(oauthConsents.grantedAt, before(hourMs)), notExists(families)))
  await sweepClients(deps)
}

/** Requested emails and the sweeps. */
export const authJobs = (deps: Deps): FeatureJobs =>
  scheduledJobs(
    {
      'sweep-expired': { cron: '23 3 * * *', retryLimit: 2, run: () => sweepExpired(deps) },
      'sweep-connections': { cron: '41 * * * *', retryLimit: 2, run: () => sweepConnections(deps) },
    },
    [createRequestedEmailJob(deps)],
  )
