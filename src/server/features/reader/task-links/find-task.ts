import { and, eq, isNull } from 'drizzle-orm'
import { readTimeZoneOf } from '#server/db/publication-setting.ts'
import { businessLocation, contentItems, taskLink, teamAssignment, users } from '#server/db/schema/index.ts'
import { hasActiveTeamPlan } from '#server/features/billing/teams/team-queries.ts'
import { isBanned } from '#server/features/identity/auth/sessions/session-row.ts'
import { assignmentTitle } from '#server/features/reader/assignments/read-assignments.ts'
import { readProfileValues } from '#server/features/reader/business-profile/read-business-profile.ts'
import { type FindDeps, readShareable } from '#server/features/reader/sharing/find-shared-item.ts'
import { type TextInLanguage, textInLanguage } from '#server/features/reader/sharing/item-body.ts'
import { valuesOfLocation } from '#shared/domain/business-profile.ts'
import type { FillSources } from '#shared/domain/fill-placeholders.ts'
import type { CrewLanguage } from '#shared/domain/task-links.ts'
import { AppError } from '#shared/errors.ts'
import { hashTaskToken, isTaskToken } from './task-links.ts'

/** What a link leads to. */
export type Task = {
  assignmentId: string
  ownerId: string
  token: string
  /** Null: that of the phone. */
  language: CrewLanguage | null
  /** `paused`: the team's plan has ended. `store-deleted`: so was what it was about. */
  state: 'open' | 'paused' | 'store-deleted'
  title: string
  /** True if the team wrote the title. */
  hasOwnTitle: boolean
  /** The store, or the business. */
  storeName: string
  crew: string
  note: string
  dueOn: string | null
  done: { name: string; at: Date } | null
  timeZone: string
  item: { kind: 'section' | 'prompt' | 'guide'; id: string } | null
  /** In the team's words, or filled in for the store; empty for the item's own text. */
  text: string
  sources: FillSources
}

/**
 * Reads what a link shows, and nothing else.
 * @throws AppError not_found for links that are wrong, old, ended, or lead to something removed: callers can't tell which
 */
export async function findTask({ config, database, clock }: FindDeps, token: string): Promise<Task> {
  const { db } = database
  const now = clock()
  if (!isTaskToken(token)) throw new AppError('not_found')
  const [row] = await db
    .select({
      link: taskLink,
      assignment: teamAssignment,
      title: assignmentTitle,
      removedAt: contentItems.removedAt,
      location: businessLocation,
      bannedUntil: users.bannedUntil,
    })
    .from(taskLink)
    .innerJoin(teamAssignment, and(eq(teamAssignment.id, taskLink.assignmentId), eq(teamAssignment.removed, false)))
    .innerJoin(users, and(eq(users.id, teamAssignment.ownerId), isNull(users.deletedAt)))
    .leftJoin(contentItems, and(eq(contentItems.kind, teamAssignment.kind), eq(contentItems.id, teamAssignment.itemId)))
    .leftJoin(businessLocation, eq(businessLocation.id, teamAssignment.locationId))
    .where(eq(taskLink.tokenHash, hashTaskToken(token)))
  if (!row) throw new AppError('not_found')
  const { link, assignment, location, title, removedAt, bannedUntil } = row
  const hasEnded = link.endedAt !== null || link.expiresAt <= now || removedAt !== null
  if (hasEnded || isBanned({ banned_until: bannedUntil }, now)) throw new AppError('not_found')
  const { ownerId, kind, itemId } = assignment
  const isOpen = await hasActiveTeamPlan({ config, clock }, db, ownerId)
  const profile = await readProfileValues(db, ownerId)
  return {
    assignmentId: assignment.id,
    hasOwnTitle: assignment.title !== '',
    ...{ ownerId, token, title, language: link.language, crew: link.crew },
    state: !isOpen ? 'paused' : assignment.assignedTo === 'location' && !location ? 'store-deleted' : 'open',
    storeName: location?.name ?? profile.store_name ?? profile.brand ?? '',
    note: assignment.note,
    dueOn: assignment.dueOn,
    done: assignment.done ? { name: assignment.doneName, at: assignment.checkedAt ?? now } : null,
    timeZone: await readTimeZoneOf(db, ownerId),
    item: isTaskKind(kind) && itemId !== null ? { kind, id: itemId } : null,
    text: assignment.text,
    sources: { location: location ? valuesOfLocation(location) : {}, profile },
  }
}

const isTaskKind = (kind: string | null): kind is 'section' | 'prompt' | 'guide' =>
  kind === 'section' || kind === 'prompt' || kind === 'guide'

/** What to do, in the language of the page; null if the title says it all. */
export async function readTaskText(
  deps: FindDeps,
  { item }: Task,
  language: CrewLanguage,
): Promise<TextInLanguage | null> {
  if (!item || item.kind === 'guide') return null
  return textInLanguage(deps.database.db, await readShareable(deps, item.kind, item.id), language)
}
