import { and, sql } from 'drizzle-orm'
import { auditLogEntries } from '#server/db/schema/index.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { recordSecurityEvent, type SecurityEventEntry } from '../security/security-event.ts'
import { ofEvent, ofUser } from '../security/security-log.ts'

/** Minimum time between entries of the same event for an account. */
const minIntervalMs = 60_000

type FailedSignIn = SecurityEventEntry & { event: 'sign_in_failed' | 'sign_in_locked'; userId: string }

/**
 * Records a failed sign-in, at most one entry per event and minute. Runs after the response, so that timing doesn't reveal
 * whether the account exists.
 */
export function recordFailedSignIn(deps: Pick<AuthDeps, 'database' | 'logger'>, entry: FailedSignIn): void {
  write(deps, entry).catch((error: unknown) => deps.logger.warn({ err: error }, 'failed sign-in not recorded'))
}

async function write({ database: { db } }: Pick<AuthDeps, 'database'>, entry: FailedSignIn): Promise<void> {
  const since = new Date(entry.now.getTime() - minIntervalMs).toISOString()
  const [recent] = await db
    .select({ id: auditLogEntries.id })
    .from(auditLogEntries)
    .where(and(ofUser(entry.userId), ofEvent(entry.event), sql`${auditLogEntries.createdAt} > ${since}::timestamptz`))
    .limit(1)
  if (!recent) await recordSecurityEvent(db, entry)
}
