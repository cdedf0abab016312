import { mkdir, readdir, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { desc, inArray } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { accountEmails, suppressions } from '#server/db/schema/index.ts'
import type { Deps, Feature, PersonReaders } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { type FeatureJobs, scheduledJobs } from '#server/jobs/jobs.ts'
import { confirmedAddressOf } from '#server/mail/email-records.ts'
import * as contracts from '#shared/contracts/publishing/deliverability.ts'
import { deliverabilityRoutes } from './deliverability.routes.ts'
import { listFeedback } from './list-feedback.ts'
import { type HandleEmail, maxEmailBytes } from './mailbox/handle-email.ts'
import { readImapMailbox } from './mailbox/imap.ts'
import { parseReportEmail } from './mailbox/parse-report-email.ts'
import { eraseEmailRecords } from './on-account-deleted.ts'
import { recordReports } from './record-reports.ts'
import { lift, listSuppressions, suppress } from './suppression-list.ts'

/** Handles new emails one at a time. */
function readMailbox(mailbox: NonNullable<Config['bounceReports']['mailbox']>, handle: HandleEmail): Promise<void> {
  return mailbox.kind === 'imap' ? readImapMailbox(mailbox.url, handle) : readMaildir(mailbox.directory, handle)
}

/** Reads new emails of a local maildir and moves each to `cur` once it has been handled. */
async function readMaildir(directory: string, handle: HandleEmail): Promise<void> {
  const [fresh, done] = [join(directory, 'new'), join(directory, 'cur')]
  await Promise.all([fresh, done].map((folder) => mkdir(folder, { recursive: true })))
  for (const name of (await readdir(fresh)).sort()) {
    const file = join(fresh, name)
    await handle((await readFile(file)).subarray(0, maxEmailBytes), (await stat(file)).mtime)
    await rename(file, join(done, `${name}:2,S`))
  }
}

/** Reads the bounce mailbox every three minutes, if one is configured. */
const deliverabilityJobs = (deps: Deps): FeatureJobs =>
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

const exportedData: PersonReaders = {
  accountEmails: (tx, userId) =>
    tx
      .select({
        to: accountEmails.email,
        subject: accountEmails.subject,
        status: accountEmails.status,
        serverResponse: accountEmails.error,
        requestedAt: accountEmails.requestedAt,
      })
      .from(accountEmails)
      .where(inArray(accountEmails.email, confirmedAddressOf(tx, userId)))
      .orderBy(desc(accountEmails.requestedAt)),
  suppressions: (tx, userId) =>
    tx
      .select({
        email: suppressions.email,
        stream: suppressions.stream,
        reason: suppressions.reason,
        detail: suppressions.detail,
        at: suppressions.createdAt,
        liftedAt: suppressions.liftedAt,
        liftReason: suppressions.liftReason,
      })
      .from(suppressions)
      .where(inArray(suppressions.email, confirmedAddressOf(tx, userId)))
      .orderBy(desc(suppressions.createdAt)),
}

const deliverabilityCalls = (deps: Deps): Implementation[] => [
  implement(contracts.adminSuppressionsCall, (query) => listSuppressions(deps.database.db, deps.clock(), query)),
  implement(contracts.adminEmailFeedbackCall, (query) => listFeedback(deps.database.db, query)),
  implement(contracts.adminSuppressCall, (wanted, who) => suppress(deps, who, wanted)),
  implement(contracts.adminLiftSuppressionCall, (wanted, who) => lift(deps, who, wanted)),
]

export const deliverabilityFeature: Feature = {
  calls: deliverabilityCalls,
  routes: (deps) => [deliverabilityRoutes(deps)],
  jobs: deliverabilityJobs,
  onAccountDeleted: eraseEmailRecords,
  exportedData,
}
