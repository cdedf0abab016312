import { and, desc, eq, gt, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type Db, firstOrNull } from '#server/db/database.ts'
import {
  businessLocation,
  contentItems,
  emailPreferences,
  teamAssignment,
  teamCollectionItem,
  users,
} from '#server/db/schema/index.ts'
import { listLocations, readProfileValues } from '#server/features/reader/business-profile/read-business-profile.ts'
import type { Principal } from '#server/http/principal.ts'
import type { Assignment, TeamAssignments } from '#shared/contracts/reader/assignments.ts'
import {
  hasAssigneeLeft,
  isFor,
  mayCheckOff,
  mayEdit,
  orderAssignments,
  seesAssignment,
} from '#shared/domain/assignments.ts'
import { type Values, valuesOfLocation } from '#shared/domain/business-profile.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { changedFacts } from '#shared/domain/store-facts.ts'
import { type AssignmentDeps, findTeam, type Team } from './find-team.ts'

/** How long an assignment is listed after it was checked off. */
const listedDoneMs = 90 * dayMs
const maxListed = 1_000
const maxCollected = 500

/** Contains who has to do what, and nothing about who read what. */
export async function readTeamAssignments(deps: AssignmentDeps, who: Principal): Promise<TeamAssignments | null> {
  const { db } = deps.database
  const team = await findTeam(deps, db, who)
  if (!team) return null
  const { reader, people, ownerId } = team
  const [locations, assignments, collection, preferences] = await Promise.all([
    listLocations(db, ownerId),
    listAssignments(db, team, deps.clock()),
    listCollection(db, ownerId),
    firstOrNull(
      db
        .select({ timeZone: emailPreferences.timeZone })
        .from(emailPreferences)
        .where(eq(emailPreferences.userId, who.userId)),
    ),
  ])
  return {
    isOwner: reader.isOwner,
    timeZone: preferences?.timeZone ?? null,
    people: people.map(({ userId, email, locationIds }) => ({
      userId,
      email,
      isYou: userId === reader.userId,
      // Where colleagues work is shown to the owner alone.
      locationIds: reader.isOwner || userId === reader.userId ? locationIds : [],
    })),
    locations: locations
      .filter(({ id, shared }) => reader.isOwner || shared || reader.locationIds.includes(id))
      .map(({ id, name }) => ({ id, name })),
    assignments,
    collection,
  }
}

const content = {
  title: contentItems.title,
  path: sql<string | null>`case when ${contentItems.removedAt} is null then ${contentItems.path} end`,
  parentTitle: contentItems.parentTitle,
}

/** What to do in the team's words, else the item's title. */
export const assignmentTitle = sql<string>`coalesce(nullif(${teamAssignment.title}, ''), ${contentItems.title}, '')`

async function listAssignments(db: Db, { ownerId, people, reader }: Team, now: Date): Promise<Assignment[]> {
  const [assignee, author, checker] = [alias(users, 'assignee'), alias(users, 'author'), alias(users, 'checker')]
  const rows = await db
    .select({
      row: teamAssignment,
      ...content,
      title: assignmentTitle,
      parentTitle: sql<string>`coalesce(case when ${teamAssignment.title} = '' then ${contentItems.parentTitle} else ${contentItems.title} end, '')`,
      assigneeEmail: assignee.email,
      locationName: businessLocation.name,
      authorEmail: author.email,
      checkerEmail: checker.email,
    })
    .from(teamAssignment)
    .leftJoin(contentItems, and(eq(contentItems.kind, teamAssignment.kind), eq(contentItems.id, teamAssignment.itemId)))
    .leftJoin(assignee, eq(assignee.id, teamAssignment.assigneeId))
    .leftJoin(businessLocation, eq(businessLocation.id, teamAssignment.locationId))
    .leftJoin(author, eq(author.id, teamAssignment.createdBy))
    .leftJoin(checker, eq(checker.id, teamAssignment.doneBy))
    .where(
      and(
        eq(teamAssignment.ownerId, ownerId),
        eq(teamAssignment.removed, false),
        or(eq(teamAssignment.done, false), gt(teamAssignment.checkedAt, new Date(now.getTime() - listedDoneMs))),
      ),
    )
    .orderBy(desc(teamAssignment.createdAt))
    .limit(maxListed)
  const [profile, locations] = await Promise.all([readProfileValues(db, ownerId), listLocations(db, ownerId)])
  const factsOf = ({ locationId }: { locationId: string | null }): Values => {
    const location = locations.find(({ id }) => id === locationId)
    return location ? { ...profile, ...valuesOfLocation(location) } : profile
  }
  const memberIds = new Set(people.map(({ userId }) => userId))
  const seen = rows.filter(({ row }) => seesAssignment(row, reader))
  return orderAssignments(
    seen.map(({ row, title, path, parentTitle, ...names }) => ({
      assignmentId: row.id,
      kind: row.kind,
      id: row.itemId,
      title,
      path,
      parentTitle,
      to: row.assignedTo,
      toId: row.assignedTo === 'person' ? row.assigneeId : row.locationId,
      toName: (row.assignedTo === 'person' ? names.assigneeEmail : names.locationName) ?? '',
      hasLeft: hasAssigneeLeft({ to: row.assignedTo, assigneeId: row.assigneeId }, memberIds),
      dueOn: row.dueOn,
      note: row.note,
      text: row.done ? '' : row.text,
      changedFacts: row.done
        ? []
        : changedFacts(row.facts ?? {}, factsOf(row)).map((fact) => ({
            ...fact,
            to: mayEdit(row, reader) ? fact.to : null,
          })),
      createdBy: names.authorEmail ?? '',
      createdAt: row.createdAt.toISOString(),
      editedAt: row.editedAt?.toISOString() ?? null,
      done: row.done,
      doneBy: (row.done && (names.checkerEmail || row.doneName)) || '',
      checkedAt: row.checkedAt?.toISOString() ?? null,
      isMine: isFor(row, reader),
      canCheckOff: mayCheckOff(row, reader),
      canEdit: mayEdit(row, reader),
    })),
  )
}

async function listCollection(db: Db, ownerId: string): Promise<TeamAssignments['collection']> {
  const rows = await db
    .select({ kind: teamCollectionItem.kind, id: teamCollectionItem.itemId, at: teamCollectionItem.at, ...content })
    .from(teamCollectionItem)
    .innerJoin(
      contentItems,
      and(eq(contentItems.kind, teamCollectionItem.kind), eq(contentItems.id, teamCollectionItem.itemId)),
    )
    .where(and(eq(teamCollectionItem.ownerId, ownerId), eq(teamCollectionItem.member, true)))
    .orderBy(desc(teamCollectionItem.at))
    .limit(maxCollected)
  return rows.map(({ at, ...item }) => ({ ...item, at: at.toISOString() }))
}
