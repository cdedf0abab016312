import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { contentDocument, contentSchedule, issues, mailings } from '#server/db/schema/index.ts'
import { type MailingProblem, problemText } from '#shared/contracts/publishing/mailing-preview.ts'
import { type MailingContent, mailingContentSchema, type SendFailure } from '#shared/contracts/publishing/newsletter.ts'
import { AppError } from '#shared/errors.ts'
import { buildContent, type FullMailing, findMailing, lockMailing, type SendingDeps } from './mailing-row.ts'
import { revertToDraft } from './pause-rules.ts'

/**
 * The content of a mailing: frozen, or for a draft what is published now.
 * @throws AppError not_found, as `freezeContent`
 */
export const readContent = async (db: Db | Tx, mailing: FullMailing): Promise<MailingContent> =>
  mailing.frozenAt ? mailingContentSchema.parse(mailing.content) : buildContent(db, mailing)

const dropPage = /^\/portal\/weekly-drops\/([a-z0-9-]+)(?:#|$)/

/** Returns true if the content links to an issue that is no longer published. */
export async function hasMissingPages(db: Db | Tx, { path, sections }: MailingContent): Promise<boolean> {
  const slugs = new Set(
    [path, ...sections.map((section) => section.path)].flatMap((each) => dropPage.exec(each ?? '')?.[1] ?? []),
  )
  if (slugs.size === 0) return false
  const there = and(inArray(issues.slug, [...slugs]), isNotNull(issues.publishedAt))
  return (await db.$count(issues, there)) < slugs.size
}

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
  const publication = await readPublication(database.db, mailing)
  if (publication === 'pending') return
  const { obstacle, content } =
    publication === 'canceled' ? { obstacle: unpublished, content: null } : await checkContent(deps, mailing)
  if (deps.isStopping?.()) return
  await database.db.transaction(async (tx) => {
    const held = await lockMailing(tx, id)
    const isAsChecked = held.version === mailing.version && held.frozenAt?.getTime() === mailing.frozenAt?.getTime()
    if (!isDue(held, clock()) || !isAsChecked) return
    if ((await readPublication(tx, held)) !== publication) return
    if (obstacle) return revertToDraft(tx, deps, held, obstacle)
    await tx
      .update(mailings)
      // Together with its drop it was scheduled without a text: the one that was checked is sent.
      .set({
        status: 'preparing',
        updatedAt: clock(),
        ...(held.frozenAt === null && content && { content, frozenAt: clock(), waitsForVersion: null }),
      })
      .where(and(eq(mailings.id, id), eq(mailings.status, 'scheduled')))
  })
}

const isDue = ({ status, scheduledAt }: Pick<FullMailing, 'status' | 'scheduledAt'>, now: Date) =>
  status === 'scheduled' && scheduledAt !== null && scheduledAt <= now

const unpublished: SendBlocker = { reason: 'unpublished', errors: [] }

/**
 * Says whether the version of the drop that a mailing waits for is published. It is `canceled` if nothing will publish it
 * anymore.
 */
export async function readPublication(
  db: Db | Tx,
  { issueId, waitsForVersion }: Pick<FullMailing, 'issueId' | 'waitsForVersion'>,
): Promise<'done' | 'pending' | 'canceled'> {
  if (waitsForVersion === null || issueId === null) return 'done'
  const [drop] = await db
    .select({ publishedVersion: contentDocument.publishedVersion, publishAt: contentSchedule.publishAt })
    .from(contentDocument)
    .leftJoin(
      contentSchedule,
      and(eq(contentSchedule.kind, contentDocument.kind), eq(contentSchedule.id, contentDocument.id)),
    )
    .where(and(eq(contentDocument.kind, 'issue'), eq(contentDocument.id, issueId)))
  if ((drop?.publishedVersion ?? -1) >= waitsForVersion) return 'done'
  return drop?.publishAt ? 'pending' : 'canceled'
}

type Checked = { obstacle: SendBlocker | null; content: MailingContent | null }

/** The content of a mailing, and why it can't be sent. */
async function checkContent(deps: StartScheduledDeps, mailing: FullMailing): Promise<Checked> {
  let content: MailingContent
  try {
    content = await readContent(deps.database.db, mailing)
  } catch (error) {
    return { obstacle: sendBlockerOf(error), content: null }
  }
  return { obstacle: await findSendBlocker(deps, mailing, content), content }
}

async function findSendBlocker(
  { database: { db }, findProblems }: StartScheduledDeps,
  mailing: FullMailing,
  content: MailingContent,
): Promise<SendBlocker | null> {
  if (await hasMissingPages(db, content)) return unpublished
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
