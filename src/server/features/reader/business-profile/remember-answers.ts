import { and, desc, eq, lt, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { promptAnswer } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import type { rememberAnswersCall } from '#shared/contracts/reader/business-profile.ts'
import { maxRememberedAnswers } from '#shared/domain/business-profile.ts'
import { changeInstant } from '#shared/domain/change-instant.ts'

/** Keeps the newest answer to each blank, whatever the order in which devices send them. */
export async function rememberAnswers(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  userId: string,
  { promptId, at, answers }: z.output<typeof rememberAnswersCall.input>,
): Promise<{ remembered: true }> {
  // A device whose clock is ahead must not win forever.
  const answeredAt = changeInstant(at, clock())
  const rows = Object.entries(answers).map(([blank, answer]) => ({ userId, promptId, blank, answer, answeredAt }))
  if (rows.length === 0) return { remembered: true }
  await database.db.transaction(async (tx) => {
    await tx
      .insert(promptAnswer)
      .values(rows.toSorted((a, b) => (a.blank < b.blank ? -1 : 1)))
      .onConflictDoUpdate({
        target: [promptAnswer.userId, promptAnswer.promptId, promptAnswer.blank],
        set: { answer: sql`excluded.answer`, answeredAt: sql`excluded.answered_at` },
        setWhere: lt(promptAnswer.answeredAt, sql`excluded.answered_at`),
      })
    const [oldest] = await tx
      .select({ answeredAt: promptAnswer.answeredAt })
      .from(promptAnswer)
      .where(eq(promptAnswer.userId, userId))
      .orderBy(desc(promptAnswer.answeredAt))
      .offset(maxRememberedAnswers)
      .limit(1)
    if (!oldest) return
    await tx
      .delete(promptAnswer)
      .where(
        and(
          eq(promptAnswer.userId, userId),
          sql`${promptAnswer.answeredAt} <= ${oldest.answeredAt.toISOString()}::timestamptz`,
        ),
      )
  })
  return { remembered: true }
}
