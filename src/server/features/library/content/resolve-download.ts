import { and, arrayContains, eq, inArray, isNotNull, isNull, or } from 'drizzle-orm'
import { guideFile, guides, tools, userRoles, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { ownedItems } from '#server/features/billing/purchases/owned-items.ts'
import { hasAccess, readAccessFacts } from '#server/features/billing/subscriptions/access/read-access.ts'
import { isBanned } from '#server/features/identity/auth/sessions/session-row.ts'
import { isViewOpen } from '#server/features/identity/view-as/read-view-as.ts'
import { adminGuideFileLinkCall } from '#shared/contracts/publishing/publishing-library.ts'
import { storedRole } from '#shared/domain/staff-roles.ts'
import { AppError } from '#shared/errors.ts'
import type { GuideFileSource } from './guide-file.ts'
import type { PageReader } from './guide-pages.ts'
import { findTextFile } from './text-file.ts'

type FindDeps = Pick<Deps, 'config' | 'database' | 'clock'>
type Wanted = { guideId: string; toolId?: string; file?: string; userId: string; version?: number }

/**
 * Finds the file of a download link, checking access again: the account may have been deleted or lost its subscription or
 * team seat. Links to a specific version are for staff who edit content.
 * @throws AppError not_found, not_subscribed
 */
export function resolveDownload(deps: FindDeps, wanted: Wanted): Promise<GuideFileSource> {
  if (wanted.file !== undefined) return findForMember(deps, wanted.file, wanted.userId)
  if (wanted.toolId !== undefined) return findTestSheet(deps, wanted.toolId, wanted.userId)
  return wanted.version === undefined ? findForReader(deps, wanted) : findForStaff(deps, wanted, wanted.version)
}

/** Roles that may open files that aren't published. */
const contentRoles = adminGuideFileLinkCall.roles.map(storedRole)

const upload = { hash: guideFile.hash, name: guideFile.name, contentType: guideFile.contentType }

async function findForReader(deps: FindDeps, { guideId, userId }: Wanted): Promise<GuideFileSource> {
  const { db } = deps.database
  const [row] = await db
    .select({ file: guides.file, upload, gift: guides.gift, at: guides.publishedAt, bannedUntil: users.bannedUntil })
    .from(guides)
    .innerJoin(users, and(eq(users.id, userId), isNull(users.deletedAt)))
    .leftJoin(guideFile, and(eq(guideFile.guideId, guides.id), eq(guideFile.version, guides.fileVersion)))
    .where(eq(guides.id, guideId))
  const isBought = (await ownedItems(db, userId)).guides.includes(guideId)
  if (!row || !(row.at || isBought)) throw new AppError('not_found')
  await requireReader(deps, userId, { ...row, isFree: row.gift || isBought })
  return row.upload ?? row.file
}

async function findForMember(deps: FindDeps, path: string, userId: string): Promise<GuideFileSource> {
  const isUser = and(eq(users.id, userId), isNull(users.deletedAt))
  const [row] = await deps.database.db.select({ bannedUntil: users.bannedUntil }).from(users).where(isUser)
  if (!row) throw new AppError('not_found')
  await requireReader(deps, userId, row)
  return findTextFile(deps.database.db, path)
}

async function findTestSheet(deps: FindDeps, toolId: string, userId: string): Promise<GuideFileSource> {
  const [row] = await deps.database.db
    .select({ file: tools.testSheet, bannedUntil: users.bannedUntil })
    .from(tools)
    .innerJoin(users, and(eq(users.id, userId), isNull(users.deletedAt)))
    .where(and(eq(tools.id, toolId), isNotNull(tools.publishedAt)))
  if (!row?.file) throw new AppError('not_found')
  await requireReader(deps, userId, row)
  return { folder: 'tools', name: row.file }
}

/**
 * Requires that the user may read a published guide that shows this page, and that the view that made the link goes on.
 * @throws AppError not_found, not_subscribed, link_expired
 */
export async function requireGuidePageReader(
  deps: FindDeps,
  { userId, viewId }: PageReader,
  file: string,
): Promise<void> {
  if (viewId && !(await isViewOpen(deps, { viewId, userId }))) throw new AppError('link_expired')
  const owned = (await ownedItems(deps.database.db, userId)).guides
  const isThere = or(isNotNull(guides.publishedAt), inArray(guides.id, owned))
  const rows = await deps.database.db
    .select({ id: guides.id, bannedUntil: users.bannedUntil })
    .from(guides)
    .innerJoin(users, and(eq(users.id, userId), isNull(users.deletedAt)))
    .where(and(arrayContains(guides.pages, [file]), isThere, isNull(guides.fileVersion)))
  if (!rows[0]) throw new AppError('not_found')
  await requireReader(deps, userId, { ...rows[0], isFree: rows.some(({ id }) => owned.includes(id)) })
}

/** `isFree`: a gift, or bought on its own, which needs no plan. @throws AppError not_found, not_subscribed */
async function requireReader(
  { config, clock, database }: FindDeps,
  userId: string,
  { bannedUntil, isFree = false }: { bannedUntil: Date | null; isFree?: boolean },
) {
  if (isBanned({ banned_until: bannedUntil }, clock())) throw new AppError('not_found')
  if (!isFree && !hasAccess(config, await readAccessFacts(database.db, userId), clock()))
    throw new AppError('not_subscribed')
}

async function findForStaff(deps: FindDeps, { guideId, userId }: Wanted, version: number): Promise<GuideFileSource> {
  const [row] = await deps.database.db
    .select({ upload, bannedUntil: users.bannedUntil })
    .from(guideFile)
    .innerJoin(users, and(eq(users.id, userId), isNull(users.deletedAt)))
    .innerJoin(userRoles, and(eq(userRoles.userId, users.id), inArray(userRoles.role, contentRoles)))
    .where(and(eq(guideFile.guideId, guideId), eq(guideFile.version, version)))
  if (!row || isBanned({ banned_until: row.bannedUntil }, deps.clock())) throw new AppError('not_found')
  return row.upload
}
