import { asc, eq, sql } from 'drizzle-orm'
import { series, seriesEntry } from '#server/db/schema/index.ts'
import type { Deps, Feature, PersonReaders } from '#server/feature.ts'
import { requireReaderChoice } from '#server/features/publishing/mailings/admin/preview-email.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { scheduledJobs } from '#server/jobs/jobs.ts'
import * as contracts from '#shared/contracts/operations/series.ts'
import { deleteSeries, saveSeries, setSeriesStatus } from './edit-series.ts'
import { enterByEvents, enterBySegment, enterByTime } from './enter-series.ts'
import { listSeriesMembers } from './list-series-members.ts'
import { previewSeries, previewSeriesEmail, testSeriesEmail } from './preview-series.ts'
import { listSeries, readSeries } from './read-series.ts'
import { runDueSteps } from './run-due-steps.ts'

function seriesCalls(deps: Deps): Implementation[] {
  const { db } = deps.database
  return [
    implement(contracts.adminSeriesListCall, () => listSeries(db)),
    implement(contracts.adminSeriesCall, ({ id }) => readSeries(deps, id)),
    implement(contracts.adminSaveSeriesCall, (wanted, who) => saveSeries(deps, who, wanted)),
    implement(contracts.adminSetSeriesStatusCall, (wanted, who) => setSeriesStatus(deps, who, wanted)),
    implement(contracts.adminDeleteSeriesCall, ({ id }, who) => deleteSeries(deps, who, id)),
    implement(contracts.adminSeriesMembersCall, (query) => listSeriesMembers(db, query)),
    implement(contracts.adminPreviewSeriesCall, (wanted) => previewSeries(deps, wanted)),
    implement(contracts.adminPreviewSeriesEmailCall, async ({ as, ...of }, who) => {
      requireReaderChoice(who, as)
      return previewSeriesEmail(deps, of, as)
    }),
    implement(contracts.adminTestSeriesEmailCall, async ({ id, stepId, ...test }, who) => {
      requireReaderChoice(who, test.as)
      return testSeriesEmail(deps, who, { id, stepId }, test)
    }),
  ]
}

const exportedData: PersonReaders = {
  series: (tx, userId) =>
    tx
      .select({
        name: series.name,
        enteredAt: seriesEntry.enteredAt,
        nextStepAt: seriesEntry.dueAt,
        endedAt: seriesEntry.endedAt,
        endReason: seriesEntry.endReason,
        steps: sql<{ at: string; outcome: string }[]>`coalesce((
          select json_agg(json_build_object('at', r.at, 'outcome', r.outcome) order by r.at)
          from series_step_result r where r.entry_id = series_entry.id), '[]')`,
      })
      .from(seriesEntry)
      .innerJoin(series, eq(series.id, seriesEntry.seriesId))
      .where(eq(seriesEntry.userId, userId))
      .orderBy(asc(seriesEntry.id)),
}

export const seriesFeature: Feature = {
  calls: seriesCalls,
  jobs: (deps) =>
    scheduledJobs({
      series: {
        cron: '* * * * *',
        run: async () => {
          await enterByEvents(deps)
          await enterByTime(deps)
          await enterBySegment(deps)
          await runDueSteps(deps)
        },
      },
    }),
  exportedData,
}
