import { and, eq, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import {
  businessLocation,
  contentItems,
  teamAssignment,
  teamCollectionItem,
  teamSeatLocation,
} from '#server/db/schema/index.ts'
import { lockUsers } from '#server/features/billing/teams/team-queries.ts'
import type { Principal } from '#server/http/principal.ts'
import type {
  AssignmentTarget,
  assignCall,
  assignToSeveralCall,
  checkOffCall,
  editAssignmentCall,
  removeAssignmentCall,
  teamCollectCall,
  tieSeatCall,
} from '#shared/contracts/reader/assignments.ts'
import { maxOpenAssignments, mayCheckOff, mayEdit, restorableDays } from '#shared/domain/assignments.ts'
import { changeInstant } from '#shared/domain/change-instant.ts'
import type { ItemRef } from '#shared/domain/content-items.ts'
import { AppError } from '#shared/errors.ts'
import { type AssignmentDeps, requireTeam, type Team } from './find-team.ts'
import { type EmailingDeps, type Notice, notifyAssignees } from './notify-assignees.ts'

/** @throws AppError no_team, not_in_team, location_not_found, not_found, too_many_assignments */
export async function assign(
  deps: EmailingDeps,
  who: Principal,
  { assignmentId: id, item, to, dueOn, note }: z.output<typeof assignCall.input>,
): Promise<{ assigned: true }> {
  return assignToSeveral(deps, who, { item, title: '', to: [{ assignmentId: id, to, text: '' }], dueOn, note })
}

/**
 * All or none, with one email to each person. A repeated request assigns once.
 * @throws AppError no_team, not_in_team, location_not_found, not_found, too_many_assignments
 */
export async function assignToSeveral(
  deps: EmailingDeps,
  who: Principal,
  { item, title, to, dueOn, note }: z.output<typeof assignToSeveralCall.input>,
): Promise<{ assigned: true }> {
  return inTeam(deps, who, async (tx, team) => {
    const now = deps.clock()
    const notices: Notice[] = []
    for (const { assignmentId: id, to: target, text, facts } of to) {
      const [known] = await tx.select().from(teamAssignment).where(eq(teamAssignment.id, id))
      // Created by an earlier copy of the request. Skipping another team's id reveals nothing.
      if (known) continue
      if (item) await requireItem(tx, item)
      const assignedTo = await requireTarget(tx, team, target)
      await requireRoomForOpen(tx, team)
      await tx.insert(teamAssignment).values({
        id,
        ownerId: team.ownerId,
        kind: item?.kind,
        itemId: item?.id,
        title,
        text,
        facts,
        ...assignedTo,
        dueOn,
        note,
        createdBy: who.userId,
        createdAt: now,
      })
      notices.push({ assignmentId: id, assignedTo })
    }
    await notifyAssignees(deps, tx, team, notices)
    return { assigned: true }
  })
}

/** Keeps the newest tap of all devices. @throws AppError not_found, no_team */
export async function checkOff(
  deps: AssignmentDeps,
  who: Principal,
  { assignmentId, done, at }: z.output<typeof checkOffCall.input>,
): Promise<{ done: boolean; at: string }> {
  return inTeam(deps, who, async (tx, team) => {
    const stored = await requireAssignment(tx, team, assignmentId)
    if (!mayCheckOff(stored, team.reader)) throw new AppError('not_found')
    const checkedAt = changeInstant(at, deps.clock())
    if (stored.checkedAt && stored.checkedAt >= checkedAt) {
      return { done: stored.done, at: stored.checkedAt.toISOString() }
    }
    await tx
      .update(teamAssignment)
      .set({ done, checkedAt, doneBy: done ? who.userId : null, doneName: '' })
      .where(eq(teamAssignment.id, assignmentId))
    return { done, at: checkedAt.toISOString() }
  })
}

/**
 * Keeps the newest change of all devices.
 * @throws AppError not_found for those who didn't make it; no_team, not_in_team, location_not_found
 */
export async function editAssignment(
  deps: EmailingDeps,
  who: Principal,
  { assignmentId, to, dueOn, note, at }: z.output<typeof editAssignmentCall.input>,
): Promise<{ at: string }> {
  return inTeam(deps, who, async (tx, team) => {
    const stored = await requireEditable(tx, team, assignmentId)
    const editedAt = changeInstant(at, deps.clock())
    if (stored.editedAt && stored.editedAt >= editedAt) return { at: stored.editedAt.toISOString() }
    // An assignment may stay with a person who left.
    const isSame =
      to === null || ('userId' in to ? to.userId === stored.assigneeId : to.locationId === stored.locationId)
    const assignedTo = isSame ? null : await requireTarget(tx, team, to)
    await tx
      .update(teamAssignment)
      .set({ ...(assignedTo && { assigneeId: null, locationId: null, ...assignedTo }), dueOn, note, editedAt })
      .where(eq(teamAssignment.id, assignmentId))
    if (assignedTo) await notifyAssignees(deps, tx, team, [{ assignmentId, assignedTo }])
    return { at: editedAt.toISOString() }
  })
}

/**
 * Keeps the newest change of all devices.
 * @throws AppError not_found for those who didn't make it; no_team, too_many_assignments
 */
export async function removeAssignment(
  deps: AssignmentDeps,
  who: Principal,
  { assignmentId, removed, at }: z.output<typeof removeAssignmentCall.input>,
): Promise<{ removed: boolean; at: string }> {
  return inTeam(deps, who, async (tx, team) => {
    const now = deps.clock()
    const stored = await requireEditable(tx, team, assignmentId)
    const removedAt = changeInstant(at, now)
    if (stored.removedAt && stored.removedAt >= removedAt) {
      return { removed: stored.removed, at: stored.removedAt.toISOString() }
    }
    if (stored.removed && !removed && !stored.done) await requireRoomForOpen(tx, team)
    await tx.update(teamAssignment).set({ removed, removedAt }).where(eq(teamAssignment.id, assignmentId))
    const expiredBefore = new Date(now.getTime() - restorableDays * 24 * 60 * 60 * 1000)
    await tx
      .delete(teamAssignment)
      .where(
        and(
          eq(teamAssignment.ownerId, team.ownerId),
          eq(teamAssignment.removed, true),
          ne(teamAssignment.id, assignmentId),
          lt(teamAssignment.removedAt, expiredBefore),
        ),
      )
    return { removed, at: removedAt.toISOString() }
  })
}

/** @throws AppError not_in_team, location_not_found, no_team_plan for anyone but the owner */
export async function tieSeat(
  deps: AssignmentDeps,
  who: Principal,
  { userId, locationIds }: z.output<typeof tieSeatCall.input>,
): Promise<{ locationIds: string[] }> {
  return inTeam(deps, who, async (tx, team) => {
    if (!team.reader.isOwner) throw new AppError('no_team_plan')
    if (userId === team.ownerId) throw new AppError('not_in_team')
    requirePerson(team, userId)
    const wanted = [...new Set(locationIds)]
    for (const locationId of wanted) await requireLocation(tx, team, locationId)
    await tx.delete(teamSeatLocation).where(eq(teamSeatLocation.userId, userId))
    if (wanted.length > 0) {
      await tx.insert(teamSeatLocation).values(wanted.map((locationId) => ({ userId, locationId })))
    }
    return { locationIds: wanted }
  })
}

/** @throws AppError not_found, no_team */
export async function collectForTeam(
  deps: AssignmentDeps,
  who: Principal,
  { kind, id, member, at }: z.output<typeof teamCollectCall.input>,
): Promise<{ member: boolean; at: string }> {
  return inTeam(deps, who, async (tx, { ownerId }) => {
    const key = and(
      eq(teamCollectionItem.ownerId, ownerId),
      eq(teamCollectionItem.kind, kind),
      eq(teamCollectionItem.itemId, id),
    )
    const [stored] = await tx.select().from(teamCollectionItem).where(key)
    if (!stored) await requireItem(tx, { kind, id })
    const changedAt = changeInstant(at, deps.clock())
    if (stored && stored.at >= changedAt) return { member: stored.member, at: stored.at.toISOString() }
    const change = { member, at: changedAt }
    if (stored) await tx.update(teamCollectionItem).set(change).where(key)
    else await tx.insert(teamCollectionItem).values({ ownerId, kind, itemId: id, ...change })
    return { member, at: changedAt.toISOString() }
  })
}

/** Hands what is open for someone who left to a person or location of the caller's team. @throws like `assign` */
export async function reassignOpen(
  deps: EmailingDeps,
  tx: Tx,
  who: Principal,
  { from, to }: { from: string; to: AssignmentTarget },
): Promise<{ count: number; name: string }> {
  const team = await requireTeam(deps, tx, who)
  const assignedTo = await requireTarget(tx, team, to)
  const { ownerId, assigneeId, done, removed, id } = teamAssignment
  const moved = await tx
    .update(teamAssignment)
    .set({ assigneeId: null, locationId: null, ...assignedTo, editedAt: deps.clock() })
    .where(and(eq(ownerId, team.ownerId), eq(assigneeId, from), eq(done, false), eq(removed, false)))
    .returning({ assignmentId: id })
  const notices = moved.map((each) => ({ ...each, assignedTo }))
  await notifyAssignees(deps, tx, team, notices)
  const [place] =
    'locationId' in to
      ? await tx
          .select({ name: businessLocation.name })
          .from(businessLocation)
          .where(eq(businessLocation.id, to.locationId))
      : team.people.flatMap(({ userId, email }) => (userId === to.userId ? { name: email } : []))
  return { count: moved.length, name: place?.name ?? '' }
}

/** Assignments and the collection stay with the team. */
export async function moveToNewOwner(tx: Tx, from: string, to: string): Promise<void> {
  await tx.update(teamAssignment).set({ ownerId: to }).where(eq(teamAssignment.ownerId, from))
  await tx.execute(sql`
    insert into team_collection_item (owner_id, kind, item_id, member, at)
      select ${to}::uuid, kind, item_id, member, at from team_collection_item where owner_id = ${from}::uuid
      on conflict (owner_id, kind, item_id) do update set member = excluded.member, at = excluded.at
        where excluded.at > team_collection_item.at`)
  await tx.delete(teamCollectionItem).where(eq(teamCollectionItem.ownerId, from))
}

/** One change of a team at a time, so that a person who is being removed gets no assignment. */
export async function inTeam<Answer>(
  deps: AssignmentDeps,
  who: Principal,
  run: (tx: Tx, team: Team) => Promise<Answer>,
): Promise<Answer> {
  return deps.database.db.transaction(async (tx) => {
    const { ownerId } = await requireTeam(deps, tx, who)
    await lockUsers(tx, [ownerId])
    // Read again: someone may have left while this waited.
    const team = await requireTeam(deps, tx, who)
    if (team.ownerId !== ownerId) throw new AppError('conflict')
    return run(tx, team)
  })
}

const ofTeam = ({ ownerId }: Team, id: string) => and(eq(teamAssignment.id, id), eq(teamAssignment.ownerId, ownerId))

async function requireAssignment(tx: Tx, team: Team, id: string) {
  const [stored] = await tx.select().from(teamAssignment).where(ofTeam(team, id))
  if (!stored) throw new AppError('not_found')
  return stored
}

/** @throws AppError not_found for those who may not edit it */
export async function requireEditable(tx: Tx, team: Team, id: string) {
  const stored = await requireAssignment(tx, team, id)
  if (!mayEdit(stored, team.reader)) throw new AppError('not_found')
  return stored
}

async function requireRoomForOpen(tx: Tx, { ownerId }: Team): Promise<void> {
  const open = await tx.$count(
    teamAssignment,
    and(eq(teamAssignment.ownerId, ownerId), eq(teamAssignment.done, false), eq(teamAssignment.removed, false)),
  )
  if (open >= maxOpenAssignments) throw new AppError('too_many_assignments')
}

const requireTarget = async (tx: Tx, team: Team, to: AssignmentTarget) =>
  'userId' in to ? requirePerson(team, to.userId) : await requireLocation(tx, team, to.locationId)

async function requireItem(tx: Tx, { kind, id }: ItemRef): Promise<void> {
  const [found] = await tx
    .select({ id: contentItems.id })
    .from(contentItems)
    .where(and(eq(contentItems.kind, kind), eq(contentItems.id, id), isNull(contentItems.removedAt)))
  if (!found) throw new AppError('not_found')
}

function requirePerson({ people }: Team, userId: string) {
  if (!people.some((person) => person.userId === userId)) throw new AppError('not_in_team')
  return { assignedTo: 'person' as const, assigneeId: userId }
}

/** Owners assign to any of their locations, members to those that they can see. */
async function requireLocation(tx: Tx, { ownerId, reader }: Team, locationId: string) {
  const visible = reader.isOwner
    ? undefined
    : or(
        eq(businessLocation.shared, true),
        reader.locationIds.length > 0 ? inArray(businessLocation.id, [...reader.locationIds]) : undefined,
      )
  const [found] = await tx
    .select({ id: businessLocation.id })
    .from(businessLocation)
    .where(and(eq(businessLocation.id, locationId), eq(businessLocation.userId, ownerId), visible))
  if (!found) throw new AppError('location_not_found')
  return { assignedTo: 'location' as const, locationId }
}
