import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { queryRows } from '#server/db/query-rows.ts'
import { mailings } from '#server/db/schema/index.ts'
import type { MailingContent } from '#shared/contracts/publishing/newsletter.ts'
import { hourMs } from '#shared/domain/durations.ts'
import {
  decideSubject,
  readersPerSubject,
  type SubjectFigures,
  type SubjectTestResult,
} from '#shared/domain/subject-test.ts'
import type { MailingRow } from './mailing-row.ts'

type TestedMailing = Pick<MailingRow, 'id' | 'subjectTest' | 'tracked'>

/**
 * Draws the recipients of a mailing's subject test, in equal groups. Runs while the mailing is prepared. Without enough
 * recipients, or if clicks aren't counted, everyone gets the first subject at once.
 */
export async function startSubjectTest(
  tx: Tx,
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
  const each = tracked ? readersPerSubject(row?.pending ?? 0, subjects, subjectTest.share) : 0
  if (each === 0) {
    const outcome = tracked ? 'tooFew' : 'notCounted'
    return { testedAt: null, decision: { at: now.toISOString(), outcome, winner: 0, figures: [] } }
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

/** Decides an open test whose time has come. The caller holds the mailing's lock, so nodes decide once. */
export async function decideDueSubjectTest(tx: Tx, mailing: MailingRow, now: Date): Promise<MailingRow> {
  const due = isTestOpen(mailing) ? decisionTime(mailing) : null
  if (!due || due > now) return mailing
  const figures = await readSubjectFigures(tx, mailing.id)
  return writeResult(tx, mailing, {
    testedAt: mailing.subjectTestResult?.testedAt ?? null,
    decision: { at: now.toISOString(), ...decideSubject(figures), figures },
  })
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

/** Sent emails and readers who clicked, by subject. */
export async function readSubjectFigures(db: Db | Tx, mailingId: string): Promise<SubjectFigures[]> {
  const rows = await queryRows<{ index: number; sent: number; clicked: number }>(
    db,
    sql`select subject_index::int as index, (count(*) filter (where status = 'submitted'))::int as sent,
        (count(*) filter (where status = 'submitted' and clicked_at is not null))::int as clicked
      from deliveries where mailing_id = ${mailingId}::uuid and subject_index is not null
      group by subject_index order by subject_index`,
  )
  return rows.map(({ sent, clicked }) => ({ sent, clicked }))
}

async function writeResult(tx: Tx, mailing: MailingRow, subjectTestResult: SubjectTestResult): Promise<MailingRow> {
  await tx.update(mailings).set({ subjectTestResult }).where(eq(mailings.id, mailing.id))
  return { ...mailing, subjectTestResult }
}
