import { z } from 'zod'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/product-calls.ts'
import { defineJob } from '#server/jobs/jobs.ts'
import { adminSourcesCall } from '#shared/contracts/publishing/sources.ts'
import { readSources } from './read-sources.ts'
import { deleteOldVisits, recordMemberSource } from './visit-counter.ts'
import { visitsRoutes } from './visits.routes.ts'

const deleteJob = 'delete-old-visits'

export const visitsFeature: Feature = {
  calls: (deps) => [implement(adminSourcesCall, ({ days }) => readSources(deps, days))],
  routes: (deps) => [visitsRoutes(deps)],
  jobs: (deps) => ({
    jobs: [defineJob({ name: deleteJob, payload: z.unknown(), retryLimit: 0, run: () => deleteOldVisits(deps) })],
    schedules: [{ job: deleteJob, cron: '17 * * * *' }],
  }),
  onVisitorKnown: (userId, visitor, deps) => recordMemberSource(deps, userId, visitor),
}
