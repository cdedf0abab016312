import { FormProvider } from 'react-hook-form'
import { toast } from '#client/lib/toast.ts'
import { useLeaveBlocker } from '#client/lib/use-leave-blocker.ts'
import { Button } from '#client/ui/button.tsx'
import { UnsavedChangesDialog } from '#client/ui/unsaved-changes-dialog.tsx'
import type { Preferences } from '#shared/contracts/preferences.ts'
import { AiLevelFields, FocusAreaFields, FranchiseTypeFields, GoalFields } from './preference-fields.tsx'
import { useUpdatePreferences } from './preferences.api.ts'
import { toInput, usePreferencesForm } from './preferences-form.ts'

/** Edits the onboarding answers. A failed save keeps the form’s values. */
export function PreferencesEditor({ saved }: { saved: Preferences | null }) {
  const form = usePreferencesForm(saved)
  const update = useUpdatePreferences()
  const { isDirty, isSubmitting } = form.formState
  const blocker = useLeaveBlocker(isDirty)

  const handleSave = form.handleSubmit(
    async (preferences) => {
      try {
        const answer = await update.mutateAsync(preferences)
        form.reset(toInput(answer.preferences))
        toast.success('Your preferences have been saved.', { id: 'preferences' })
      } catch (error) {
        console.error('Failed to save preferences', error)
        toast.error('We couldn’t save your preferences', {
          id: 'preferences',
          description: 'Your answers are still here. Try again.',
        })
      }
    },
    (errors) => {
      const first = errors.focusAreas?.message ?? errors.aiLevel?.message
      if (first) toast.error(first, { id: 'preferences' })
    },
  )

  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={handleSave} className="grid gap-12">
        <FocusAreaFields />
        <AiLevelFields />
        <GoalFields />
        <FranchiseTypeFields />
        <div className="flex flex-wrap items-center gap-4 border-t border-line pt-6">
          <Button type="submit" pending={isSubmitting}>
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
    </FormProvider>
  )
}
