import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import {
  contentItems,
  issueSections,
  issues,
  promptCategories,
  prompts,
  shareLinks,
  users,
} from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { hasAccess, readAccessFacts } from '#server/features/billing/subscriptions/access/read-access.ts'
import { isBanned } from '#server/features/identity/auth/sessions/session-row.ts'
import type { FindIssue } from '#server/features/library/content/read-issues.ts'
import type { ItemText } from '#server/features/library/content/translations.ts'
import { promptSchema } from '#shared/contracts/library/library.ts'
import type { ShareableKind } from '#shared/contracts/reader/sharing.ts'
import { AppError } from '#shared/errors.ts'
import { hashShareToken, isShareToken, readBusinessName } from './share-links.ts'

/** A published section or prompt. `html` is the section's text. */
export type ShareableItem = {
  kind: ShareableKind
  id: string
  minutes: number | null
  html: string
  original: ItemText
}

export type SharedItem = {
  /** Null unless the member chose to show it. */
  businessName: string | null
  expiresAt: Date
  item: ShareableItem
}

export type FindDeps = Pick<Deps, 'config' | 'database' | 'clock'> & { findIssue: FindIssue }

/**
 * Reads what a link shows, and nothing else. Its member must still have access, and its item must be published.
 * @throws AppError not_found; link_expired also once the member's plan has ended
 */
export async function findSharedItem(deps: FindDeps, token: string): Promise<SharedItem> {
  const { db } = deps.database
  if (!isShareToken(token)) throw new AppError('not_found')
  const [row] = await db
    .select({ link: shareLinks, bannedUntil: users.bannedUntil })
    .from(shareLinks)
    .innerJoin(users, and(eq(users.id, shareLinks.userId), isNull(users.deletedAt)))
    .innerJoin(
      contentItems,
      and(
        eq(contentItems.kind, shareLinks.kind),
        eq(contentItems.id, shareLinks.itemId),
        isNull(contentItems.removedAt),
      ),
    )
    .where(eq(shareLinks.tokenHash, hashShareToken(token)))
  if (!row) throw new AppError('not_found')
  const { link, bannedUntil } = row
  const now = deps.clock()
  const mayShare =
    !isBanned({ banned_until: bannedUntil }, now) && hasAccess(deps.config, await readAccessFacts(db, link.userId), now)
  if (link.expiresAt <= now || !mayShare) throw new AppError('link_expired')
  const businessName = link.showsBusiness ? await readBusinessName(db, link.userId) : null
  return { businessName, expiresAt: link.expiresAt, item: await readShareable(deps, link.kind, link.itemId) }
}

/** @throws AppError not_found */
export const readShareable = (deps: FindDeps, kind: ShareableKind, id: string): Promise<ShareableItem> =>
  kind === 'section' ? readSection(deps, id) : readPrompt(deps, id)

async function readSection({ database, findIssue }: FindDeps, id: string): Promise<ShareableItem> {
  const [row] = await database.db
    .select({ slug: issues.slug, body: issueSections.body })
    .from(issueSections)
    .innerJoin(issues, eq(issues.id, issueSections.issueId))
    .where(eq(issueSections.id, id))
  const issue = row && (await findIssue(row.slug))
  const section = issue?.sections.find((one) => one.id === id)
  if (!row || !section) throw new AppError('not_found')
  const { heading, summary, minutes, html } = section
  const original = { title: heading || issue?.title || '', lead: summary, body: row.body, checks: [] }
  return { kind: 'section', id, minutes, html, original }
}

async function readPrompt({ database }: FindDeps, id: string): Promise<ShareableItem> {
  const [row] = await database.db
    .select({ prompt: prompts })
    .from(prompts)
    .innerJoin(promptCategories, eq(promptCategories.id, prompts.categoryId))
    .where(and(eq(prompts.id, id), isNotNull(promptCategories.publishedAt)))
  if (!row) throw new AppError('not_found')
  const { title, when, body, checks, minutes } = promptSchema.parse(row.prompt)
  return { kind: 'prompt', id, minutes, html: '', original: { title, lead: when, body, checks } }
}
