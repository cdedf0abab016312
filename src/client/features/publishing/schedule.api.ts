import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { CallError } from '#client/lib/call-error.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { invoke } from '#client/lib/invoke.ts'
import { toast } from '#client/lib/toast.ts'
import {
  adminCancelScheduleCall,
  adminPublishingAlertsCall,
  adminScheduleDocumentCall,
} from '#shared/contracts/publishing.ts'
import { conflictOf, type DraftKeeper } from './draft-keeper.ts'

export const publishingAlertsQuery = queryOptions({
  queryKey: ['admin-publishing-alerts'],
  queryFn: ({ signal }) => invoke(adminPublishingAlertsCall, {}, signal),
  staleTime: 0,
})

/** Invalidates what shows schedules. Published content hasn't changed. */
function useInvalidateSchedule() {
  const queryClient = useQueryClient()
  return (kind: string) =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: ['admin-content', kind] }),
      queryClient.invalidateQueries({ queryKey: publishingAlertsQuery.queryKey }),
    ])
}

export function useSchedule(keeper: DraftKeeper) {
  const invalidate = useInvalidateSchedule()
  return useMutation({
    mutationFn: async (at: string) => {
      if (!(await keeper.flush())) throw new CallError('not_saved', 'Your changes aren’t saved yet.', 409)
      const { kind, id, version } = keeper.get().stored
      return invoke(adminScheduleDocumentCall, { kind, id, version, at })
    },
    onSuccess: (stored) => {
      keeper.note(stored)
      toast.success('Scheduled', { id: 'published' })
      return invalidate(stored.kind)
    },
    onError: (error) => {
      const theirs = conflictOf(error)
      if (theirs) keeper.meet(theirs)
    },
  })
}

export function useCancelSchedule(keeper: DraftKeeper) {
  const invalidate = useInvalidateSchedule()
  return useMutation({
    mutationFn: () => {
      const { kind, id } = keeper.get().stored
      return invoke(adminCancelScheduleCall, { kind, id })
    },
    onSuccess: (stored) => {
      keeper.note(stored)
      return invalidate(stored.kind)
    },
    onError: (error) => toast.error('The change wasn’t saved', { id: 'published', description: errorMessage(error) }),
  })
}
