import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { identities, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { type RetainedDeps, restoreSuppressions } from '#server/mail/retained-suppressions.ts'
import { emailChangedJob } from './email-changed-job.ts'

const emailProvider = JSON.stringify({ provider: 'email', providers: ['email'] })

/** Creates or updates the email identity, as unverified. An anonymous user becomes a regular one. */
export async function ensureEmailIdentity(
  tx: Tx,
  deps: RetainedDeps & Pick<Deps, 'enqueue'>,
  { userId, email, now }: { userId: string; email: string; now: Date },
): Promise<void> {
  const unverified = { email, email_verified: false }
  await tx
    .insert(identities)
    .values({
      providerId: userId,
      userId,
      provider: 'email',
      identityData: { sub: userId, ...unverified, phone_verified: false },
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoUpdate({
      target: [identities.providerId, identities.provider],
      set: { identityData: sql`${identities.identityData} || ${JSON.stringify(unverified)}::jsonb`, updatedAt: now },
    })
  await tx
    .update(users)
    .set({
      isAnonymous: false,
      rawAppMetaData: sql`coalesce(${users.rawAppMetaData}, '{}'::jsonb) || ${emailProvider}::jsonb`,
      updatedAt: now,
    })
    .where(and(eq(users.id, userId), eq(users.isAnonymous, true)))
  await restoreSuppressions(tx, deps, email)
  await deps.enqueue(tx, emailChangedJob, { userId })
}
