import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useContext } from 'react'
import { errorMessage } from '#client/lib/error-message.ts'
import { invoke } from '#client/lib/invoke.ts'
import { withStepUp } from '#client/lib/step-up.ts'
import { toast } from '#client/lib/toast.ts'
import { PublicationTimeZone } from '#client/ui/timestamp.tsx'
import {
  adminCancelScheduleCall,
  adminScheduleDocumentCall,
  adminScheduleDropCall,
  type DropEmail,
} from '#shared/contracts/publishing/publishing.ts'
import {
  conflictOf,
  type DocumentAutosave,
  flushOrThrow,
  setDate,
  updatePublishingState,
} from './use-document-autosave.ts'

/** Invalidates what shows schedules. Published content hasn't changed. */
function useInvalidateSchedule() {
  const queryClient = useQueryClient()
  return (kind: string) =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: ['admin-content', kind] }),
      queryClient.invalidateQueries({ queryKey: ['admin-issue-mailing'] }),
    ])
}

export function useSchedule(autosave: DocumentAutosave) {
  const zone = useContext(PublicationTimeZone) ?? 'UTC'
  const invalidate = useInvalidateSchedule()
  return useMutation({
    mutationFn: async ({ at, email }: { at: string; email: DropEmail | null }) => {
      setDate(autosave, at, zone)
      const { kind, id, version } = await flushOrThrow(autosave)
      if (kind !== 'issue') return invoke(adminScheduleDocumentCall, { kind, id, version, at })
      return withStepUp(() => invoke(adminScheduleDropCall, { id, version, at, email }))
    },
    onSuccess: (stored) => {
      updatePublishingState(autosave, stored)
      toast.success('Scheduled', { id: 'published' })
      return invalidate(stored.kind)
    },
    onError: (error) => {
      const theirs = conflictOf(error)
      if (theirs) autosave.reportConflict(theirs)
    },
  })
}

/** Schedules the text as it is now for the time and the email that were chosen before, with the errors accepted then. */
export function useUpdateSchedule(autosave: DocumentAutosave) {
  const schedule = useSchedule(autosave)
  const run = () => {
    const { scheduled } = autosave.get().stored
    if (!scheduled) return
    const { at, email } = scheduled
    schedule.mutate({ at, email })
  }
  return { run, isPending: schedule.isPending, error: schedule.error }
}

export function useCancelSchedule(autosave: DocumentAutosave) {
  const invalidate = useInvalidateSchedule()
  return useMutation({
    mutationFn: () => {
      const { kind, id } = autosave.get().stored
      return invoke(adminCancelScheduleCall, { kind, id })
    },
    onSuccess: (stored) => {
      updatePublishingState(autosave, stored)
      return invalidate(stored.kind)
    },
    onError: (error) => toast.error('The change wasn’t saved', { id: 'published', description: errorMessage(error) }),
  })
}
