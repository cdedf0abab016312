import { z } from 'zod'
import { isOnHold } from '#server/db/restore-hold.ts'
import type { Deps } from '#server/deps.ts'
import { defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import { readMailbox } from './mailbox/mailbox.ts'
import { parseReportEmail } from './mailbox/parse-report-email.ts'
import { recordReports } from './record-reports.ts'

const name = 'read-bounce-mailbox'

/** Reads the bounce mailbox every three minutes, if one is configured. */
export function deliverabilityJobs(deps: Deps): FeatureJobs {
  if (!deps.config.bounceReports.mailbox) return { jobs: [], schedules: [] }
  // The schedule has no payload. No retries, because the next run follows soon.
  const job = defineJob({ name, payload: z.unknown(), retryLimit: 0, run: () => readBounces(deps) })
  return { jobs: [job], schedules: [{ job: name, cron: '*/3 * * * *' }] }
}

/** Safe to run on two nodes at once, because each report is recorded once. */
export async function readBounces(deps: Pick<Deps, 'config' | 'database' | 'secrets' | 'clock' | 'logger'>) {
  const { mailbox } = deps.config.bounceReports
  // Reading empties the mailbox. On hold, its reports may belong to the instance that this one was copied from.
  if (!mailbox || (await isOnHold(deps.database.db))) return
  await readMailbox(mailbox, async (raw, receivedAt) => {
    const reports = await parseReportEmail(deps, raw, receivedAt).catch((error: unknown) => {
      // Skip an unreadable email so that it doesn’t block the others.
      deps.logger.warn({ err: error }, 'failed to parse an email in the bounce mailbox')
      return []
    })
    await recordReports(deps, reports)
  })
}
