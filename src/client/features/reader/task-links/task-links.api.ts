import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { teamAssignmentsQuery } from '#client/features/reader/assignments/assignments.api.ts'
import { callQuery, invoke } from '#client/lib/calls.ts'
import { assignToSeveralCall } from '#shared/contracts/reader/assignments.ts'
import { makeTaskLinksCall, taskLinksCall } from '#shared/contracts/reader/task-links.ts'

const refreshMs = 5_000

/** Asks again every few seconds while a link works, so that an owner sees a check-off as it happens. */
export const taskLinksQuery = callQuery(
  ['task-links'],
  taskLinksCall,
  {},
  { refetchInterval: ({ state }) => (state.data?.links.some(({ works }) => works) ? refreshMs : false) },
)

type Tasks = {
  assign: z.input<typeof assignToSeveralCall.input>
  link: Omit<z.input<typeof makeTaskLinksCall.input>, 'assignmentIds'>
}

/** Assigns, and makes a link to each assignment. Both may be repeated after a failure. */
export function useMakeTasks() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ assign, link }: Tasks) => {
      await invoke(assignToSeveralCall, assign)
      return invoke(makeTaskLinksCall, { ...link, assignmentIds: assign.to.map(({ assignmentId }) => assignmentId) })
    },
    onSuccess: () =>
      Promise.all(
        [teamAssignmentsQuery.queryKey, ['task-links'], ['item-marks']].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  })
}
