import { and, eq, getTableColumns, inArray, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { nextTurn } from '#server/db/batch-writes.ts'
import type { Database, Tx } from '#server/db/database.ts'
import type { Logger } from '#server/http/logger.ts'
import { defineJob, type Enqueue, type FeatureJobs, type JobClaim, scheduledJobs } from './jobs.ts'

type RunDeps = { database: Database; enqueue: Enqueue; logger: Logger }
type RunTable = PgTable & { id: PgColumn; status: PgColumn }
type RowOf<Table extends RunTable> = Table['$inferSelect'] & { id: string; status: string }

/** Background work in steps, such as an import. Each run is a row of `table`. */
export type RunKind<Table extends RunTable = RunTable> = ReturnType<typeof defineRunKind<Table>>

/**
 * A request starts a run by storing an open status and then enqueuing its kind, in one transaction, and cancels it by
 * storing another status. The queue runs each run on one node; if that node dies, another goes on after
 * two heartbeats.
 * @example await deps.enqueue(tx, memberImportRun, { id })
 */
export const defineRunKind = <Table extends RunTable>(kind: {
  /** Name of its job queue. */
  name: string
  table: Table
  /** Statuses of runs that have steps left. */
  openStatuses: readonly string[]
  /** Which open runs may go on. Default: all. */
  mayRun?: SQL
  /** Default: 60. */
  heartbeatSeconds?: number
}) => ({
  heartbeatSeconds: 60,
  ...kind,
  payload: z.object({ id: z.uuid() }),
  keyOf: ({ id }: { id: string }) => id,
  retryLimit: 5,
  // The most that the queue allows.
  maxSeconds: 24 * 60 * 60,
})

export type RunStep<Row> = {
  /** The state that the last commit stored. */
  row: Row
  /**
   * Stores what `change` returns in the run's row, in the transaction in which `change` writes. The row is locked.
   * @throws RunMoved
   */
  commit(change: (tx: Tx, row: Row) => Promise<Partial<Row>>): Promise<void>
}

export type Run<Table extends RunTable = RunTable> = {
  kind: RunKind<Table>
  /** Does some of the work and commits it with the run's progress. Called until the status isn't open any more. */
  step(run: RunStep<RowOf<Table>>): Promise<void>
  /** Ends a run whose step failed, or whose process died too often. Default: the run stays open and is tried again. */
  failed?(error: unknown): Partial<RowOf<Table>>
}

/** A run of any kind, as features list them. */
// biome-ignore lint/suspicious/noExplicitAny: the steps of a kind take rows of its table only
export type AnyRun = Run<any>

/** Ends a step: the run was canceled or restarted, or goes on elsewhere. */
export class RunMoved extends Error {}

const isOpen = ({ table, openStatuses, mayRun }: RunKind) => and(inArray(table.status, [...openStatuses]), mayRun)

/** Does one step. @returns false if the run has ended */
export async function takeStep(deps: RunDeps, run: AnyRun, id: string, claim?: JobClaim): Promise<boolean> {
  const { db } = deps.database
  const kind: RunKind = run.kind
  const { table } = kind
  const isThis = and(eq(table.id, id), isOpen(kind))
  const read = (tx: Pick<Tx, 'select'>) => tx.select(getTableColumns(table)).from(table).where(isThis)
  const [row] = (await read(db)) as RowOf<RunTable>[]
  if (!row) {
    return db.transaction(async (tx) => {
      // Locked whatever its status is: a run that is started again at this moment goes on here, or is queued again.
      await tx.select({ id: table.id }).from(table).where(eq(table.id, id)).for('update')
      const [reopened] = await read(tx)
      if (!reopened) await claim?.complete(tx)
      return reopened !== undefined
    })
  }
  const step: RunStep<RowOf<RunTable>> = {
    row,
    commit: (change) =>
      db.transaction(async (tx) => {
        claim?.signal.throwIfAborted()
        const [current] = (await read(tx).for('update')) as RowOf<RunTable>[]
        if (current?.status !== step.row.status || (claim && !(await claim.isHeld(tx)))) throw new RunMoved()
        const values = await change(tx, current)
        await tx
          .update(table)
          .set({ status: current.status, ...values })
          .where(eq(table.id, id))
        step.row = { ...current, ...values }
      }),
  }
  try {
    await run.step(step)
  } catch (error) {
    if (!(error instanceof RunMoved)) throw error
    return claim ? claim.isHeld(db) : true
  }
  return true
}

/** Goes on with a run until it ends, as its job does. */
export async function continueRun(deps: RunDeps, run: AnyRun, id: string, claim?: JobClaim): Promise<void> {
  const { db } = deps.database
  const { table }: RunKind = run.kind
  try {
    if (run.failed && claim?.isLast) throw new Error('Its process died several times')
    while (await takeStep(deps, run, id, claim)) {
      claim?.signal.throwIfAborted()
      await nextTurn()
    }
  } catch (error) {
    if (!run.failed || claim?.signal.aborted) throw error
    deps.logger.error({ err: error, run: run.kind.name, id }, 'a run failed')
    await db
      .update(table)
      .set(run.failed(error))
      .where(and(eq(table.id, id), isOpen(run.kind)))
  }
}

/** The jobs of all kinds, and one that queues open runs which no job goes on with, as after a restore. */
export function runJobs(deps: RunDeps, runs: readonly AnyRun[]): FeatureJobs {
  const jobs = runs.map((run) =>
    defineJob({ ...(run.kind as RunKind), run: ({ id }, claim) => continueRun(deps, run, id, claim) }),
  )
  const formerNames = ['run-bulk-actions', 'build-archive', 'member-import', 'import-posts', 'stripe-adoption']
  return scheduledJobs({ 'resume-runs': { formerNames, cron: '* * * * *', run: () => resumeRuns(deps, runs) } }, jobs)
}

/** Queues the open runs. Those that are queued or running already stay as they are. */
export async function resumeRuns(deps: RunDeps, runs: readonly AnyRun[]): Promise<void> {
  for (const { kind } of runs as readonly Run[]) {
    const open = await deps.database.db.select({ id: kind.table.id }).from(kind.table).where(isOpen(kind))
    for (const { id } of open) {
      await deps.database.db.transaction((tx) => deps.enqueue(tx, kind, { id: id as string }))
    }
  }
}
