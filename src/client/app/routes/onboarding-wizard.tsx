import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, type SubmitEvent, Suspense, useEffect, useState } from 'react'
import { ownFieldsQuery } from '#client/features/reader/custom-fields/own-fields.api.ts'
import { useCompleteOnboarding } from '#client/features/reader/onboarding/onboarding.api.ts'
import {
  clearDraft,
  type OnboardingDraft,
  onboardingSteps,
  saveDraft,
} from '#client/features/reader/onboarding/onboarding-draft.ts'
import { WizardFrame } from '#client/features/reader/onboarding/wizard-frame.tsx'
import {
  AiLevelFields,
  FocusAreaFields,
  FranchiseTypeFields,
  GoalFields,
} from '#client/features/reader/preferences/preference-fields.tsx'
import { usePreferencesForm } from '#client/features/reader/preferences/preferences-form.ts'
import { refusedAnswer } from '#client/features/reader/preferences/refused-answer.ts'
import { toast } from '#client/lib/toast.ts'

const SignUpQuestions = lazy(async () => ({
  default: (await import('#client/features/reader/custom-fields/sign-up-questions.tsx')).SignUpQuestions,
}))

const stepOf = { focusAreas: 1, aiLevel: 2, goals: 3, franchiseType: 3 } as const

type OnboardingWizardProps = {
  draft: OnboardingDraft
  /** The text of the step after the last one, if any. */
  next: ReactNode
  onFinished: () => void
}

/** Three steps of one form. Steps that aren't shown keep their answers, in memory and across a reload. */
export function OnboardingWizard({ draft, next, onFinished }: OnboardingWizardProps) {
  const [step, setStep] = useState(draft.step)
  const { answers, questions, submit } = usePreferencesForm(draft.answers)
  const complete = useCompleteOnboarding()
  /** Questions that the publisher added. */
  const items = useQuery(ownFieldsQuery('sign_up')).data?.items ?? []
  const [isAnswered, setIsAnswered] = useState(false)
  const finishLabel = next ? 'Continue to checkout' : 'Finish'

  useEffect(() => {
    const { email, plan } = draft
    saveDraft({ email, plan, savedAt: Date.now(), step, answers })
  }, [draft, step, answers])

  const finish = async () => {
    const result = submit()
    if ('error' in result) {
      toast.error(result.error.message, { id: 'onboarding' })
      setStep(stepOf[result.error.question])
      return
    }
    try {
      await complete.mutateAsync({ ...result.preferences, email: draft.email })
    } catch (error) {
      console.error('Onboarding failed', error)
      const refused = refusedAnswer(error)
      toast.error(refused?.message ?? 'Failed to complete onboarding. Please try again.', { id: 'onboarding' })
      if (refused) setStep(stepOf[refused.question])
      return
    }
    clearDraft()
    toast.success('Welcome! Your preferences have been saved.')
    if (items.length > 0) setIsAnswered(true)
    else onFinished()
  }

  const canContinue = step === 1 ? answers.focusAreas.length > 0 : step === 2 ? Boolean(answers.aiLevel) : true

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (step < onboardingSteps) {
      if (canContinue) setStep(step + 1)
    } else if (!complete.isPending) void finish()
  }

  if (isAnswered) {
    return (
      <Suspense fallback={null}>
        <SignUpQuestions items={items} finishLabel={finishLabel} onFinished={onFinished} />
      </Suspense>
    )
  }
  return (
    <>
      {next && <p className="-mt-4 mb-8 text-muted">Three questions, then checkout: {next}.</p>}
      <WizardFrame
        step={step}
        canContinue={canContinue}
        saving={complete.isPending}
        finishLabel={items.length > 0 ? 'Continue' : finishLabel}
        onBack={() => setStep(step - 1)}
        onSubmit={handleSubmit}
      >
        {step === 1 && <FocusAreaFields {...questions} />}
        {step === 2 && <AiLevelFields {...questions} />}
        {step === 3 && (
          <>
            <GoalFields {...questions} />
            <FranchiseTypeFields {...questions} />
          </>
        )}
      </WizardFrame>
    </>
  )
}
