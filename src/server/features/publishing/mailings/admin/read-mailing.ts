import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { type Db, queryRows } from '#server/db/database.ts'
import type { Deps } from '#server/feature.ts'
import { readScheduledContent } from '#server/features/publishing/documents/issue-content.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import type { Mailing } from '#shared/contracts/publishing/mailings.ts'
import { type MailingContent, unlistedKinds } from '#shared/contracts/publishing/newsletter.ts'
import { AppError } from '#shared/errors.ts'
import { type FullMailing, findMailing } from '../sending/mailing-row.ts'
import { hasMissingPages, readContent } from '../sending/start-scheduled-mailing.ts'
import { decisionTime, isTestOpen, readSubjectFigures } from '../sending/subject-test.ts'
import type { EstimateMailing } from './estimate-mailing.ts'
import { toSummary } from './list-mailings.ts'
import { readProgress } from './read-progress.ts'

/** Up to this many waiting deliveries are counted on every request, which takes a few milliseconds. */
const maxCountedLive = 5_000
const countsTtlMs = 20_000

type Hour = { at: Date; count: number }
type ReadWaitingForHour = (mailing: FullMailing, pending: number) => Promise<Mailing['waitingForHour']>

/** Says how many emails of a mailing wait for their reader's hour. Those of large mailings are counted every 20 seconds. */
export function createReadWaitingForHour({ database, clock }: Pick<Deps, 'database' | 'clock'>): ReadWaitingForHour {
  const counted = new LRUCache<string, Hour[]>({ max: 20, ttl: countsTtlMs })

  async function countByHour(id: string): Promise<Hour[]> {
    const rows = await queryRows<{ at: Date | string; count: number }>(
      database.db,
      sql`select send_at as at, count(*)::int as count from deliveries
        where mailing_id = ${id}::uuid and status = 'pending' and send_at is not null and send_at > ${clock().toISOString()}::timestamptz
        group by send_at order by send_at`,
    )
    return rows.map(({ at, count }) => ({ at: new Date(at), count }))
  }

  return async ({ id, status, readerHours, preparedAt }, pending) => {
    const isWaiting = readerHours && preparedAt !== null && (status === 'sending' || status === 'paused')
    if (!isWaiting || pending === 0) return null
    const known = pending > maxCountedLive ? counted.get(id) : undefined
    const hours = known ?? (await countByHour(id))
    if (!known) counted.set(id, hours)
    const now = clock()
    const ahead = hours.filter(({ at }) => at > now)
    const [next, last] = [ahead[0], ahead.at(-1)]
    if (!next || !last) return null
    return {
      count: ahead.reduce((sum, { count }) => sum + count, 0),
      nextAt: next.at.toISOString(),
      lastAt: last.at.toISOString(),
    }
  }
}

/** How the subject test of a mailing stands; null if it has none or hasn't started. */
export async function readSubjectTestState(
  db: Db,
  mailing: FullMailing,
  now: Date,
): Promise<Mailing['subjectTestState']> {
  const result = mailing.subjectTestResult
  if (!result) return null
  const { decision } = result
  const measure = (decision ? decision.measure : mailing.subjectTest?.measure) ?? 'clicks'
  const decidesAt = decision ? null : decisionTime(mailing)
  const until = decisionTime(mailing) ?? now
  return {
    ...result,
    measure,
    figures: decision ? decision.figures : await readSubjectFigures(db, mailing, until),
    uncountedReplies: measure === 'replies' ? await countUncounted(db, mailing.id, until) : 0,
    decidesAt: decidesAt?.toISOString() ?? null,
  }
}

/** Members whose reply may be forged, and who have no other one. */
async function countUncounted(db: Db, mailingId: string, until: Date): Promise<number> {
  const [row] = await queryRows<{ count: number }>(
    db,
    sql`select count(*)::int as count from (
      select r.user_id from email_replies r
      join deliveries d on d.user_id = r.user_id and d.mailing_id = r.mailing_id and d.subject_index is not null
      where r.mailing_id = ${mailingId}::uuid and r.at < ${until.toISOString()}::timestamptz
      group by r.user_id having not bool_or(r.has_token)) as members`,
  )
  return row?.count ?? 0
}

