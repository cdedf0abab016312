import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { invoke } from '#client/lib/calls.ts'
import { changeInstant } from '#client/lib/change-instant.ts'
import { updateItemMark } from '#client/lib/item-marks.ts'
import { withCheckOff, withEdit, withOpenAssignments } from '#client/lib/offline/change-team.ts'
import { sendLater } from '#client/lib/outbox.ts'
import { createShownChanges } from '#client/lib/shown-changes.ts'
import { saveTimeZoneCall } from '#shared/contracts/publishing/time-zone.ts'
import {
  type Assignment,
  assignToSeveralCall,
  checkOffCall,
  editAssignmentCall,
  removeAssignmentCall,
  type TeamAssignments,
  teamAssignmentsCall,
  teamCollectCall,
  tieSeatCall,
} from '#shared/contracts/reader/assignments.ts'
import type { ItemMarks } from '#shared/contracts/reader/item-marks.ts'
import type { ItemRef } from '#shared/domain/content-items.ts'

const queryKey = ['team-assignments']
const { read, showUntilSent } = createShownChanges(queryKey)

export const teamAssignmentsQuery = queryOptions({
  queryKey,
  queryFn: read(async ({ signal }: { signal: AbortSignal }) => (await invoke(teamAssignmentsCall, {}, signal)).team),
})

const update = (client: QueryClient, change: (team: TeamAssignments) => TeamAssignments) =>
  client.setQueryData(teamAssignmentsQuery.queryKey, (team) => team && change(team))

/** Marks of pages that are open or cached count the reader's open assignments. */
const refreshMarks = (client: QueryClient) => client.invalidateQueries({ queryKey: ['item-marks'] })

export function useAssign() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: z.input<typeof assignToSeveralCall.input>) => invoke(assignToSeveralCall, input),
    onSuccess: () =>
      Promise.all([client.invalidateQueries({ queryKey: teamAssignmentsQuery.queryKey }), refreshMarks(client)]),
  })
}

/** Changes the assignments on screen, and how many open ones the reader has of this item. */
function updateAssignments(
  client: QueryClient,
  { kind, id }: Assignment,
  change: (team: TeamAssignments) => TeamAssignments,
) {
  update(client, (team) => {
    const next = change(team)
    const isOpenForMe = (each: Assignment) => each.isMine && !each.done && each.kind === kind && each.id === id
    if (kind && id) updateItemMark(client, { kind, id }, { assigned: next.assignments.filter(isOpenForMe).length })
    client.setQueriesData<ItemMarks>({ queryKey: ['item-marks'] }, (marks) => marks && withOpenAssignments(marks, next))
    return next
  })
}

/** Shown at once and sent later if there is no connection. */
export function checkOff(client: QueryClient, assignment: Assignment, done: boolean) {
  const { assignmentId, checkedAt, title } = assignment
  const input = { assignmentId, done, at: changeInstant(checkedAt) }
  const label = `${done ? 'Done' : 'Reopened'}: ${title}`
  const sent = sendLater(checkOffCall, input, { label, key: assignmentId })
  void showUntilSent(client, sent, () => updateAssignments(client, assignment, (team) => withCheckOff(team, input)))
}

/** Shown at once, in its place, and sent later if there is no connection. */
export function editAssignment(
  client: QueryClient,
  assignment: Assignment,
  fields: Pick<z.input<typeof editAssignmentCall.input>, 'to' | 'dueOn' | 'note'>,
) {
  const { assignmentId, createdAt, editedAt, title } = assignment
  const input = { assignmentId, ...fields, at: changeInstant(editedAt ?? createdAt) }
  const sent = sendLater(editAssignmentCall, input, { label: `Edited: ${title}`, key: assignmentId })
  void showUntilSent(client, sent, () => updateAssignments(client, assignment, (team) => withEdit(team, input)))
}

type Removed = { assignment: Assignment; index: number; at: string }

/**
 * The assignments on screen. A removed one stays in its place until the reader leaves the page, so that removing can be
 * undone and the focus is kept. Both are sent later if there is no connection.
 */
export function useRemovable(assignments: readonly Assignment[]) {
  const client = useQueryClient()
  /** Includes restored ones. */
  const [removed, setRemoved] = useState<ReadonlyMap<string, Removed>>(new Map())
  const present = new Set(assignments.map(({ assignmentId }) => assignmentId))
  const shown = [...removed.values()]
    .filter(({ assignment }) => !present.has(assignment.assignmentId))
    .toSorted((a, b) => a.index - b.index)
    .reduce((list, { assignment, index }) => list.toSpliced(index, 0, assignment), [...assignments])
  const isRemoved = ({ assignmentId }: Assignment) => !present.has(assignmentId)

  const change = (assignment: Assignment, toRemoved: boolean) => {
    const { assignmentId, createdAt, editedAt, title } = assignment
    const at = changeInstant(removed.get(assignmentId)?.at ?? editedAt ?? createdAt)
    const index = shown.findIndex((each) => each.assignmentId === assignmentId)
    setRemoved(new Map(removed).set(assignmentId, { assignment, index, at }))
    const show = (team: TeamAssignments) => {
      const others = team.assignments.filter((each) => each.assignmentId !== assignmentId)
      if (toRemoved) return { ...team, assignments: others }
      const presentBefore = shown.slice(0, index).filter((each) => !isRemoved(each)).length
      return { ...team, assignments: others.toSpliced(presentBefore, 0, assignment) }
    }
    const label = `${toRemoved ? 'Removed' : 'Restored'}: ${title}`
    const sent = sendLater(removeAssignmentCall, { assignmentId, removed: toRemoved, at }, { label, key: assignmentId })
    void showUntilSent(client, sent, () => updateAssignments(client, assignment, show))
  }
  return {
    shown,
    isRemoved,
    remove: (assignment: Assignment) => change(assignment, true),
    restore: (assignment: Assignment) => change(assignment, false),
  }
}
export type Removable = ReturnType<typeof useRemovable>

/** Lets reminders arrive in the reader's morning. A failure waits for the next visit. */
export function saveTimeZone(stored: string | null) {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  if (timeZone && timeZone !== stored) invoke(saveTimeZoneCall, { timeZone }).catch(() => {})
}

export function useTieSeat() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: { userId: string; locationIds: string[] }) => invoke(tieSeatCall, input),
    onSuccess: ({ locationIds }, { userId }) =>
      update(client, (team) => ({
        ...team,
        people: team.people.map((person) => (person.userId === userId ? { ...person, locationIds } : person)),
      })),
  })
}

/** Adds an item to the team's collection or takes it out, also offline. */
export function collectForTeam(
  client: QueryClient,
  item: ItemRef & { title: string; path?: string | null; parentTitle?: string },
  member: boolean,
) {
  const { kind, id, title, path = null, parentTitle = '' } = item
  const isSame = (each: ItemRef) => each.kind === kind && each.id === id
  const known = client.getQueryData(teamAssignmentsQuery.queryKey)?.collection.find(isSame)
  const at = changeInstant(known?.at ?? null)
  const show = (team: TeamAssignments) => {
    const others = team.collection.filter((each) => !isSame(each))
    return { ...team, collection: member ? [{ kind, id, title, path, parentTitle, at }, ...others] : others }
  }
  const label = `Team collection: ${title}`
  const sent = sendLater(teamCollectCall, { kind, id, member, at }, { label, key: `${kind}:${id}` })
  void showUntilSent(client, sent, () => update(client, show))
}
