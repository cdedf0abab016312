import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useContext } from 'react'
import { invoke } from '#client/lib/calls.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { withStepUp } from '#client/lib/step-up.ts'
import { createStoredChoice } from '#client/lib/stored-choice.ts'
import { toast } from '#client/lib/toast.ts'
import { PublicationTimeZone } from '#client/ui/timestamp.tsx'
import { type Audience, audienceSchema, everyone } from '#shared/contracts/publishing/newsletter.ts'
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

const lastAudience = createStoredChoice('drop-email-audience')
const rememberAudience = (audience: Audience) => lastAudience.choose(JSON.stringify(audience))

/** The audience of the last email of a drop from this device, or everyone. */
export function useLastAudience(): Audience {
  const stored = lastAudience.useChoice()
  return (stored && audienceSchema.safeParse(JSON.parse(stored)).data) || everyone
}

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
    mutationFn: async ({ at, email }: { at: string | null; email: DropEmail | null }) => {
      setDate(autosave, at ?? new Date().toISOString(), zone)
      const { kind, id, version } = await flushOrThrow(autosave)
      if (kind !== 'issue' && at) return invoke(adminScheduleDocumentCall, { kind, id, version, at })
      return withStepUp(() => invoke(adminScheduleDropCall, { id, version, at, email }))
    },
    onSuccess: (stored, { at, email }) => {
      updatePublishingState(autosave, stored)
      toast.success(at ? 'Scheduled' : 'Published and emailed within a minute', { id: 'published' })
      if (email) rememberAudience(email.audience)
      return invalidate(stored.kind)
    },
    onError: (error) => {
      const theirs = conflictOf(error)
      if (theirs) autosave.reportConflict(theirs)
    },
  })
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
