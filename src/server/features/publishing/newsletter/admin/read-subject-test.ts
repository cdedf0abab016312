import type { Db } from '#server/db/database.ts'
import type { Mailing } from '#shared/contracts/publishing/mailings.ts'
import type { FullMailing } from '../sending/mailing-row.ts'
import { decisionTime, readSubjectFigures } from '../sending/subject-test.ts'

/** How the subject test of a mailing stands; null if it has none or hasn't started. */
export async function readSubjectTestState(db: Db, mailing: FullMailing): Promise<Mailing['subjectTestState']> {
  const result = mailing.subjectTestResult
  if (!result) return null
  const figures = result.decision ? result.decision.figures : await readSubjectFigures(db, mailing.id)
  return { ...result, figures, decidesAt: result.decision ? null : (decisionTime(mailing)?.toISOString() ?? null) }
}
