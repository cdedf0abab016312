import { isOnHold } from '#server/db/restore-hold.ts'
import type { Deps } from '#server/deps.ts'
import { type FeatureJobs, scheduledJobs } from '#server/jobs/jobs.ts'
import { readMailbox } from './mailbox/mailbox.ts'
import { parseReportEmail } from './mailbox/parse-report-email.ts'
import { recordReports } from './record-reports.ts'

/** Reads the bounce mailbox every three minutes, if one is configured. */
export const deliverabilityJobs = (deps: Deps): FeatureJobs =>
  scheduledJobs(
    deps.config.bounceReports.mailbox
      ? { 'read-bounce-mailbox': { cron: '*/3 * * * *', run: () => readBounces(deps) } }
      : {},
  )

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
