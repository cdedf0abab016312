import { eq } from 'drizzle-orm'
import { emailPreferences, series, seriesEntry } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { readApiDrop, readApiMailing } from '#server/features/operations/api-keys/api-content.ts'
import { readApiAccess, readApiMember } from '#server/features/operations/api-keys/api-members.ts'
import { readSubscriptions } from '#server/features/publishing/newsletters/subscriptions.ts'
import { AppError } from '#shared/errors.ts'

type DataDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'secrets'>

/**
 * The subject of an event as of now, in the shapes of the public API. Only the id is left of a subject that is gone
 * since, so that no personal data outlives an account here.
 */
export async function readEventData(deps: DataDeps, { type, subject }: { type: string; subject: string }) {
  try {
    return await readPresent(deps, type, subject)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return { id: subject }
    throw error
  }
}

async function readPresent(deps: DataDeps, type: string, subject: string): Promise<object> {
  const { db } = deps.database
  if (type === 'member.deleted') return { id: subject }
  if (type === 'series.step_reached') return readSeriesStep(deps, subject)
  if (type === 'member.unsubscribed') {
    const member = await readApiMember(deps, subject)
    const [chosen] = await db.select().from(emailPreferences).where(eq(emailPreferences.userId, subject))
    const newsletters = (await readSubscriptions(db, subject)).filter(({ wasAsked }) => wasAsked)
    return {
      ...member,
      emailPreferences: {
        drops: chosen?.drops ?? 'weekly',
        news: chosen?.news ?? true,
        newsletters: newsletters.map(({ id, name, subscribed }) => ({ id, name, subscribed })),
      },
    }
  }
  if (type.startsWith('member.')) return readApiMember(deps, subject)
  if (type.startsWith('subscription.')) return readApiAccess(deps, subject)
  if (type === 'drop.published') {
    const { sections, intro, closing, ...drop } = await readApiDrop(deps, subject)
    return drop
  }
  return readApiMailing(deps, subject)
}

/** @param subject ids of the entry and the step. @throws AppError not_found */
async function readSeriesStep(deps: DataDeps, subject: string) {
  const [entryId, stepId] = subject.split(':')
  const [found] = await deps.database.db
    .select({ id: series.id, name: series.name, userId: seriesEntry.userId })
    .from(seriesEntry)
    .innerJoin(series, eq(series.id, seriesEntry.seriesId))
    .where(eq(seriesEntry.id, Number(entryId)))
  if (!found) throw new AppError('not_found')
  const { userId, ...of } = found
  return { series: { ...of, stepId }, member: await readApiMember(deps, userId) }
}
