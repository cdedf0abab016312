import { eq } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { series } from '#server/db/schema/index.ts'
import { type MemberFilter, memberFilterSchema } from '#shared/domain/member-filter.ts'
import {
  type SeriesStatus,
  type SeriesTrigger,
  type StoredStep,
  seriesStatuses,
  seriesTriggerSchema,
  storedStepsSchema,
} from '#shared/domain/series.ts'
import { AppError } from '#shared/errors.ts'

type Stored = typeof series.$inferSelect
export type SeriesRow = Omit<Stored, 'status' | 'trigger' | 'steps' | 'leavesWhen'> & {
  status: SeriesStatus
  trigger: SeriesTrigger
  /** Includes deleted steps. */
  steps: StoredStep[]
  /** `invalid` if it refers to something that no longer exists: no one moves on until it is saved again. */
  leavesWhen: MemberFilter | null | 'invalid'
}

export function readSeriesRow(row: Stored): SeriesRow {
  return {
    ...row,
    status: seriesStatuses.find((status) => status === row.status) ?? 'off',
    trigger: seriesTriggerSchema.parse(row.trigger),
    steps: storedStepsSchema.parse(row.steps),
    leavesWhen: row.leavesWhen === null ? null : (memberFilterSchema.safeParse(row.leavesWhen).data ?? 'invalid'),
  }
}

/** @throws AppError not_found */
export async function findSeries(db: Db | Tx, id: string): Promise<SeriesRow> {
  const [row] = await db.select().from(series).where(eq(series.id, id))
  if (!row) throw new AppError('not_found')
  return readSeriesRow(row)
}

/**
 * Locks the row until the transaction ends. Every transaction that moves members of a series takes this lock first, so
 * that edits and pauses take effect between steps.
 * @throws AppError not_found
 */
export async function lockSeries(tx: Tx, id: string): Promise<SeriesRow> {
  const [row] = await tx.select().from(series).where(eq(series.id, id)).for('no key update')
  if (!row) throw new AppError('not_found')
  return readSeriesRow(row)
}
