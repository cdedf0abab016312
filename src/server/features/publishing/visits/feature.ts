import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { firstOrNull } from '#server/db/first-or-null.ts'
import { memberSources } from '#server/db/schema/index.ts'
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
  onAccountDeleted: async (tx, userId) => {
    await tx.delete(memberSources).where(eq(memberSources.userId, userId))
  },
  exportedData: {
    source: {
      tables: ['public.member_sources'],
      read: (tx, userId) =>
        firstOrNull(
          tx
            .select({
              firstSource: memberSources.firstSource,
              firstCampaign: memberSources.firstCampaign,
              firstPath: memberSources.firstPath,
              firstAt: memberSources.firstAt,
              lastSource: memberSources.lastSource,
              lastCampaign: memberSources.lastCampaign,
              lastAt: memberSources.lastAt,
            })
            .from(memberSources)
            .where(eq(memberSources.userId, userId)),
        ),
    },
  },
}
