import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type SubmitEvent, Suspense, useState } from 'react'
import {
  AiLevelFields,
  FocusAreaFields,
  FranchiseTypeFields,
  GoalFields,
} from '#client/features/reader/preferences/preference-fields.tsx'
import { preferencesQuery } from '#client/features/reader/preferences/preferences.api.ts'
import { toAnswers, usePreferencesForm } from '#client/features/reader/preferences/preferences-form.ts'
import { refusedAnswer } from '#client/features/reader/preferences/refused-answer.ts'
import { invoke } from '#client/lib/calls.ts'
import { publication } from '#client/lib/publication.ts'
import { toast } from '#client/lib/toast.ts'
import { useLeaveBlocker } from '#client/lib/use-leave-blocker.ts'
import { Button } from '#client/ui/button.tsx'
import { LoadError, LoadingPlaceholder, Skeleton, SkeletonText } from '#client/ui/loading.tsx'
import { UnsavedChangesDialog } from '#client/ui/unsaved-changes-dialog.tsx'
import { updatePreferencesCall } from '#shared/contracts/reader/onboarding.ts'
import type { Preferences } from '#shared/contracts/reader/preferences.ts'
import { isAsked, questionNames } from '#shared/domain/questions.ts'

const OwnFields = lazy(async () => ({
  default: (await import('#client/features/reader/custom-fields/own-fields.tsx')).OwnFields,
}))

export function Component() {
  const preferences = useQuery(preferencesQuery)
  return (
    <>
      {preferences.isLoadingError ? (
        <LoadError what="your preferences" query={preferences} />
      ) : preferences.isPending ? (
        <LoadingPlaceholder>
          <PreferencesSkeleton />
        </LoadingPlaceholder>
      ) : (
        <>
          <PreferencesEditor saved={preferences.data} />
          <Suspense fallback={null}>
            <OwnFields />
          </Suspense>
        </>
      )}
    </>
  )
}

/** A placeholder of the size of the first two questions. */
function PreferencesSkeleton() {
  return (
    <div>
      <SkeletonText lines={1} height="h-7" className="w-64 max-w-full" />
      <SkeletonText lines={1} className="mt-1 max-w-96" />
      <div className="mt-4 grid gap-3 sm:grid-cols-2">
        {[1, 2, 3, 4, 5, 6].map((tile) => (
          <Skeleton key={tile} className="h-20" />
        ))}
      </div>
      <SkeletonText lines={1} height="h-7" className="mt-12 w-64 max-w-full" />
      <div className="mt-4 grid gap-3">
        {[1, 2, 3].map((tile) => (
          <Skeleton key={tile} className="h-20" />
        ))}
      </div>
    </div>
  )
}

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
function PreferencesEditor({ saved }: { saved: Preferences | null }) {
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
