import { and, asc, eq, sql } from 'drizzle-orm'
import { type Db, queryRows } from '#server/db/database.ts'
import { mailings, series, seriesMailing } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import type { Series, SeriesTotals, StepGroup } from '#shared/contracts/operations/series.ts'
import { pauseTexts } from '#shared/domain/mailing-alerts.ts'
import { seriesStepsSchema } from '#shared/domain/series.ts'
import { findFieldProblems } from './apply-steps.ts'
import { readSegment } from './check-trigger.ts'
import { findSeries, readSeriesRow, type SeriesRow } from './series-row.ts'

export async function listSeries(db: Db) {
  const rows = (await db.select().from(series).orderBy(asc(series.name))).map(readSeriesRow)
  const totals = await readTotals(
    db,
    rows.map(({ id }) => id),
  )
  return { items: rows.map((row) => summaryOf(row, totals)) }
}

const summaryOf = (row: SeriesRow, totals: ReadonlyMap<string, SeriesTotals>) => ({
  id: row.id,
  name: row.name,
  status: row.status,
  trigger: row.trigger,
  emails: row.steps.filter((step) => step.kind === 'email' && !step.removed).length,
  totals: totals.get(row.id) ?? noTotals,
})

const noTotals: SeriesTotals = { entered: 0, inside: 0, finished: 0, left: 0, condition: 0 }

async function readTotals(db: Db, ids: readonly string[]): Promise<Map<string, SeriesTotals>> {
  const rows = await queryRows<{ id: string; state: Exclude<keyof SeriesTotals, 'entered'>; count: number }>(
    db,
    sql`select series_id as id, coalesce(end_reason, 'inside') as state, count(*)::int as count from series_entry
      where series_id = any(${sql.param(`{${ids.join(',')}}`)}::uuid[]) group by series_id, end_reason`,
  )
  const totals = new Map<string, SeriesTotals>()
  for (const { id, state, count } of rows) {
    const known = totals.get(id) ?? noTotals
    totals.set(id, { ...known, [state]: count, entered: known.entered + count })
  }
  return totals
}

/** @throws AppError not_found */
export async function readSeries(
  { config, database: { db }, clock }: Pick<Deps, 'config' | 'database' | 'clock'>,
  id: string,
): Promise<Series> {
  const row = await findSeries(db, id)
  const hasSegment =
    row.trigger.kind !== 'joined_segment' || (await readSegment(db, config, row.trigger, clock())) !== null
  const [totals, { tracking }, numbers, fieldProblems, paused] = await Promise.all([
    readTotals(db, [id]),
    readSendingSettings(db),
    readStepNumbers(db, row),
    findFieldProblems(db, row.steps),
    db
      .select({ id: mailings.id, reason: mailings.pauseReason })
      .from(seriesMailing)
      .innerJoin(mailings, eq(mailings.id, seriesMailing.mailingId))
      .where(and(eq(seriesMailing.seriesId, id), eq(mailings.status, 'paused'))),
  ])
  const active = row.steps.filter((step) => !step.removed)
  // A condition that refers to something gone is shown without it.
  const steps = active.map((step) => (step.kind === 'condition' ? { ...step, filter: step.filter ?? {} } : step))
  const isInvalid =
    row.leavesWhen === 'invalid' || active.some((step) => step.kind === 'condition' && step.filter === null)
  return {
    ...summaryOf(row, totals),
    steps: seriesStepsSchema.parse(steps),
    leavesWhen: row.leavesWhen === 'invalid' ? null : row.leavesWhen,
    reentryDays: row.reentryDays,
    version: row.version,
    turnedOnAt: row.turnedOnAt?.toISOString() ?? null,
    tracking,
    stepNumbers: active.map((step) => ({ stepId: step.id, numbers: numbers.get(step.id) ?? {} })),
    problems: [
      ...(isInvalid
        ? [
            {
              text: 'A condition refers to something that no longer exists. Change it and save the series.',
              mailingId: null,
            },
          ]
        : []),
      ...(hasSegment
        ? []
        : [
            {
              text: 'The view or segment that lets members enter no longer exists. Choose another one and save the series.',
              mailingId: null,
            },
          ]),
      ...fieldProblems.map((text) => ({
        text: `${text} Until you save the series, members skip this step.`,
        mailingId: null,
      })),
      ...(row.status === 'on' ? paused : [])
        .filter(({ reason }) => reason !== 'publisher')
        .map(({ id: mailingId, reason }) => ({ text: textOfPause(reason), mailingId })),
    ],
  }
}

const textOfPause = (reason: string | null): string =>
  (reason && reason in pauseTexts && pauseTexts[reason as keyof typeof pauseTexts].why) ||
  'Sending of one of the emails is paused.'

type Numbers = Map<string, Partial<Record<StepGroup, number>>>

/** How the counts of mailings are shown. */
const groupOfCount: Readonly<Record<string, StepGroup>> = {
  submitted: 'sent',
  opened: 'opened',
  clicked: 'clicked',
  unsubscribed: 'unsubscribed',
  pending: 'pending',
  sending: 'pending',
  unknown: 'unknown',
  suppressed: 'not_sent',
  failed: 'not_sent',
  stopped: 'not_sent',
}

async function readStepNumbers(db: Db, { id, steps }: SeriesRow): Promise<Numbers> {
  const numbers: Numbers = new Map()
  const add = (stepId: string, group: StepGroup, count: number) => {
    const known = numbers.get(stepId) ?? {}
    numbers.set(stepId, { ...known, [group]: (known[group] ?? 0) + count })
  }
  const byKind = Map.groupBy(steps, (step) => (step.kind === 'email' ? 'email' : 'other'))
  const others = (byKind.get('other') ?? []).map((step) => step.id)
  const places = await queryRows<{ stepId: string; group: StepGroup; count: number }>(
    db,
    sql`select step_id as "stepId", 'waiting' as group, count(*)::int as count from series_entry
        where series_id = ${id}::uuid and due_at is not null and step_id is not null group by step_id
      union all
      select step_id, 'left', count(*)::int from series_entry
        where series_id = ${id}::uuid and ended_at is not null and end_reason in ('left', 'condition')
          and step_id is not null group by step_id
      union all
      select step_id, outcome, count(*)::int from series_step_result
        where step_id = any(${sql.param(`{${others.join(',')}}`)}::uuid[]) group by step_id, outcome`,
  )
  for (const { stepId, group, count } of places) add(stepId, group, count)
  const emails = await queryRows<{ stepId: string; name: string; count: number }>(
    db,
    sql`select m.step_id as "stepId", c.name, sum(c.value)::int as count
      from series_mailing m join mailing_counts c on c.mailing_id = m.mailing_id
      where m.series_id = ${id}::uuid group by m.step_id, c.name`,
  )
  for (const { stepId, name, count } of emails) {
    const group = groupOfCount[name]
    if (group && count > 0) add(stepId, group, count)
  }
  return numbers
}
