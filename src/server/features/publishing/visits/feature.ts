import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/product-calls.ts'
import { scheduledJobs } from '#server/jobs/jobs.ts'
import { adminSourcesCall } from '#shared/contracts/publishing/sources.ts'
import { readSources } from './read-sources.ts'
import { deleteOldVisits, recordMemberSource } from './visit-counter.ts'
import { visitsRoutes } from './visits.routes.ts'

export const visitsFeature: Feature = {
  calls: (deps) => [implement(adminSourcesCall, ({ days }) => readSources(deps, days))],
  routes: (deps) => [visitsRoutes(deps)],
  jobs: (deps) => scheduledJobs({ 'delete-old-visits': { cron: '17 * * * *', run: () => deleteOldVisits(deps) } }),
  onVisitorKnown: (userId, visitor, deps) => recordMemberSource(deps, userId, visitor),
}
