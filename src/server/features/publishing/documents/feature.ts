import type { Deps, Feature } from '#server/feature.ts'
import { type FeatureJobs, scheduledJobs } from '#server/jobs/jobs.ts'
import { purgeDeletedDocuments } from './deleted-documents.ts'
import { readMissingGuideTexts } from './guide-files.ts'
import { mediaRoutes } from './media.routes.ts'
import { publishScheduledDocuments } from './publish-scheduled-documents.ts'
import { publishingCalls } from './publishing.calls.ts'

export const publishingJobs = (
  deps: Pick<Deps, 'config' | 'database' | 'store' | 'clock' | 'enqueue' | 'logger'>,
): FeatureJobs =>
  scheduledJobs({
    'publishing-due': { cron: '* * * * *', retryLimit: 1, run: () => publishScheduledDocuments(deps) },
    'missing-guide-texts': { cron: '*/10 * * * *', retryLimit: 1, run: () => readMissingGuideTexts(deps) },
    'purge-deleted-documents': { cron: '17 4 * * *', retryLimit: 1, run: () => purgeDeletedDocuments(deps) },
  })

export const documentsFeature: Feature = {
  calls: publishingCalls,
  routes: (deps) => [mediaRoutes(deps)],
  jobs: publishingJobs,
}
