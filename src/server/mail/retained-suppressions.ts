import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { SecretBox } from '#server/config/secret-box.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { retainedSuppressions, suppressions } from '#server/db/schema/index.ts'

export type RetainedDeps = { secrets: Pick<SecretBox, 'sign' | 'signatures'> }

const purpose = 'retained suppression'

/** Suppressions that outlive the account: the operator's decisions and spam complaints. */
const retainedReasons = ['manual', 'complaint']

const hashesOf = ({ secrets }: RetainedDeps, email: string) => secrets.signatures(purpose, email)

/** Retains active suppressions of a deleted account's address, under a hash of the address. */
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

/** Restores retained suppressions. Call it whenever an account gets an address. */
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

/** The same for many accounts at once. */
export async function restoreSuppressionsOf(tx: Tx, deps: RetainedDeps, emails: readonly string[]): Promise<void> {
  const emailOf = new Map(emails.flatMap((email) => hashesOf(deps, email).map((hash) => [hash, email] as const)))
  const retained = await tx
    .select()
    .from(retainedSuppressions)
    .where(sql`${retainedSuppressions.addressHash} = any(${sql.param([...emailOf.keys()])}::text[])`)
  if (retained.length === 0) return
  const rows = retained.map(({ addressHash, ...row }) => ({ ...row, email: emailOf.get(addressHash) ?? '' }))
  await tx.insert(suppressions).values(rows).onConflictDoNothing()
}

/** Removes the rows that `restoreSuppressions` inserted. The hashes stay for the next account with the address. */
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

/** Call it when suppressions are lifted, so that the next account with the address doesn't get them back. */
export async function deleteRetainedSuppressions(
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
