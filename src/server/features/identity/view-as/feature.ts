import type { Deps, Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { scheduledJobs } from '#server/jobs/jobs.ts'
import { adminViewAsCall, endViewAsCall } from '#shared/contracts/identity/view-as.ts'
import { endViewAs, recordEndedViews, startViewAs } from './view-as.ts'

const viewAsCalls = (deps: Deps): Implementation[] => [
  implement(adminViewAsCall, ({ userId }, who) => startViewAs(deps, { ...who, sessionId: who.sessionId }, userId)),
  implement(endViewAsCall, (_input, who) => endViewAs(deps, who)),
]

export const viewAsFeature: Feature = {
  calls: viewAsCalls,
  jobs: (deps) => scheduledJobs({ 'record-ended-views': { cron: '* * * * *', run: () => recordEndedViews(deps) } }),
}
