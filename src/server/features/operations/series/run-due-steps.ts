import { eq, type SQL, sql } from 'drizzle-orm'
import { queryRows, type Tx } from '#server/db/database.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { series } from '#server/db/schema/index.ts'
import { memberFilterSql } from '#server/features/publishing/segments/filter-sql.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import type { MemberFilter } from '#shared/domain/member-filter.ts'
import { advanceSeries, type SeriesProgress } from './advance-series.ts'
import { applySteps, type Moved, readFieldSteps } from './apply-steps.ts'
import type { SeriesDeps } from './enter-series.ts'
import { readSeriesRow, type SeriesRow } from './series-row.ts'

/** Members of one transaction. */
const batchSize = 250
/** The job runs again each minute. */
const maxRunMs = 45_000

type Due = { id: number; userId: string; round: number; stepId: string | null; timeZone: string | null }

/** Takes the steps that are due, in all series that are on. */
export async function runDueSteps(deps: SeriesDeps): Promise<{ moved: number }> {
  const { db } = deps.database
  const startedAt = performance.now()
  const found = await db.select({ id: series.id }).from(series).where(eq(series.status, 'on')).orderBy(series.id)
  let moved = 0
  for (const { id } of found) {
    try {
      for (let count = batchSize; count === batchSize && performance.now() - startedAt < maxRunMs; ) {
        count = await runBatch(deps, id)
        moved += count
      }
    } catch (error) {
      // Continue with the other series.
      if (!(error instanceof Error)) throw error
      deps.logger.error({ err: error, series: id }, 'steps of a series failed')
    }
  }
  return { moved }
}

/**
 * Moves the members of one series whose step is due. Progress, deliveries, tags, fields and webhooks are one transaction. The
 * lock on the series keeps out a second worker, edits and pauses.
 * @returns how many were moved
 */
export async function runBatch({ config, database, clock }: SeriesDeps, seriesId: string): Promise<number> {
  return database.db.transaction(async (tx) => {
    const now = clock()
    if (await isOnHold(tx)) return 0
    const [row] = await tx
      .select()
      .from(series)
      .where(sql`${series.id} = ${seriesId}::uuid and ${series.status} = 'on'`)
      .for('no key update', { skipLocked: true })
    if (!row) return 0
    const current = readSeriesRow(row)
    if (current.leavesWhen === 'invalid') return 0
    const settings = await readSendingSettings(tx)
    // Without a postal address, list email isn't sent.
    if (!(settings.postalAddress || config.samplePostalAddress)) return 0
    const due = await readDue(tx, seriesId, now)
    if (due.length === 0) return 0
    const userIds = uuids(due.map(({ userId }) => userId))
    const matching = (filter: MemberFilter) => readMatching(tx, memberFilterSql(config, filter, now).where, userIds)
    const leaving = current.leavesWhen ? await matching(current.leavesWhen) : new Set<string>()
    const matches = await readConditions(current, matching)
    const fields = await readFieldSteps(tx, current.steps)
    const done = await readDone(tx, due)
    const moved = due.map((entry): Moved & { progress: SeriesProgress } => ({
      ...entry,
      progress: advanceSeries(
        current.steps,
        { stepId: entry.stepId, done: done.get(entry.id) ?? new Set() },
        {
          leaves: leaving.has(entry.userId),
          matches: (stepId) => matches.get(stepId)?.has(entry.userId) ?? false,
          canSet: (stepId) => fields.has(stepId),
          timeZone: entry.timeZone ?? settings.timeZone,
          now,
        },
      ),
    }))
    await applySteps(tx, current, moved, { tracking: settings.tracking, fields, now })
    return due.length
  })
}

/** Users are locked too, so that a concurrent deletion of an account can't deadlock. */
const readDue = (tx: Tx, seriesId: string, now: Date) =>
  queryRows<Due>(
    tx,
    sql`select e.id::int as id, e.user_id as "userId", e.round, e.step_id as "stepId", prefs.time_zone as "timeZone"
      from series_entry e
      join auth.users u on u.id = e.user_id
      left join email_preferences prefs on prefs.user_id = e.user_id
      where e.series_id = ${seriesId}::uuid and e.due_at <= ${now.toISOString()}::timestamptz
      order by e.due_at, e.id limit ${batchSize}
      for key share of u skip locked for update of e skip locked`,
  )

async function readMatching(tx: Tx, where: SQL, userIds: SQL): Promise<Set<string>> {
  const rows = await queryRows<{ userId: string }>(
    tx,
    sql`select f.user_id as "userId" from member_facts f where f.user_id = any(${userIds}) and ${where}`,
  )
  return new Set(rows.map(({ userId }) => userId))
}

/** For each condition, the members who match it. */
async function readConditions({ steps }: SeriesRow, matching: (filter: MemberFilter) => Promise<Set<string>>) {
  const matches = new Map<string, Set<string>>()
  for (const step of steps) {
    if (step.kind === 'condition' && !step.removed && step.filter) matches.set(step.id, await matching(step.filter))
  }
  return matches
}

async function readDone(tx: Tx, due: readonly Due[]): Promise<Map<number, Set<string>>> {
  const rows = await queryRows<{ id: number; stepId: string }>(
    tx,
    sql`select entry_id::int as id, step_id as "stepId" from series_step_result
      where entry_id = any(${sql.param(`{${due.map(({ id }) => id).join(',')}}`)}::bigint[])`,
  )
  const done = new Map<number, Set<string>>()
  for (const { id, stepId } of rows) {
    const steps = done.get(id) ?? new Set<string>()
    done.set(id, steps.add(stepId))
  }
  return done
}

const uuids = (ids: readonly string[]): SQL => sql`${sql.param(`{${ids.join(',')}}`)}::uuid[]`
