import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { type AnyJob, defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import { publishScheduledDocuments } from './publish-scheduled-documents.ts'

const publishName = 'publishing-due'

export function publishingJobs(deps: Pick<Deps, 'config' | 'database' | 'clock' | 'enqueue' | 'logger'>): FeatureJobs {
  const job = defineJob({
    name: publishName,
    payload: z.unknown(),
    // It runs again in a minute.
    retryLimit: 1,
    run: () => publishScheduledDocuments(deps),
  })
  return { jobs: [job as AnyJob], schedules: [{ job: publishName, cron: '* * * * *' }] }
}
