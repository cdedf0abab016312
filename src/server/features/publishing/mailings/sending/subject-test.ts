import { eq, sql } from 'drizzle-orm'
import { type Db, queryRows, type Tx } from '#server/db/database.ts'
import { mailings } from '#server/db/schema/index.ts'
import { findReadThrough } from '#server/features/publishing/email-replies/reply-mailbox.ts'
import type { MailingContent } from '#shared/contracts/publishing/newsletter.ts'
import { hourMs } from '#shared/domain/durations.ts'
import {
  decideSubject,
  readersPerSubject,
  replyReading,
  type SubjectFigures,
  type SubjectTestResult,
} from '#shared/domain/subject-test.ts'
import type { MailingRow, SendingDeps } from './mailing-row.ts'

type TestedMailing = Pick<MailingRow, 'id' | 'subjectTest' | 'tracked'>

/**
 * Draws the recipients of a mailing's subject test, in equal groups. Runs while the mailing is prepared. Without enough
 * recipients, or if clicks or replies aren't counted, everyone gets the first subject at once.
 */
export async function startSubjectTest(
  tx: Tx,
  config: SendingDeps['config'],
  { id, subjectTest, tracked }: TestedMailing,
  { otherSubjects = [] }: MailingContent,
  now: Date,
): Promise<SubjectTestResult | null> {
  if (!subjectTest || otherSubjects.length === 0) return null
  const subjects = 1 + otherSubjects.length
  const [row] = await queryRows<{ pending: number }>(
    tx,
    sql`select count(*)::int as pending from deliveries where mailing_id = ${id}::uuid and status = 'pending'`,
  )
  const { measure } = subjectTest
  const isCounted = measure === 'replies' ? config.repliesMailbox !== null : tracked
  const each = isCounted ? readersPerSubject(row?.pending ?? 0, subjects, subjectTest.share) : 0
  if (each === 0) {
    const outcome = isCounted ? 'tooFew' : 'notCounted'
    return { testedAt: null, decision: { at: now.toISOString(), measure, outcome, winner: 0, figures: [] } }
  }
  await tx.execute(sql`update deliveries d set subject_index = drawn.place % ${subjects}::int
    from (
      select id, (row_number() over (order by md5(user_id::text || mailing_id::text), id) - 1) as place
      from deliveries where mailing_id = ${id}::uuid and status = 'pending'
    ) as drawn
    where d.id = drawn.id and drawn.place < ${each * subjects}::int`)
  return { testedAt: null, decision: null }
}

/** True while recipients outside of the test have to wait. */
export const isTestOpen = ({ subjectTestResult }: Pick<MailingRow, 'subjectTestResult'>): boolean =>
  subjectTestResult !== null && subjectTestResult.decision === null

/** When an open test is decided; null until each of its emails has been tried. */
export function decisionTime({
  subjectTest,
  subjectTestResult,
}: Pick<MailingRow, 'subjectTest' | 'subjectTestResult'>) {
  if (!subjectTest || !subjectTestResult?.testedAt) return null
  return new Date(Date.parse(subjectTestResult.testedAt) + subjectTest.hours * hourMs)
}

/**
 * Decides an open test whose time has come. The caller holds the mailing's lock, so nodes decide once. A decision by replies
 * waits until the mailbox has been read up to that time; if it can't be read, the first subject goes out.
 */
export async function decideDueSubjectTest(
  tx: Tx,
  config: SendingDeps['config'],
  mailing: MailingRow,
  now: Date,
): Promise<MailingRow> {
  const { subjectTest, subjectTestResult: open } = mailing
  const due = isTestOpen(mailing) ? decisionTime(mailing) : null
  if (!subjectTest || !open || !due || due > now) return mailing
  const { measure } = subjectTest
  const at = now.toISOString()
  // Read before the replies are counted: what is committed in between is counted, too.
  const reading = measure === 'replies' ? await readingOfReplies(tx, config, { open, due, now }) : 'done'
  if (reading === 'waiting') {
    return open.repliesAwaitedSince ? mailing : writeResult(tx, mailing, { ...open, repliesAwaitedSince: at })
  }
  const figures = await readSubjectFigures(tx, mailing, due)
  const decision =
    reading === 'failed'
      ? { ...cannotTell, figures: figures.map(({ replied: _, ...known }) => known) }
      : { ...decideSubject(figures, measure), figures }
  return writeResult(tx, mailing, { testedAt: open.testedAt, decision: { at, measure, ...decision } })
}

const cannotTell = { outcome: 'cannotTell', winner: 0, problem: 'repliesNotRead' } as const

async function readingOfReplies(
  tx: Tx,
  { repliesMailbox }: SendingDeps['config'],
  { open, due, now }: { open: SubjectTestResult; due: Date; now: Date },
) {
  const readThrough = repliesMailbox === null ? null : await findReadThrough(tx, repliesMailbox)
  const awaitedSince = open.repliesAwaitedSince ? new Date(open.repliesAwaitedSince) : null
  return replyReading({ due, now, readThrough, awaitedSince })
}

/** The hours of the test begin once each of its emails has been tried: sending limits may take longer than the hours. */
export async function noteEndOfTest(tx: Tx, mailing: MailingRow, now: Date): Promise<void> {
  if (!isTestOpen(mailing) || mailing.subjectTestResult?.testedAt) return
  const [row] = await queryRows<{ remain: boolean }>(
    tx,
    sql`select exists (select 1 from deliveries where mailing_id = ${mailing.id}::uuid and subject_index is not null
      and status in ('pending', 'sending') and (status = 'sending' or attempts = 0)) as remain`,
  )
  if (row?.remain === false) await writeResult(tx, mailing, { testedAt: now.toISOString(), decision: null })
}

/**
 * Sent emails and readers who clicked, by subject. In a test by replies also readers whose reply arrived before `until`.
 * Replies without our token don't count: sender and subject can be forged.
 */
export async function readSubjectFigures(
  db: Db | Tx,
  { id, subjectTest }: Pick<MailingRow, 'id' | 'subjectTest'>,
  until: Date,
): Promise<SubjectFigures[]> {
  const rows = await queryRows<{ sent: number; clicked: number; replied: number }>(
    db,
    sql`select (count(*) filter (where status = 'submitted'))::int as sent,
        (count(*) filter (where status = 'submitted' and clicked_at is not null))::int as clicked,
        (count(*) filter (where status = 'submitted' and replied.user_id is not null))::int as replied
      from deliveries d
      left join (select distinct user_id from email_replies
        where mailing_id = ${id}::uuid and has_token and at < ${until.toISOString()}::timestamptz) as replied
        on replied.user_id = d.user_id
      where d.mailing_id = ${id}::uuid and d.subject_index is not null
      group by d.subject_index order by d.subject_index`,
  )
  const isByReplies = subjectTest?.measure === 'replies'
  return rows.map(({ sent, clicked, replied }) => ({ sent, clicked, ...(isByReplies && { replied }) }))
}

async function writeResult(tx: Tx, mailing: MailingRow, subjectTestResult: SubjectTestResult): Promise<MailingRow> {
  await tx.update(mailings).set({ subjectTestResult }).where(eq(mailings.id, mailing.id))
  return { ...mailing, subjectTestResult }
}
