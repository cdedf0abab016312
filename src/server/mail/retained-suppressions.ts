import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { SecretBox } from '#server/config/secret-box.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { retainedSuppressions, suppressions } from '#server/db/schema/index.ts'

export type RetainedDeps = { secrets: Pick<SecretBox, 'sign' | 'signatures'> }

const purpose = 'retained suppression'

/** Reasons that outlive an account: what the operator decided, and what the owner of the mailbox called spam. */
const retainedReasons = ['manual', 'complaint']

const hashesOf = ({ secrets }: RetainedDeps, email: string) => secrets.signatures(purpose, email)

/** Keeps live suppressions of an address whose account is deleted, without the address itself. */
export async function retainSuppressions(tx: Tx, deps: RetainedDeps, email: string): Promise<void> {
  const live = await tx
    .select({ stream: suppressions.stream, reason: suppressions.reason, createdAt: suppressions.createdAt })
    .from(suppressions)
    .where(
      and(eq(suppressions.email, email), isNull(suppressions.liftedAt), inArray(suppressions.reason, retainedReasons)),
    )
  if (live.length === 0) return
  const addressHash = deps.secrets.sign(purpose, email)
  await tx
    .insert(retainedSuppressions)
    .values(live.map((row) => ({ ...row, addressHash })))
    .onConflictDoNothing()
}

/** Call it whenever an account gets an address: what was retained for the address holds again. */
export async function restoreSuppressions(db: Db | Tx, deps: RetainedDeps, email: string): Promise<void> {
  const retained = await db
    .select()
    .from(retainedSuppressions)
    .where(inArray(retainedSuppressions.addressHash, hashesOf(deps, email)))
  if (retained.length === 0) return
  await db
    .insert(suppressions)
    .values(retained.map(({ stream, reason, createdAt }) => ({ email, stream, reason, createdAt })))
    .onConflictDoNothing()
}

/** Removes the rows that `restoreSuppressions` wrote. The hashes stay and hold for the next account. */
export async function removeRestoredSuppressions(tx: Tx, deps: RetainedDeps, email: string): Promise<void> {
  const retained = tx
    .select({ one: sql`1` })
    .from(retainedSuppressions)
    .where(
      and(
        inArray(retainedSuppressions.addressHash, hashesOf(deps, email)),
        eq(retainedSuppressions.stream, suppressions.stream),
        eq(retainedSuppressions.createdAt, suppressions.createdAt),
      ),
    )
  await tx.delete(suppressions).where(and(eq(suppressions.email, email), sql`exists ${retained}`))
}

/** Call it when suppressions are lifted, or the next account with the address would have them again. */
export async function forgetRetained(
  db: Db | Tx,
  deps: RetainedDeps,
  email: string,
  streams: readonly string[],
): Promise<void> {
  if (streams.length === 0) return
  await db
    .delete(retainedSuppressions)
    .where(
      and(
        inArray(retainedSuppressions.addressHash, hashesOf(deps, email)),
        inArray(retainedSuppressions.stream, [...streams]),
      ),
    )
}
