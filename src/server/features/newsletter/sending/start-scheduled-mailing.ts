import { and, eq } from 'drizzle-orm'
import { mailings } from '#server/db/schema/index.ts'
import { type MailingProblem, problemText } from '#shared/contracts/mailing-preview.ts'
import type { MailingContent, SendFailure } from '#shared/contracts/newsletter.ts'
import { AppError } from '#shared/errors.ts'
import { hasMissingPages, readContent } from './frozen-content.ts'
import { type FullMailing, findMailing, lockMailing } from './mailing-row.ts'
import { revertToDraft } from './revert-to-draft.ts'
import type { SendingDeps } from './sending-deps.ts'

type SendBlocker = Pick<SendFailure, 'reason' | 'errors'>

export type StartScheduledDeps = Pick<SendingDeps, 'config' | 'database' | 'clock' | 'enqueue'> & {
  /** Runs the checks. Makes network requests for up to 30 seconds, so it runs outside of a transaction. */
  findProblems: (content: MailingContent) => Promise<MailingProblem[]>
  /** While the process is stopping, nothing is started. */
  isStopping?: () => boolean
}

/**
 * Checks a mailing that is due and starts it, or turns it back into a draft. Several nodes may do this at once; the first
 * to finish wins. A mailing that changed during the checks is checked again at the next poll.
 */
export async function startScheduledMailing(deps: StartScheduledDeps, id: string): Promise<void> {
  const { database, clock } = deps
  const mailing = await findMailing(database.db, id)
  if (!isDue(mailing, clock())) return
  const obstacle = await findSendBlocker(deps, mailing)
  if (deps.isStopping?.()) return
  await database.db.transaction(async (tx) => {
    const held = await lockMailing(tx, id)
    const isAsChecked = held.version === mailing.version && held.frozenAt?.getTime() === mailing.frozenAt?.getTime()
    if (!isDue(held, clock()) || !isAsChecked) return
    if (obstacle) return revertToDraft(tx, deps, held, obstacle)
    await tx
      .update(mailings)
      .set({ status: 'preparing', updatedAt: clock() })
      .where(and(eq(mailings.id, id), eq(mailings.status, 'scheduled')))
  })
}

const isDue = ({ status, scheduledAt }: Pick<FullMailing, 'status' | 'scheduledAt'>, now: Date) =>
  status === 'scheduled' && scheduledAt !== null && scheduledAt <= now

/** Why a mailing can't be sent, or null. */
async function findSendBlocker(
  { database: { db }, findProblems }: StartScheduledDeps,
  mailing: FullMailing,
): Promise<SendBlocker | null> {
  let content: MailingContent
  try {
    content = await readContent(db, mailing)
  } catch (error) {
    return sendBlockerOf(error)
  }
  if (await hasMissingPages(db, content)) return { reason: 'unpublished', errors: [] }
  const accepted: unknown = mailing.acceptedErrors
  const errors = (await findProblems(content))
    .filter(({ severity }) => severity === 'error')
    .map(problemText)
    .filter((words) => !(Array.isArray(accepted) && accepted.includes(words)))
  return errors.length > 0 ? { reason: 'checks', errors } : null
}

/** Converts errors caused by the mailing itself. @throws any other error, such as a lost database connection */
export function sendBlockerOf(error: unknown): SendBlocker {
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
