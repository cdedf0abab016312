import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { type AnyJob, defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import { readMailbox } from './mailbox/mailbox.ts'
import { parseReportEmail } from './mailbox/parse-report-email.ts'
import { recordReports } from './record-reports.ts'

const name = 'read-bounce-mailbox'

/** Looks into the mailbox for bounces every few minutes, where there is one. */
export function deliverabilityJobs(deps: Deps): FeatureJobs {
  if (!deps.config.bounceReports.mailbox) return { jobs: [], schedules: [] }
  // The schedule sends no payload of its own, and comes again anyway.
  const job = defineJob({ name, payload: z.unknown(), retryLimit: 0, run: () => readBounces(deps) })
  return { jobs: [job as AnyJob], schedules: [{ job: name, cron: '*/3 * * * *' }] }
}

/** Two nodes that look at once take a report twice, which changes nothing. */
export async function readBounces(deps: Pick<Deps, 'config' | 'database' | 'secrets' | 'clock' | 'logger'>) {
  const { mailbox } = deps.config.bounceReports
  if (!mailbox) return
  await readMailbox(mailbox, async (raw, receivedAt) => {
    const reports = await parseReportEmail(deps, raw, receivedAt).catch((error: unknown) => {
      // What cannot be read today cannot be read tomorrow: it must not keep the others waiting.
      deps.logger.warn({ err: error }, 'failed to parse an email in the bounce mailbox')
      return []
    })
    await recordReports(deps, reports)
  })
}
