import { and, eq, sql } from 'drizzle-orm'
import type { Database, Tx } from '#server/db/database.ts'
import { nextTurn } from '#server/db/next-turn.ts'
import { queryRows } from '#server/db/query-rows.ts'
import { memberImportChunks, memberImportRows, memberImports } from '#server/db/schema/index.ts'
import { isConcurrencyConflict } from '#server/db/sql-state.ts'
import type { Deps } from '#server/deps.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { readActiveRole } from '#server/features/identity/auth/users/staff-roles.ts'
import type { ImportCounts } from '#shared/contracts/operations/member-import.ts'
import { planRows, readRows, storeOutcomes } from './plan-rows.ts'
import { stageRows } from './stage-rows.ts'
import { PlanOutdated, writeMembers } from './write-members.ts'

type RunDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'secrets' | 'enqueue' | 'logger'>
type Import = typeof memberImports.$inferSelect

/** Any constant that no other lock uses. */
const lockKey = 4_407_311
const maxAttempts = 5
/** The embedded database answers nobody else during a statement. */
const usualBatchSizes: Record<Database['kind'], number> = { postgres: 1_000, pglite: 50 }

/**
 * Continues a check or an import until it ends or is canceled. All state is in the database, and each batch and its
 * position commit together: it can be killed and run again at any time, also twice at once.
 */
export async function runImport(
  deps: RunDeps,
  importId: string,
  batchSize = usualBatchSizes[deps.database.kind],
): Promise<void> {
  const { db } = deps.database
  const [found] = await db.select().from(memberImports).where(eq(memberImports.id, importId))
  if (found?.status === 'checking' && found.lastLine === null && !(await stageRows(deps, found, batchSize))) return
  for (;;) {
    const goesOn = await runBatch(deps, { importId, batchSize }, 1)
    if (!goesOn) return
    await nextTurn()
  }
}

type Batch = { importId: string; batchSize: number }

async function runBatch(deps: RunDeps, batch: Batch, attempt: number): Promise<boolean> {
  try {
    return await deps.database.db.transaction((tx) => processBatch(tx, deps, batch))
  } catch (error) {
    const isTemporary = error instanceof PlanOutdated || isConcurrencyConflict(error)
    if (!isTemporary || attempt === maxAttempts) throw error
    deps.logger.warn({ err: error, importId: batch.importId }, 'an import batch conflicted and is repeated')
    return runBatch(deps, batch, attempt + 1)
  }
}

async function processBatch(tx: Tx, deps: RunDeps, { importId, batchSize }: Batch): Promise<boolean> {
  // Two imports take turns, so that they never wait for each other's addresses.
  await tx.execute(sql`select pg_advisory_xact_lock(${lockKey}::bigint)`)
  const [found] = await tx.select().from(memberImports).where(eq(memberImports.id, importId)).for('update')
  if (!found?.options || (found.status !== 'checking' && found.status !== 'running')) return false
  if (found.lastLine === null) return false
  const now = deps.clock()
  if (found.status === 'running' && !(await isByOwner(tx, found, now))) {
    await stopForLostRole(tx, found, now)
    return false
  }
  const context = { found, options: found.options, now }
  const rows = await readRows(tx, importId, found.cursor, batchSize)
  if (rows.length === 0) {
    await finish(tx, deps, found)
    return false
  }
  const planned = await planRows(tx, rows, context)
  if (found.status === 'running') await writeMembers(tx, deps, planned, context)
  await storeOutcomes(tx, importId, planned)
  const cursor = rows.at(-1)?.line ?? found.lastLine
  await tx.update(memberImports).set({ cursor, updatedAt: now }).where(eq(memberImports.id, importId))
  return true
}

/** Whoever started it may have lost the role or been disabled meanwhile. */
const isByOwner = async (tx: Tx, { createdById }: Import, now: Date): Promise<boolean> =>
  createdById !== null && (await readActiveRole(tx, createdById, now)) === 'owner'

async function stopForLostRole(tx: Tx, found: Import, now: Date): Promise<void> {
  await endImport(tx, found.id, { status: 'canceled', counts: await countImported(tx, found), now })
  const note = `${found.fileName}: whoever started it is no longer an owner`
  await recordAdminEvent(tx, await actorOfImport(tx, found), { event: 'members_import_canceled', note, now })
}

