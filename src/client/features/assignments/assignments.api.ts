import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { changeInstant } from '#client/lib/change-instant.ts'
import { invoke } from '#client/lib/invoke.ts'
import { updateItemMark } from '#client/lib/item-marks.ts'
import { sendLater } from '#client/lib/outbox.ts'
import {
  type Assignment,
  assignCall,
  checkOffCall,
  removeAssignmentCall,
  type TeamAssignments,
  teamAssignmentsCall,
  teamCollectCall,
  tieSeatCall,
} from '#shared/contracts/assignments.ts'
import type { ItemRef } from '#shared/domain/content-items.ts'

export const teamAssignmentsQuery = queryOptions({
  queryKey: ['team-assignments'],
  queryFn: async ({ signal }) => (await invoke(teamAssignmentsCall, {}, signal)).team,
})

const update = (client: QueryClient, change: (team: TeamAssignments) => TeamAssignments) =>
  client.setQueryData(teamAssignmentsQuery.queryKey, (team) => team && change(team))

/** Marks of pages that are open or cached count the reader's open assignments. */
const refreshMarks = (client: QueryClient) => client.invalidateQueries({ queryKey: ['item-marks'] })

export function useAssign() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: Parameters<typeof invoke<typeof assignCall>>[1]) => invoke(assignCall, input),
    onSuccess: () =>
      Promise.all([client.invalidateQueries({ queryKey: teamAssignmentsQuery.queryKey }), refreshMarks(client)]),
  })
}

/** Shown at once and sent later if there is no connection. */
export function checkOff(client: QueryClient, assignment: Assignment, done: boolean) {
  const { assignmentId, checkedAt, title, kind, id } = assignment
  const at = changeInstant(checkedAt)
  update(client, (team) => {
    const assignments = team.assignments.map((each) =>
      each.assignmentId === assignmentId ? { ...each, done, checkedAt: at } : each,
    )
    const isOpenForMe = (each: Assignment) => each.isMine && !each.done && each.kind === kind && each.id === id
    updateItemMark(client, { kind, id }, { assigned: assignments.filter(isOpenForMe).length })
    return { ...team, assignments }
  })
  const label = `${done ? 'Done' : 'Reopened'}: ${title}`
  void sendLater(checkOffCall, { assignmentId, done, at }, { label, key: assignmentId }).catch(reportLost)
}

const reportLost = (error: unknown) => console.error('The change could not be stored on this device', error)

export function useRemoveAssignment() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (assignmentId: string) => invoke(removeAssignmentCall, { assignmentId }),
    onSuccess: (_, assignmentId) => {
      update(client, (team) => ({
        ...team,
        assignments: team.assignments.filter((each) => each.assignmentId !== assignmentId),
      }))
      return refreshMarks(client)
    },
  })
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
  update(client, (team) => {
    const others = team.collection.filter((each) => !isSame(each))
    return { ...team, collection: member ? [{ kind, id, title, path, parentTitle, at }, ...others] : others }
  })
  const label = `Team collection: ${title}`
  void sendLater(teamCollectCall, { kind, id, member, at }, { label, key: `${kind}:${id}` }).catch(reportLost)
}
