import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { identities, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { type RetainedDeps, restoreSuppressions } from '#server/mail/retained-suppressions.ts'
import { emailChangedJob } from './email-changed-job.ts'

const emailProvider = JSON.stringify({ provider: 'email', providers: ['email'] })

/** Gives an account its e-mail identity, or the one it has another address, unproven; it is no longer anonymous. */
export async function ensureEmailIdentity(
  tx: Tx,
  deps: RetainedDeps & Pick<Deps, 'enqueue'>,
  { userId, email, now }: { userId: string; email: string; now: Date },
): Promise<void> {
  const unproven = { email, email_verified: false }
  await tx
    .insert(identities)
    .values({
      providerId: userId,
      userId,
      provider: 'email',
      identityData: { sub: userId, ...unproven, phone_verified: false },
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoUpdate({
      target: [identities.providerId, identities.provider],
      set: { identityData: sql`${identities.identityData} || ${JSON.stringify(unproven)}::jsonb`, updatedAt: now },
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
