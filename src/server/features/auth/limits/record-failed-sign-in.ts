import { and, sql } from 'drizzle-orm'
import { auditLogEntries } from '#server/db/schema/index.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { recordSecurityEvent, type SecurityEventEntry } from '../security/security-event.ts'
import { ofEvent, ofUser } from '../security/security-log.ts'

const quietMs = 60_000

type FailedSignIn = SecurityEventEntry & { event: 'sign_in_failed' | 'sign_in_locked'; userId: string }

/**
 * Notes that somebody failed to sign in to an account: one line of a kind each minute, so that nobody who guesses fills
 * the log. It is written behind the answer. Addresses without an account leave no line, and time must not tell which
 * those are.
 */
export function recordFailedSignIn(deps: Pick<AuthDeps, 'database' | 'logger'>, entry: FailedSignIn): void {
  write(deps, entry).catch((error: unknown) => deps.logger.warn({ err: error }, 'failed sign-in not noted'))
}

async function write({ database: { db } }: Pick<AuthDeps, 'database'>, entry: FailedSignIn): Promise<void> {
  const since = new Date(entry.now.getTime() - quietMs).toISOString()
  const [recent] = await db
    .select({ id: auditLogEntries.id })
    .from(auditLogEntries)
    .where(and(ofUser(entry.userId), ofEvent(entry.event), sql`${auditLogEntries.createdAt} > ${since}::timestamptz`))
    .limit(1)
  if (!recent) await recordSecurityEvent(db, entry)
}
