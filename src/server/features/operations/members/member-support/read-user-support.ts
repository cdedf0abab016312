import { and, eq, getTableColumns, isNull } from 'drizzle-orm'
import { emailPreferences, suppressions, userPreferences } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { readSignInLocks } from '#server/features/identity/auth/limits/sign-in-locks.ts'
import { newsletterNameSql } from '#server/features/publishing/deliverability/suppression-list.ts'
import { adminUserSupportCall, type UserSupport } from '#shared/contracts/operations/member-support.ts'
import { findAccount } from './find-account.ts'
import { findMissedIssues } from './find-missed-issues.ts'

/**
 * Facts that answer "I'm locked out" and "I got no email", for an account's page in the admin.
 * @throws AppError not_found
 */
export async function readUserSupport(
  deps: Pick<Deps, 'config' | 'database' | 'clock'>,
  userId: string,
): Promise<UserSupport> {
  const { db } = deps.database
  const { email, createdAt, data } = await findAccount(db, userId, deps.clock())
  const [locks, [preferences], [emailChoices], activeSuppressions, missed] = await Promise.all([
    readSignInLocks(deps, { userId, email }),
    db.select().from(userPreferences).where(eq(userPreferences.userId, userId)),
    db.select().from(emailPreferences).where(eq(emailPreferences.userId, userId)),
    db
      .select({ ...getTableColumns(suppressions), newsletter: newsletterNameSql })
      .from(suppressions)
      .where(and(eq(suppressions.email, email), isNull(suppressions.liftedAt)))
      .orderBy(suppressions.createdAt),
    findMissedIssues(deps, { userId, joinedAt: createdAt }),
  ])
  return adminUserSupportCall.output.parse({
    name: nameIn(data),
    preferences: preferences ?? null,
    emailPreferences: { drops: emailChoices?.drops ?? 'weekly', news: emailChoices?.news ?? true },
    locks: locks.map(({ what, until }) => ({ what, until: until.toISOString() })),
    suppressions: activeSuppressions.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })),
    missed,
  })
}

/** `full_name`, or `name` as older clients call it. */
function nameIn(data: unknown): string | null {
  const { full_name: fullName, name } = (data ?? {}) as { full_name?: unknown; name?: unknown }
  const found = [fullName, name].find((part) => typeof part === 'string' && part.trim() !== '')
  return typeof found === 'string' ? found.trim() : null
}
