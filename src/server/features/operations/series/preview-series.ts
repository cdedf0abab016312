import { eq, sql } from 'drizzle-orm'
import { queryRows } from '#server/db/database.ts'
import { emailPreferences } from '#server/db/schema/index.ts'
import type { Actor } from '#server/features/identity/auth/security/admin-event.ts'
import { noMailing } from '#server/features/publishing/mailings/admin/count-audience.ts'
import {
  type PreviewDeps,
  previewEmail,
  type ReaderChoice,
  sendTestEmail,
} from '#server/features/publishing/mailings/admin/preview-email.ts'
import { memberFilterSql } from '#server/features/publishing/segments/filter-sql.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { everyone } from '#shared/contracts/publishing/newsletter.ts'
import type { MemberFilter } from '#shared/domain/member-filter.ts'
import { maxSeriesSteps, seriesEmailContent } from '#shared/domain/series.ts'
import { AppError } from '#shared/errors.ts'
import { advanceSeries } from './advance-series.ts'
import { readFieldSteps } from './apply-steps.ts'
import { findSeries } from './series-row.ts'

/** Placeholder for the mailing of a step. */
const unsentAs = (newsletterId: number | null) =>
  ({
    id: noMailing,
    kind: 'series',
    issueId: null,
    audience: { ...everyone, newsletterId },
    preparedAt: null,
  }) as const

type StepId = { id: string; stepId: string }

/** @throws AppError not_found */
async function findEmail({ database }: Pick<PreviewDeps, 'database'>, { id, stepId }: StepId) {
  const found = await findSeries(database.db, id)
  const step = found.steps.find((each) => each.id === stepId && !each.removed)
  if (step?.kind !== 'email') throw new AppError('not_found')
  const object = { kind: 'series', id, name: found.name } as const
  return { object, content: seriesEmailContent(step), mailing: unsentAs(step.newsletterId) }
}

/** @throws AppError not_found */
export async function previewSeriesEmail(deps: PreviewDeps, of: StepId, as: ReaderChoice) {
  const { content, mailing } = await findEmail(deps, of)
  return previewEmail(deps, { mailing, content }, as)
}

/** @throws AppError not_found, email_rejected, over_request_rate_limit */
export async function testSeriesEmail(
  deps: PreviewDeps,
  who: Actor,
  of: StepId,
  test: { to: string; as: ReaderChoice },
) {
  return sendTestEmail(deps, who, await findEmail(deps, of), test)
}

/**
 * What a member would get who entered now, if nothing about them changed.
 * @throws AppError not_found
 */
export async function previewSeries(
  { config, database, clock }: Pick<PreviewDeps, 'config' | 'database' | 'clock'>,
  { id, userId }: { id: string; userId: string },
) {
  const { db } = database
  const { steps, leavesWhen } = await findSeries(db, id)
  const now = clock()
  const isMatch = async (filter: MemberFilter | null) =>
    filter !== null &&
    (
      await queryRows(
        db,
        sql`select 1 from member_facts f
          where f.user_id = ${userId}::uuid and ${memberFilterSql(config, filter, now).where}`,
      )
    ).length > 0
  const [choices] = await db.select().from(emailPreferences).where(eq(emailPreferences.userId, userId))
  const timeZone = choices?.timeZone ?? (await readSendingSettings(db)).timeZone
  const matched = new Set<string>()
  for (const step of steps) {
    if (step.kind === 'condition' && (await isMatch(step.filter))) matched.add(step.id)
  }
  const fields = await readFieldSteps(db, steps)
  const leaves = await isMatch(leavesWhen === 'invalid' ? null : leavesWhen)
  const taken: { stepId: string; outcome: string; at: string }[] = []
  const done = new Set<string>()
  let position: string | null = null
  let at = now
  // Each pass ends in another step.
  for (let pass = 0; pass <= maxSeriesSteps; pass += 1) {
    const { results, stepId, dueAt, end } = advanceSeries(
      steps,
      { stepId: position, done },
      { leaves, matches: (step) => matched.has(step), canSet: (step) => fields.has(step), timeZone, now: at },
    )
    for (const { step, outcome } of results) {
      done.add(step.id)
      taken.push({ stepId: step.id, outcome, at: at.toISOString() })
    }
    if (end) break
    position = stepId
    at = dueAt
  }
  return { leaves, steps: taken }
}
