import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { invoke } from '#client/lib/invoke.ts'
import { publication } from '#client/lib/publication.ts'
import { toast } from '#client/lib/toast.ts'
import { useLeaveBlocker } from '#client/lib/use-leave-blocker.ts'
import { Button } from '#client/ui/button.tsx'
import { UnsavedChangesDialog } from '#client/ui/unsaved-changes-dialog.tsx'
import { updatePreferencesCall } from '#shared/contracts/reader/onboarding.ts'
import type { Preferences } from '#shared/contracts/reader/preferences.ts'
import { isAsked, questionNames } from '#shared/domain/questions.ts'
import { AiLevelFields, FocusAreaFields, FranchiseTypeFields, GoalFields } from './preference-fields.tsx'
import { preferencesQuery } from './preferences.api.ts'
import { toAnswers, usePreferencesForm } from './preferences-form.ts'
import { refusedAnswer } from './refused-answer.ts'

/** Invalidates personalization, because the answers determine the order of issues and prompt categories. */
function useUpdatePreferences() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (preferences: Preferences) => invoke(updatePreferencesCall, preferences),
    onSuccess: ({ preferences }) => {
      queryClient.setQueryData(preferencesQuery.queryKey, preferences)
      return queryClient.invalidateQueries({ queryKey: ['personalization'] })
    },
  })
}

/** Edits the onboarding answers. A failed save keeps the form’s values. */
export function PreferencesEditor({ saved }: { saved: Preferences | null }) {
  const [stored, setStored] = useState(() => toAnswers(saved))
  const { answers, questions, submit, reset } = usePreferencesForm(stored)
  const update = useUpdatePreferences()
  const blocker = useLeaveBlocker(JSON.stringify(answers) !== JSON.stringify(stored))

  const handleSave = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (update.isPending) return
    const form = event.currentTarget
    const result = submit()
    if ('error' in result) {
      toast.error(result.error.message, { id: 'preferences' })
      form.querySelector<HTMLElement>(`[name=${result.error.question}]`)?.focus()
      return
    }
    try {
      const answer = await update.mutateAsync(result.preferences)
      const next = toAnswers(answer.preferences)
      setStored(next)
      reset(next)
      toast.success('Your preferences have been saved.', { id: 'preferences' })
    } catch (error) {
      console.error('Failed to save preferences', error)
      toast.error('We couldn’t save your preferences', {
        id: 'preferences',
        description: refusedAnswer(error)?.message ?? 'Your answers are still here. Try again.',
      })
    }
  }

  if (!questionNames.some((question) => isAsked(publication, question))) return null
  return (
    <>
      <form noValidate onSubmit={handleSave} className="grid gap-12">
        <FocusAreaFields {...questions} />
        <AiLevelFields {...questions} />
        <GoalFields {...questions} />
        <FranchiseTypeFields {...questions} />
        <div className="flex flex-wrap items-center gap-4 border-t border-line pt-6">
          <Button type="submit" pending={update.isPending}>
            Save preferences
          </Button>
          <p className="text-sm text-muted">Matching content moves to the top. You still get everything.</p>
        </div>
      </form>
      {blocker.state === 'blocked' && (
        <UnsavedChangesDialog onLeave={() => blocker.proceed()} onStay={() => blocker.reset()}>
          Your changes to your preferences aren’t saved yet.
        </UnsavedChangesDialog>
      )}
    </>
  )
}
