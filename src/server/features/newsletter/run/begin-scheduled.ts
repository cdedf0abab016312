import { and, eq } from 'drizzle-orm'
import { mailings } from '#server/db/schema/index.ts'
import { type MailingProblem, problemText } from '#shared/contracts/mailing-preview.ts'
import type { MailingContent, SendFailure } from '#shared/contracts/newsletter.ts'
import { AppError } from '#shared/errors.ts'
import { currentContent, hasMissingPages } from './frozen-content.ts'
import { holdBack } from './hold-back.ts'
import { type FullMailing, findMailing, holdMailing } from './mailing-row.ts'
import type { RunDeps } from './run-deps.ts'

type Obstacle = Pick<SendFailure, 'reason' | 'errors'>

export type BeginDeps = Pick<RunDeps, 'config' | 'database' | 'clock' | 'enqueue'> & {
  /** What the checks find. Asks other servers, so it takes up to half a minute and is done outside of a transaction. */
  findProblems: (content: MailingContent) => Promise<MailingProblem[]>
  /** A process that is being stopped decides nothing any more. */
  isStopping?: () => boolean
}

/**
 * At its time, a scheduled mailing is checked once more and then begins, or is held back. Any number of nodes may look
 * at once: whichever ends first decides. What changed meanwhile, such as by Update to latest, is looked at anew.
 */
export async function beginScheduled(deps: BeginDeps, id: string): Promise<void> {
  const { database, clock } = deps
  const mailing = await findMailing(database.db, id)
  if (!isDue(mailing, clock())) return
  const obstacle = await findObstacle(deps, mailing)
  if (deps.isStopping?.()) return
  await database.db.transaction(async (tx) => {
    const held = await holdMailing(tx, id)
    const isAsChecked = held.version === mailing.version && held.frozenAt?.getTime() === mailing.frozenAt?.getTime()
    if (!isDue(held, clock()) || !isAsChecked) return
    if (obstacle) return holdBack(tx, deps, held, obstacle)
    await tx
      .update(mailings)
      .set({ status: 'preparing', updatedAt: clock() })
      .where(and(eq(mailings.id, id), eq(mailings.status, 'scheduled')))
  })
}

const isDue = ({ status, scheduledAt }: Pick<FullMailing, 'status' | 'scheduledAt'>, now: Date) =>
  status === 'scheduled' && scheduledAt !== null && scheduledAt <= now

/** Why a mailing cannot go out, or null. */
async function findObstacle(
  { database: { db }, findProblems }: BeginDeps,
  mailing: FullMailing,
): Promise<Obstacle | null> {
  let content: MailingContent
  try {
    content = await currentContent(db, mailing)
  } catch (error) {
    return obstacleOf(error)
  }
  if (await hasMissingPages(db, content)) return { reason: 'unpublished', errors: [] }
  const accepted: unknown = mailing.acceptedErrors
  const errors = (await findProblems(content))
    .filter(({ severity }) => severity === 'error')
    .map(problemText)
    .filter((words) => !(Array.isArray(accepted) && accepted.includes(words)))
  return errors.length > 0 ? { reason: 'checks', errors } : null
}

/** @throws whatever is no property of the mailing, such as a lost database */
export function obstacleOf(error: unknown): Obstacle {
  if (error instanceof AppError) {
    switch (error.code) {
      case 'not_found':
        return { reason: 'unpublished', errors: [] }
      case 'empty_audience':
        return { reason: 'noRecipients', errors: [] }
      case 'postal_address_missing':
        return { reason: 'postalAddress', errors: [] }
    }
  }
  if (error instanceof AppError || (error instanceof Error && error.name === 'ZodError'))
    return { reason: 'content', errors: [] }
  throw error
}
