import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Db, queryRows, type Tx } from '#server/db/database.ts'
import { readPublicationSetting } from '#server/db/publication-setting.ts'
import { commentAuthor, issueSections } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { hasAccess } from '#server/features/billing/subscriptions/access/read-access.ts'
import { findDrop } from '#server/features/reader/feedback/polls.ts'
import type { Principal } from '#server/http/principal.ts'
import { mayReadTalk, mayTalk } from '#shared/domain/comments.ts'
import { canReadWhole, visitor } from '#shared/domain/open-sections.ts'
import { AppError } from '#shared/errors.ts'

export type TalkDeps = Pick<Deps, 'config' | 'database' | 'clock'>

/** True for roles that moderate and whose answers are marked as the editor's. */
export const isEditor = ({ staffRole }: Pick<Principal, 'staffRole'>): boolean =>
  staffRole === 'owner' || staffRole === 'editor'

/**
 * The drop, and what the caller can do with the answers under it.
 * @throws AppError not_found for a drop that isn't published, comments_closed if the caller can't read the answers
 */
export async function readTalk(deps: Pick<TalkDeps, 'config' | 'clock'>, db: Db | Tx, who: Principal, issueId: string) {
  const drop = await findDrop(db, issueId)
  const sections = await db
    .select({ openToEveryone: issueSections.openToEveryone })
    .from(issueSections)
    .where(eq(issueSections.issueId, issueId))
  const audience = deps.config.settings.publication.comments
  const isOpenDrop = canReadWhole(visitor, sections)
  const facts = { audience, isOpenDrop, hasAccess: isEditor(who) || hasAccess(deps.config, who, deps.clock()) }
  const mayPost = mayTalk(facts)
  const tookPart = sql`select 1 from comment where user_id = ${who.userId}::uuid and issue_id = ${issueId} limit 1`
  if (!mayReadTalk(facts, !mayPost && (await queryRows(db, tookPart)).length > 0)) throw new AppError('comments_closed')
  const [own] = await db.select().from(commentAuthor).where(eq(commentAuthor.userId, who.userId))
  return {
    drop,
    own: own ?? null,
    mayPost: mayPost && !own?.suspendedAt,
    isPublic: audience === 'readers' && isOpenDrop,
  }
}

/** The same for a change. @throws AppError comments_suspended too */
export async function requireTalk(...[deps, db, who, issueId]: Parameters<typeof readTalk>) {
  const talk = await readTalk(deps, db, who, issueId)
  if (talk.own?.suspendedAt) throw new AppError('comments_suspended')
  if (!talk.mayPost) throw new AppError('comments_closed')
  return talk
}

const valuesSchema = z.record(z.string(), z.string()).catch({})

/** Settings that only the server needs. */
export async function readTalkSettings(db: Db | Tx) {
  const values = valuesSchema.parse((await readPublicationSetting(db, 'publication')).value)
  return {
    areInEmail: values.commentsInEmail === 'on',
    holdsFirst: values.commentsHold === 'hold',
    blockedWords: (values.commentsBlocked ?? '').split(/[\n,]/).filter((word) => word.trim() !== ''),
  }
}