/** After the cursor, outcomes are still those of the check. */
export async function countImported(tx: Tx, found: Import): Promise<ImportCounts> {
  await tx
    .update(memberImportRows)
    .set({ outcome: null, changes: null })
    .where(and(eq(memberImportRows.importId, found.id), sql`${memberImportRows.line} > ${found.cursor}`))
  return countOutcomes(tx, found)
}

async function actorOfImport(tx: Tx, { createdById }: Import): Promise<Actor> {
  const [owner] = await queryRows<{ email: string | null }>(
    tx,
    sql`select email from auth.users where id = ${createdById}::uuid`,
  )
  return { userId: createdById ?? '', email: owner?.email ?? 'deleted account' }
}

async function finish(tx: Tx, deps: RunDeps, found: Import): Promise<void> {
  const now = deps.clock()
  const counts = await countOutcomes(tx, found)
  if (found.status === 'checking') {
    await tx
      .update(memberImports)
      .set({ status: 'checked', counts, updatedAt: now })
      .where(eq(memberImports.id, found.id))
    return
  }
  await endImport(tx, found.id, { status: 'finished', counts, now })
  const actor = await actorOfImport(tx, found)
  const note = `${found.fileName}: ${counts.new} new, ${counts.changed} changed, ${counts.refused} refused`
  await recordAdminEvent(tx, actor, { event: 'members_imported', note, now })
}

/** Ends an import and deletes the file and all lines that aren't refused, which contain personal data. */
export async function endImport(
  tx: Tx,
  importId: string,
  { status, counts, now }: { status: 'finished' | 'canceled'; counts: ImportCounts | null; now: Date },
): Promise<void> {
  await tx
    .update(memberImports)
    .set({ status, counts, samples: [], updatedAt: now, finishedAt: now })
    .where(eq(memberImports.id, importId))
  await tx.delete(memberImportChunks).where(eq(memberImportChunks.importId, importId))
  await tx
    .delete(memberImportRows)
    .where(and(eq(memberImportRows.importId, importId), sql`${memberImportRows.problem} is null`))
}

/** Counts an import's rows: all, refused, and by outcome for those planned so far. */
async function countOutcomes(tx: Tx, { id, options }: Pick<Import, 'id' | 'options'>): Promise<ImportCounts> {
  const until = options?.complimentaryUntil ?? null
  const isConfirmed = sql`((member ->> 'confirmed')::boolean
    or (${options?.vouchConfirmed ?? false} and member ->> 'mail' = 'subscribed'))`
  const [row] = await queryRows<Record<keyof ImportCounts, number>>(
    tx,
    sql`select count(*)::int as lines,
        count(*) filter (where outcome = 'new')::int as new,
        count(*) filter (where outcome = 'changed')::int as changed,
        count(*) filter (where outcome = 'unchanged')::int as unchanged,
        count(*) filter (where problem is not null)::int as refused,
        count(*) filter (where outcome = 'unchanged' and changes <> '{}')::int as differing,
        count(*) filter (where outcome = 'new' and member ->> 'mail' = 'subscribed')::int as subscribed,
        count(*) filter (where outcome = 'new' and member ->> 'mail' = 'unsubscribed')::int as unsubscribed,
        count(*) filter (where outcome = 'new' and member ->> 'mail' = 'pending')::int as pending,
        count(*) filter (where outcome = 'new' and member ->> 'mail' in ('bounced', 'complained'))::int as suppressed,
        count(*) filter (where outcome = 'new' and ${isConfirmed})::int as confirmed,
        count(*) filter (where 'complimentary' = any(changes) and ${until !== null})::int as complimentary,
        count(*) filter (where ${options?.invite ?? false} and outcome = 'new' and member ->> 'mail' = 'subscribed')::int as invited,
        count(*) filter (where ${options?.freeEdition ?? false} and outcome = 'new'
          and member ->> 'mail' = 'subscribed' and ${isConfirmed})::int as "freeReaders",
        count(*) filter (where outcome is not null and (member ->> 'paying')::boolean)::int as paying
      from member_import_rows where import_id = ${id}::uuid`,
  )
  if (!row) throw new Error('Counting returned no row')
  return row
}
