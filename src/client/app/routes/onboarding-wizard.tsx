import { zodResolver } from '@hookform/resolvers/zod'
import { type ReactNode, useEffect, useState } from 'react'
import { type FieldErrors, FormProvider, useForm, useWatch } from 'react-hook-form'
import { firstMessage } from '#client/features/onboarding/first-message.ts'
import { useCompleteOnboarding } from '#client/features/onboarding/onboarding.api.ts'
import { clearDraft, type OnboardingDraft, saveDraft } from '#client/features/onboarding/onboarding-draft.ts'
import { WizardFrame } from '#client/features/onboarding/wizard-frame.tsx'
import {
  AiLevelFields,
  FocusAreaFields,
  FranchiseTypeFields,
  GoalFields,
} from '#client/features/preferences/preference-fields.tsx'
import type { PreferencesInput } from '#client/features/preferences/preferences-form.ts'
import { toast } from '#client/lib/toast.ts'
import { type Preferences, preferencesSchema } from '#shared/contracts/preferences.ts'

const stepOf = { focusAreas: 1, aiLevel: 2, goals: 3, franchiseType: 3 } as const
const order = ['focusAreas', 'aiLevel', 'goals', 'franchiseType'] as const

type OnboardingWizardProps = {
  draft: OnboardingDraft
  /** What follows the last step, where something does. */
  next: ReactNode
  onFinished: () => void
}

/** Three steps of one form. Steps that aren't shown keep their answers, in memory and across a reload. */
export function OnboardingWizard({ draft, next, onFinished }: OnboardingWizardProps) {
  const [step, setStep] = useState(draft.step)
  const form = useForm<PreferencesInput, unknown, Preferences>({
    resolver: zodResolver(preferencesSchema),
    defaultValues: draft.answers,
  })
  const complete = useCompleteOnboarding()
  const answers = useWatch({ control: form.control }) as PreferencesInput

  useEffect(() => {
    const { email, plan } = draft
    saveDraft({ email, plan, savedAt: Date.now(), step, answers: answers as OnboardingDraft['answers'] })
  }, [draft, step, answers])

  const handleValid = form.handleSubmit(
    async (preferences) => {
      try {
        await complete.mutateAsync({ ...preferences, email: draft.email })
      } catch (error) {
        console.error('Onboarding failed', error)
        toast.error('Failed to complete onboarding. Please try again.', { id: 'onboarding' })
        return
      }
      clearDraft()
      toast.success('Welcome! Your preferences have been saved.')
      onFinished()
    },
    (errors: FieldErrors<PreferencesInput>) => {
      const first = firstMessage(errors, order)
      if (!first) return
      toast.error(first.message, { id: 'onboarding' })
      setStep(stepOf[first.field])
    },
  )

  const canContinue = step === 1 ? answers.focusAreas.length > 0 : step === 2 ? Boolean(answers.aiLevel) : true

  return (
    <FormProvider {...form}>
      {next && <p className="-mt-4 mb-8 text-muted">Three questions, then checkout: {next}.</p>}
      <WizardFrame
        step={step}
        canContinue={canContinue}
        saving={complete.isPending}
        onBack={() => setStep(step - 1)}
        onSubmit={(event) => {
          if (step === 3) return void handleValid(event)
          event.preventDefault()
          if (canContinue) setStep(step + 1)
        }}
      >
        {step === 1 && <FocusAreaFields />}
        {step === 2 && <AiLevelFields />}
        {step === 3 && (
          <>
            <GoalFields />
            <FranchiseTypeFields />
          </>
        )}
      </WizardFrame>
    </FormProvider>
  )
}
