import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import { purgeDeletedDocuments } from './deleted-documents.ts'
import { readMissingGuideTexts } from './guide-files.ts'
import { publishScheduledDocuments } from './publish-scheduled-documents.ts'

const publishName = 'publishing-due'
const guideTextsName = 'missing-guide-texts'
const purgeName = 'purge-deleted-documents'

export function publishingJobs(
  deps: Pick<Deps, 'config' | 'database' | 'store' | 'clock' | 'enqueue' | 'logger'>,
): FeatureJobs {
  const job = defineJob({
    name: publishName,
    payload: z.unknown(),
    // It runs again in a minute.
    retryLimit: 1,
    run: () => publishScheduledDocuments(deps),
  })
  const guideTexts = defineJob({
    name: guideTextsName,
    payload: z.unknown(),
    // It runs again in ten minutes.
    retryLimit: 1,
    run: () => readMissingGuideTexts(deps),
  })
  const purge = defineJob({
    name: purgeName,
    payload: z.unknown(),
    // It runs again the next day.
    retryLimit: 1,
    run: () => purgeDeletedDocuments(deps),
  })
  return {
    jobs: [job, guideTexts, purge],
    schedules: [
      { job: publishName, cron: '* * * * *' },
      { job: guideTextsName, cron: '*/10 * * * *' },
      { job: purgeName, cron: '17 4 * * *' },
    ],
  }
}
