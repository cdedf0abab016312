import { createHash } from 'node:crypto'
import { and, asc, desc, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { readTimeZoneOf } from '#server/db/publication-setting.ts'
import {
  businessLocation,
  contentItems,
  taskAnswer,
  taskLink,
  taskOpening,
  taskPhoto,
  teamAssignment,
  users,
} from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { inTeam, requireEditable } from '#server/features/reader/assignments/change-assignments.ts'
import { type AssignmentDeps, requireTeam, type Team } from '#server/features/reader/assignments/find-team.ts'
import { assignmentTitle } from '#server/features/reader/assignments/read-assignments.ts'
import type { Principal } from '#server/http/principal.ts'
import { photoKey } from '#server/media/object-key.ts'
import { crewTextsIn } from '#server/pages/crew-texts.ts'
import type { makeTaskLinksCall, TaskLink, TaskSheet } from '#shared/contracts/reader/task-links.ts'
import { addDays, daysUntil } from '#shared/domain/due-day.ts'
import { crewLanguages, maxTaskLinkDays } from '#shared/domain/task-links.ts'
import { instantOf, localTimeOf } from '#shared/domain/zoned-time.ts'
import { AppError } from '#shared/errors.ts'

type LinkDeps = AssignmentDeps & Pick<Deps, 'secrets'>

/** Derived, so that an owner can print a link again although only its hash is stored. */
const tokenOf = (
  { secrets }: Pick<Deps, 'secrets'>,
  { assignmentId, round }: { assignmentId: string; round: number },
) => secrets.sign('task-link', `${assignmentId}:${round}`)

export const isTaskToken = (token: string) => /^[\w-]{43}$/.test(token)
export const hashTaskToken = (token: string) => createHash('sha256').update(token).digest('hex')

type Stored = Pick<typeof taskLink.$inferSelect, 'assignmentId' | 'round' | 'tokenHash' | 'expiresAt' | 'endedAt'>

const works = ({ expiresAt, endedAt }: Stored, now: Date) => endedAt === null && expiresAt > now

/** False once the server's secret was replaced. Such a link still works, but can't be shown again. */
const isDerivable = (deps: LinkDeps, link: Stored) => hashTaskToken(tokenOf(deps, link)) === link.tokenHash

/** @throws AppError validation_failed, not_found, no_team */
export async function makeTaskLinks(
  deps: LinkDeps,
  who: Principal,
  { assignmentIds, crew, language, validUntil }: z.output<typeof makeTaskLinksCall.input>,
): Promise<{ sheets: TaskSheet[] }> {
  return inTeam(deps, who, async (tx, team) => {
    const now = deps.clock()
    const expiresAt = await endOf(tx, team.ownerId, validUntil, now)
    for (const assignmentId of new Set(assignmentIds)) {
      const { removed } = await requireEditable(tx, team, assignmentId)
      if (removed) throw new AppError('not_found')
      const [stored] = await tx.select().from(taskLink).where(eq(taskLink.assignmentId, assignmentId))
      const stays = stored && works(stored, now) && isDerivable(deps, stored)
      const round = stays ? stored.round : (stored?.round ?? 0) + 1
      const link = {
        ...{ round, crew, language, expiresAt },
        tokenHash: hashTaskToken(tokenOf(deps, { assignmentId, round })),
        endedAt: null,
      }
      await tx
        .insert(taskLink)
        .values({ ...link, assignmentId, createdBy: who.userId, createdAt: now })
        .onConflictDoUpdate({ target: taskLink.assignmentId, set: link })
    }
    return { sheets: await listSheets(deps, tx, team, assignmentIds) }
  })
}

/** The end of a day in the owner's time zone. */
async function endOf(tx: Tx, ownerId: string, day: string, now: Date): Promise<Date> {
  const timeZone = await readTimeZoneOf(tx, ownerId)
  const daysLeft = daysUntil(day, localTimeOf(now.toISOString(), timeZone).slice(0, 10))
  if (daysLeft < 0 || daysLeft > maxTaskLinkDays) {
    throw new AppError('validation_failed', {
      message: `Choose a day from today until ${maxTaskLinkDays} days from now.`,
    })
  }
  return new Date(instantOf(`${addDays(day, 1)}T00:00`, timeZone))
}

export async function readTaskSheets(
  deps: LinkDeps,
  who: Principal,
  assignmentIds: readonly string[],
): Promise<{ sheets: TaskSheet[] }> {
  const { db } = deps.database
  return { sheets: await listSheets(deps, db, await requireTeam(deps, db, who), assignmentIds) }
}

/** The links that the reader may edit: those of an owner's team, or those that a member made. */
const listLinks = (db: Db | Tx, { ownerId, reader }: Team) =>
  db
    .select({
      link: taskLink,
      title: assignmentTitle,
      toName: sql<string>`coalesce(${businessLocation.name}, ${users.email}, '')`,
      dueOn: teamAssignment.dueOn,
    })
    .from(taskLink)
    .innerJoin(
      teamAssignment,
      and(
        eq(teamAssignment.id, taskLink.assignmentId),
        eq(teamAssignment.ownerId, ownerId),
        eq(teamAssignment.removed, false),
        reader.isOwner ? undefined : eq(teamAssignment.createdBy, reader.userId),
      ),
    )
    .leftJoin(contentItems, and(eq(contentItems.kind, teamAssignment.kind), eq(contentItems.id, teamAssignment.itemId)))
    .leftJoin(businessLocation, eq(businessLocation.id, teamAssignment.locationId))
    .leftJoin(users, eq(users.id, teamAssignment.assigneeId))

async function listSheets(deps: LinkDeps, db: Db | Tx, team: Team, ids: readonly string[]): Promise<TaskSheet[]> {
  const rows = await listLinks(db, team).where(inArray(taskLink.assignmentId, [...ids]))
  const { default: qrCode } = await import('qrcode')
  const shown = rows
    .filter(({ link }) => works(link, deps.clock()) && isDerivable(deps, link))
    .toSorted((a, b) => ids.indexOf(a.link.assignmentId) - ids.indexOf(b.link.assignmentId))
  return Promise.all(
    shown.map(async ({ link, title, toName, dueOn }) => {
      const url = new URL(`/t/${tokenOf(deps, link)}`, deps.config.publicUrl).href
      const languages = link.language ? [link.language] : crewLanguages
      const where = [toName, link.crew].filter(Boolean).join(' · ')
      return {
        assignmentId: link.assignmentId,
        ...{ title, toName, crew: link.crew, dueOn, url },
        qr: `data:image/svg+xml,${encodeURIComponent(await qrCode.toString(url, { type: 'svg', margin: 2 }))}`,
        message: languages.map((each) => crewTextsIn(each)('message', { where, title, url })).join('\n\n'),
        scan: languages.map((language) => ({ language, text: crewTextsIn(language)('scan') })),
      }
    }),
  )
}

export async function readTaskLinks(deps: AssignmentDeps, who: Principal): Promise<{ links: TaskLink[] }> {
  const { db } = deps.database
  const now = deps.clock()
  const rows = await listLinks(db, await requireTeam(deps, db, who)).orderBy(desc(taskLink.createdAt))
  const ids = rows.map(({ link }) => link.assignmentId)
  if (ids.length === 0) return { links: [] }
  const openings = await db
    .select()
    .from(taskOpening)
    .where(inArray(taskOpening.assignmentId, ids))
    .orderBy(asc(taskOpening.firstAt))
  const answers = await db
    .select({ answer: taskAnswer, keptId: taskPhoto.id })
    .from(taskAnswer)
    .leftJoin(taskPhoto, eq(taskPhoto.id, taskAnswer.photoId))
    .where(inArray(taskAnswer.assignmentId, ids))
    .orderBy(asc(taskAnswer.at))
  return {
    links: rows.map(({ link: { assignmentId, crew, language, ...link } }) => ({
      ...{ assignmentId, crew, language },
      expiresAt: link.expiresAt.toISOString(),
      works: works({ assignmentId, ...link }, now),
      opened: openings
        .filter((opening) => opening.assignmentId === assignmentId)
        .map(({ name, firstAt }) => ({ name, firstAt: firstAt.toISOString() })),
      answers: answers
        .filter(({ answer }) => answer.assignmentId === assignmentId)
        .map(({ answer: { id, kind, name, text, number, photoId, at }, keptId }) => ({
          ...{ answerId: id, kind, name, text, number, at: at.toISOString() },
          photo: photoId === null ? null : keptId === null ? ('deleted' as const) : ('kept' as const),
        })),
    })),
  }
}

/** @throws AppError not_found for those who may not edit one of the assignments */
export async function endTaskLinks(
  deps: AssignmentDeps,
  who: Principal,
  assignmentIds: readonly string[],
): Promise<{ ended: number }> {
  return inTeam(deps, who, async (tx, team) => {
    for (const id of assignmentIds) await requireEditable(tx, team, id)
    return { ended: await end(tx, inArray(taskLink.assignmentId, [...assignmentIds]), deps.clock()) }
  })
}

/** Ends every link that a person made in an owner's team, and those to what was assigned to them. @returns how many worked */
export const endTaskLinksOf = (
  tx: Tx,
  { ownerId, userId, now }: { ownerId: string; userId: string; now: Date },
): Promise<number> =>
  end(
    tx,
    sql`exists (select 1 from ${teamAssignment} where ${and(
      eq(teamAssignment.id, taskLink.assignmentId),
      eq(teamAssignment.ownerId, ownerId),
      or(eq(taskLink.createdBy, userId), eq(teamAssignment.assigneeId, userId)),
    )})`,
    now,
  )

async function end(tx: Tx, which: ReturnType<typeof sql>, now: Date): Promise<number> {
  const ended = await tx
    .update(taskLink)
    .set({ endedAt: now })
    .where(and(which, isNull(taskLink.endedAt)))
    .returning({ expiresAt: taskLink.expiresAt })
  return ended.filter(({ expiresAt }) => expiresAt > now).length
}

/** @throws AppError not_found for everyone but the owner, and once the photo is deleted */
export async function readTaskPhoto(
  { database, store }: Pick<Deps, 'database' | 'store'>,
  who: Principal,
  answerId: string,
): Promise<{ image: string }> {
  const [found] = await database.db
    .select({ id: taskPhoto.id })
    .from(taskAnswer)
    .innerJoin(
      teamAssignment,
      and(eq(teamAssignment.id, taskAnswer.assignmentId), eq(teamAssignment.ownerId, who.userId)),
    )
    .innerJoin(taskPhoto, eq(taskPhoto.id, taskAnswer.photoId))
    .where(eq(taskAnswer.id, answerId))
  const bytes = found && (await store.get(photoKey(found.id)))
  if (!bytes) throw new AppError('not_found')
  // Both kinds that our encoder writes.
  const type = bytes[0] === 0x89 ? 'image/png' : 'image/jpeg'
  return { image: `data:${type};base64,${Buffer.from(bytes).toString('base64')}` }
}
