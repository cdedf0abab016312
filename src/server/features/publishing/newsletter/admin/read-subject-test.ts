import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { queryRows } from '#server/db/query-rows.ts'
import type { Mailing } from '#shared/contracts/publishing/mailings.ts'
import type { FullMailing } from '../sending/mailing-row.ts'
import { decisionTime, readSubjectFigures } from '../sending/subject-test.ts'

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
