import type { Deps } from '#server/deps.ts'
import { requireReaderChoice } from '#server/features/publishing/mailings/admin/preview-email.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import {
  adminDeleteSeriesCall,
  adminPreviewSeriesCall,
  adminPreviewSeriesEmailCall,
  adminSaveSeriesCall,
  adminSeriesCall,
  adminSeriesListCall,
  adminSeriesMembersCall,
  adminSetSeriesStatusCall,
  adminTestSeriesEmailCall,
} from '#shared/contracts/operations/series.ts'
import { deleteSeries, saveSeries, setSeriesStatus } from './edit-series.ts'
import { listSeriesMembers } from './list-series-members.ts'
import { previewSeries, previewSeriesEmail, testSeriesEmail } from './preview-series.ts'
import { listSeries, readSeries } from './read-series.ts'

export function seriesCalls(deps: Deps): Implementation[] {
  const { db } = deps.database
  return [
    implement(adminSeriesListCall, () => listSeries(db)),
    implement(adminSeriesCall, ({ id }) => readSeries(deps, id)),
    implement(adminSaveSeriesCall, (wanted, who) => saveSeries(deps, who, wanted)),
    implement(adminSetSeriesStatusCall, (wanted, who) => setSeriesStatus(deps, who, wanted)),
    implement(adminDeleteSeriesCall, ({ id }, who) => deleteSeries(deps, who, id)),
    implement(adminSeriesMembersCall, (query) => listSeriesMembers(db, query)),
    implement(adminPreviewSeriesCall, (wanted) => previewSeries(deps, wanted)),
    implement(adminPreviewSeriesEmailCall, async ({ as, ...of }, who) => {
      requireReaderChoice(who, as)
      return previewSeriesEmail(deps, of, as)
    }),
    implement(adminTestSeriesEmailCall, async ({ id, stepId, ...test }, who) => {
      requireReaderChoice(who, test.as)
      return testSeriesEmail(deps, who, { id, stepId }, test)
    }),
  ]
}
