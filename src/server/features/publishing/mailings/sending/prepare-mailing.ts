import { and, eq, gt, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { mailingCounts, mailings } from '#server/db/schema/index.ts'
import { announceChanges } from '#server/features/library/freshness/announce-changes.ts'
import { readViewFilters } from '#server/features/publishing/segments/views.ts'
import {
  readSendingSettings,
  requirePostalAddress,
} from '#server/features/publishing/sending-settings/sending-settings.ts'
import { readBestAnswers } from '#server/features/reader/comments/best-answers.ts'
import type { MemberFilter } from '#shared/domain/member-filter.ts'
import { AppError } from '#shared/errors.ts'
import { audienceSql, memberSql } from './audience-sql.ts'
import { type FullMailing, lockMailing, readRow, type SendingDeps } from './mailing-row.ts'
import { revertToDraft } from './pause-rules.ts'
import { type ReaderHours, readReaderHours, sendAtSql } from './reader-hours.ts'
import { hasMissingPages, readContent, readPublication, sendBlockerOf } from './start-scheduled-mailing.ts'
import { startSubjectTest } from './subject-test.ts'

/**
 * Freezes content and audience and starts sending, in one transaction on one node. After a crash the next poll prepares
 * the mailing again. A mailing that can't be prepared becomes a draft again and the publisher gets an email.
 */
export async function prepareMailing(
  deps: Omit<SendingDeps, 'secrets' | 'newsletterMailer'>,
  id: string,
): Promise<void> {
  try {
    await deps.database.db.transaction(async (tx) => {
      const [row] = await tx
        .select()
        .from(mailings)
        .where(and(eq(mailings.id, id), eq(mailings.status, 'preparing')))
        .for('no key update', { skipLocked: true })
      if (row) await prepare(tx, deps, readRow(row))
    })
  } catch (error) {
    const obstacle = sendBlockerOf(error)
    deps.logger.error({ err: error, mailing: id }, 'mailing could not be prepared')
    await deps.database.db.transaction(async (tx) => revertToDraft(tx, deps, await lockMailing(tx, id), obstacle))
  }
}

async function prepare(tx: Tx, { config, clock }: Pick<SendingDeps, 'config' | 'clock'>, mailing: FullMailing) {
  const now = clock()
  // After a restore, staff can resume a mailing whose drop isn't published yet.
  if ((await readPublication(tx, mailing)) !== 'done') throw new AppError('not_found')
  const content = await readContent(tx, mailing)
  if (await hasMissingPages(tx, content)) throw new AppError('not_found')
  const settings = await readSendingSettings(tx)
  requirePostalAddress(config, settings)
  // Serialize mailings of the same issue, and resends of the same mailing, so that the second one sees the deliveries of the first.
  const { unopenedMailingId } = mailing.audience
  const serialized = mailing.issueId ? `issue:${mailing.issueId}` : unopenedMailingId && `resend:${unopenedMailingId}`
  if (serialized) await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${serialized}, 0))`)
  // Without statistics on freshly filled tables the planner picks nested loops: minutes instead of seconds for 100,000
  // readers. Hash joins read each table once.
  await tx.execute(sql`set local enable_nestloop = off`)
  const usesReaderHours = (settings.readerHours ?? false) && mailing.readerHours && mailing.subjectTest === null
  const readerHours = usesReaderHours ? await readReaderHours(tx, mailing, now) : null
  const views = await readViewFilters(tx, mailing.audience.viewIds)
  await tx.execute(freezeAudience(config, { mailing, views, readerHours }, now))
  if (!(await hasReaders(tx, mailing.id))) throw new AppError('empty_audience')
  const { tracking: tracked } = settings
  const subjectTestResult = await startSubjectTest(tx, config, { ...mailing, tracked }, content, now)
  const changes = await announceChanges(tx, mailing, now)
  const bestAnswers =
    mailing.frozenAt || mailing.kind !== 'issue' || !mailing.issueId
      ? content.bestAnswers
      : await readBestAnswers(tx, config.settings.publication, mailing.issueId)
  await tx
    .update(mailings)
    .set({
      status: 'sending',
      content: { ...content, changes, ...(bestAnswers && { bestAnswers }) },
      frozenAt: mailing.frozenAt ?? now,
      tracked,
      subjectTestResult,
      readerHours: usesReaderHours,
      preparedAt: now,
      startedAt: now,
      pauseReason: null,
      updatedAt: now,
    })
    .where(eq(mailings.id, mailing.id))
}

/** Reads the mailing counts, which are up to date within the transaction. */
async function hasReaders(tx: Tx, mailingId: string): Promise<boolean> {
  const pending = and(eq(mailingCounts.mailingId, mailingId), eq(mailingCounts.name, 'pending'))
  return (await tx.$count(mailingCounts, and(pending, gt(mailingCounts.value, 0)))) > 0
}

/**
 * Inserts one row per member of the audience in one statement, including excluded ones, so that the totals cover everyone.
 */
function freezeAudience(
  config: SendingDeps['config'],
  {
    mailing,
    views,
    readerHours,
  }: { mailing: FullMailing; views: readonly (MemberFilter | null)[]; readerHours: ReaderHours | null },
  now: Date,
) {
  const { joins, where, cause } = audienceSql(config, mailing, now, views)
  const { join, sendAt } = sendAtSql(readerHours)
  // The delivery of the first mailing says that the reader got the issue.
  const issueId = mailing.audience.unopenedMailingId === null ? mailing.issueId : null
  // In the order in which they are sent, so that a claim reads rows that lie together.
  return sql`
    insert into deliveries (mailing_id, issue_id, user_id, email, domain, name, reader, status, cause, send_at, changed_at)
    select ${mailing.id}::uuid, ${issueId}, id, email, split_part(email, '@', 2), name, reader,
      case when cause is null then 'pending' else 'suppressed' end, cause, send_at, ${now.toISOString()}::timestamptz
    from (
      select u.id, ${memberSql}, ${cause} as cause, ${sendAt} as send_at
      from auth.users u ${joins} ${join}
      where ${where}
      order by ${readerHours ? sql`send_at, ` : sql``}u.id
    ) as members`
}