/** Readers of figures that are expensive for large mailings, and therefore cached. */
export type ProgressReaders = { estimateMailing: EstimateMailing; readWaitingForHour: ReadWaitingForHour }

/** @throws AppError not_found */
export async function readMailing(
  { config, database: { db }, clock }: Pick<Deps, 'config' | 'database' | 'clock'>,
  { estimateMailing, readWaitingForHour }: ProgressReaders,
  id: string,
): Promise<Mailing> {
  const mailing = await findMailing(db, id)
  const [progressOf, subjectTestState, content, settings] = await Promise.all([
    readProgress(db, [id]),
    readSubjectTestState(db, mailing, clock()),
    contentOf(db, mailing),
    readSendingSettings(db),
  ])
  const progress = progressOf(id)
  return {
    ...toSummary(mailing, progress),
    preheader: mailing.preheader,
    audience: mailing.audience,
    tracked: mailing.preparedAt === null ? settings.tracking : mailing.tracked,
    readerHours: mailing.readerHours && ((settings.readerHours ?? false) || mailing.preparedAt !== null),
    readerHoursAllowed: settings.readerHours ?? false,
    waitingForHour: await readWaitingForHour(mailing, progress.statuses.pending),
    subjectTest: mailing.subjectTest,
    repliesRead: config.repliesMailbox !== null,
    subjectTestState,
    waitsForDrop: mailing.status === 'scheduled' && mailing.waitsForVersion !== null,
    version: mailing.version,
    content,
    timeZone: settings.timeZone,
    frozen: mailing.status === 'scheduled' ? await readFrozen(db, mailing, content) : null,
    // While others wait for the decision, the limits say nothing about the end.
    estimate:
      mailing.status === 'sending' && !isTestOpen(mailing)
        ? await estimateMailing(id, progress.statuses.pending)
        : null,
  }
}

/** The content of a mailing, or empty content if its issue has been unpublished. */
export async function contentOf(db: Db, mailing: FullMailing): Promise<MailingContent> {
  try {
    return (await contentOfScheduledDrop(db, mailing)) ?? (await readContent(db, mailing))
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return withdrawn(mailing)
    throw error
  }
}

/** The text that is scheduled with its drop, until that is published. */
async function contentOfScheduledDrop(db: Db, mailing: FullMailing): Promise<MailingContent | null> {
  const { issueId, waitsForVersion, kind, subject, preheader } = mailing
  if (!issueId || waitsForVersion === null) return null
  const scheduled = await readScheduledContent(db, issueId)
  if (!scheduled) return null
  const { preview: _, ...content } = scheduled
  return { ...content, kind, subject, preheader }
}

const withdrawn = ({ kind, subject, preheader }: FullMailing): MailingContent => ({
  kind,
  subject,
  preheader,
  title: subject,
  date: null,
  worth: '',
  intro: '',
  sections: [],
  closing: '',
  question: '',
  path: null,
})

/** Null for mailings scheduled by versions that didn't freeze content; they send what is published at that time. */
async function readFrozen(db: Db, mailing: FullMailing, frozen: MailingContent): Promise<Mailing['frozen']> {
  if (!mailing.frozenAt) return null
  const at = mailing.frozenAt.toISOString()
  // News has no published source to compare with.
  if (mailing.kind === 'news' || unlistedKinds.includes(mailing.kind))
    return { at, hasNewer: false, hasMissingPages: false }
  const latest = await contentOf(db, { ...mailing, frozenAt: null })
  return {
    at,
    hasNewer: latest.path !== null && !isDeepStrictEqual(latest, frozen),
    hasMissingPages: await hasMissingPages(db, frozen),
  }
}
