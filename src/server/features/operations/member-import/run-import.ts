import { and, eq, or, sql } from 'drizzle-orm'
import { type Database, isConcurrencyConflict, queryRows, type Tx } from '#server/db/database.ts'
import { notHeldSince } from '#server/db/restore-hold.ts'
import { memberImportChunks, memberImportRows, memberImports } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { readActiveRole } from '#server/features/identity/auth/users/staff-roles.ts'
import { defineRunKind, type Run, type RunStep } from '#server/jobs/runs.ts'
import type { ImportCounts } from '#shared/contracts/operations/member-import.ts'
import { countEmailOutcomes } from './email-outcomes.ts'
import { planRows, readRows, storeOutcomes } from './plan-rows.ts'
import { stageRows } from './stage-rows.ts'
import { PlanOutdated, writeMembers } from './write-members.ts'

type RunDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'secrets' | 'enqueue' | 'logger'>
type Import = typeof memberImports.$inferSelect
export type ImportStep = RunStep<Import>

/** Any constant that no other lock uses. */
const lockKey = 4_407_311
const maxAttempts = 5
/** The embedded database answers nobody else during a statement. */
const usualBatchSizes: Record<Database['kind'], number> = { postgres: 1_000, pglite: 50 }

/** After a restore, an import that was going to invite its members may have done so since. */
const mayInvite = or(
  sql`not coalesce((${memberImports.options} ->> 'invite')::boolean, false)`,
  notHeldSince(sql`${memberImports.createdAt}`),
)

/** A check or an import. */
export const memberImportRun = defineRunKind({
  name: 'run-member-import',
  table: memberImports,
  openStatuses: ['checking', 'running'],
  mayRun: mayInvite,
})

export const memberImportSteps = (
  deps: RunDeps,
  batchSize = usualBatchSizes[deps.database.kind],
): Run<typeof memberImports> => ({
  kind: memberImportRun,
  step: async (run) => {
    if (run.row.status === 'checking' && run.row.lastLine === null) await stageRows(deps, run, batchSize)
    else await runBatch(deps, run, batchSize, 1)
  },
})

async function runBatch(deps: RunDeps, run: ImportStep, batchSize: number, attempt: number): Promise<void> {
  try {
    await run.commit((tx, found) => processBatch(tx, deps, found, batchSize))
  } catch (error) {
    const isTemporary = error instanceof PlanOutdated || isConcurrencyConflict(error)
    if (!isTemporary || attempt === maxAttempts) throw error
    deps.logger.warn({ err: error, importId: run.row.id }, 'an import batch conflicted and is repeated')
    await runBatch(deps, run, batchSize, attempt + 1)
  }
}

async function processBatch(tx: Tx, deps: RunDeps, found: Import, batchSize: number): Promise<Partial<Import>> {
  // Two imports take turns, so that they never wait for each other's addresses.
  await tx.execute(sql`select pg_advisory_xact_lock(${lockKey}::bigint)`)
  if (!found.options || found.lastLine === null) throw new Error('The import wasn’t checked')
  const now = deps.clock()
  if (found.status === 'running' && !(await isByOwner(tx, found, now))) return stopForLostRole(tx, found, now)
  const context = { found, options: found.options, now }
  const rows = await readRows(tx, found.id, found.cursor, batchSize)
  if (rows.length === 0) return finish(tx, deps, found)
  const planned = await planRows(tx, rows, context)
  if (found.status === 'running') await writeMembers(tx, deps, planned, context)
  await storeOutcomes(tx, found.id, planned)
  return { cursor: rows.at(-1)?.line ?? found.lastLine, updatedAt: now }
}

/** The person who started it may have lost the role or been disabled meanwhile. */
const isByOwner = async (tx: Tx, { createdById }: Import, now: Date): Promise<boolean> =>
  createdById !== null && (await readActiveRole(tx, createdById, now)) === 'owner'

async function stopForLostRole(tx: Tx, found: Import, now: Date): Promise<Partial<Import>> {
  const ended = await endImport(tx, found.id, { status: 'canceled', counts: await countImported(tx, found), now })
  const note = `${found.fileName}: whoever started it is no longer an owner`
  await recordAdminEvent(tx, await actorOfImport(tx, found), { event: 'members_import_canceled', note, now })
  return ended
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

async function finish(tx: Tx, deps: RunDeps, found: Import): Promise<Partial<Import>> {
  const now = deps.clock()
  const counts = await countOutcomes(tx, found)
  if (found.status === 'checking') return { status: 'checked', counts, updatedAt: now }
  const ended = await endImport(tx, found.id, { status: 'finished', counts, now })
  const actor = await actorOfImport(tx, found)
  const note = `${found.fileName}: ${counts.new} new, ${counts.changed} changed, ${counts.refused} refused`
  await recordAdminEvent(tx, actor, { event: 'members_imported', note, now })
  return ended
}

/** Deletes the file and all lines that aren't refused, which contain personal data. @returns what to store in its row */
export async function endImport(
  tx: Tx,
  importId: string,
  { status, counts, now }: { status: 'finished' | 'canceled'; counts: ImportCounts | null; now: Date },
): Promise<Partial<Import>> {
  await tx.delete(memberImportChunks).where(eq(memberImportChunks.importId, importId))
  await tx
    .delete(memberImportRows)
    .where(and(eq(memberImportRows.importId, importId), sql`${memberImportRows.problem} is null`))
  return { status, counts, samples: [], updatedAt: now, finishedAt: now }
}

/** Counts an import's rows: all, refused, and by outcome for those planned so far. */
async function countOutcomes(tx: Tx, { id, options }: Pick<Import, 'id' | 'options'>): Promise<ImportCounts> {
  const until = options?.complimentaryUntil ?? null
  const isConfirmed = sql`((member ->> 'confirmed')::boolean
    or (${options?.vouchConfirmed ?? false} and member ->> 'mail' = 'subscribed'))`
  const [row] = await queryRows<Record<Exclude<keyof ImportCounts, 'newsletters'>, number>>(
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
        count(*) filter (where outcome is not null and (member ->> 'paying')::boolean)::int as paying,
        count(*) filter (where outcome is not null and (member ->> 'unlinkable')::boolean)::int as unlinkable
      from member_import_rows where import_id = ${id}::uuid`,
  )
  if (!row) throw new Error('Counting returned no row')
  return { ...row, newsletters: await countEmailOutcomes(tx, sql`import_id = ${id}::uuid`, options) }
}
