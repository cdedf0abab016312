import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { lazy, type ReactNode, type SubmitEventHandler, Suspense, useEffect, useRef, useState } from 'react'
import { ownFieldsQuery } from '#client/features/reader/custom-fields/own-fields.api.ts'
import {
  clearDraft,
  type OnboardingDraft,
  onboardingSteps,
  saveDraft,
} from '#client/features/reader/onboarding/onboarding-draft.ts'
import {
  AiLevelFields,
  FocusAreaFields,
  FranchiseTypeFields,
  GoalFields,
} from '#client/features/reader/preferences/preference-fields.tsx'
import { usePreferencesForm } from '#client/features/reader/preferences/preferences-form.ts'
import { refusedAnswer } from '#client/features/reader/preferences/refused-answer.ts'
import { invoke } from '#client/lib/calls.ts'
import { submitHandler } from '#client/lib/changes.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { onboardingWelcomeCall } from '#shared/contracts/reader/onboarding.ts'
import type { Preferences } from '#shared/contracts/reader/preferences.ts'
import { spellCount } from '#shared/domain/format-count.ts'
import { upperFirst } from '#shared/domain/own-words.ts'
import type { QuestionName } from '#shared/domain/question-terms.ts'

const SignUpQuestions = lazy(async () => ({
  default: (await import('#client/features/reader/custom-fields/sign-up-questions.tsx')).SignUpQuestions,
}))

const stepOf = (question: QuestionName) => onboardingSteps.findIndex((step) => step.includes(question)) + 1

type OnboardingWizardProps = {
  draft: OnboardingDraft
  /** The text of the step after the last one, if any. */
  next: ReactNode
  onFinished: () => void
}

/** Up to three steps of one form; none if the publisher turned all questions off. Steps that aren't shown keep their answers, in memory and across a reload. */
export function OnboardingWizard({ draft, next, onFinished }: OnboardingWizardProps) {
  const [step, setStep] = useState(Math.min(draft.step, Math.max(1, onboardingSteps.length)))
  const { answers, questions, submit } = usePreferencesForm(draft.answers)
  const complete = useCompleteOnboarding()
  /** Questions that the publisher added. */
  const ownFields = useQuery(ownFieldsQuery('sign_up'))
  const items = ownFields.data?.items ?? []
  const hasNoSteps = onboardingSteps.length === 0
  const [isAnswered, setIsAnswered] = useState(hasNoSteps)
  const isOver = hasNoSteps && !ownFields.isPending && items.length === 0
  const finishLabel = next ? 'Continue to checkout' : 'Finish'

  useEffect(() => {
    const { email, plan } = draft
    if (hasNoSteps) clearDraft()
    else saveDraft({ email, plan, savedAt: Date.now(), step, answers })
  }, [draft, step, answers, hasNoSteps])

  // biome-ignore lint/correctness/useExhaustiveDependencies: leaves once
  useEffect(() => {
    if (isOver) onFinished()
  }, [isOver])

  const finish = async () => {
    const result = submit()
    if ('error' in result) {
      toast.error(result.error.message, { id: 'onboarding' })
      setStep(stepOf(result.error.question))
      return
    }
    try {
      await complete.mutateAsync({ ...result.preferences, email: draft.email })
    } catch (error) {
      console.error('Onboarding failed', error)
      const refused = refusedAnswer(error)
      toast.error(refused?.message ?? 'Failed to complete onboarding. Please try again.', { id: 'onboarding' })
      if (refused) setStep(stepOf(refused.question))
      return
    }
    clearDraft()
    toast.success('Welcome! Your preferences have been saved.')
    if (items.length > 0) setIsAnswered(true)
    else onFinished()
  }

  const shown = onboardingSteps[step - 1] ?? []
  const canContinue =
    (!shown.includes('focusAreas') || answers.focusAreas.length > 0) &&
    (!shown.includes('aiLevel') || Boolean(answers.aiLevel))

  const handleSubmit = submitHandler(complete, () => {
    if (step < onboardingSteps.length) {
      if (canContinue) setStep(step + 1)
    } else void finish()
  })

  if (isAnswered) {
    if (items.length === 0) return null
    return (
      <Suspense fallback={null}>
        <SignUpQuestions items={items} finishLabel={finishLabel} onFinished={onFinished} />
      </Suspense>
    )
  }
  return (
    <>
      {next && (
        <p className="-mt-4 mb-8 text-muted">
          {upperFirst(spellCount(onboardingSteps.length))} {onboardingSteps.length === 1 ? 'question' : 'questions'},
          then checkout: {next}.
        </p>
      )}
      <WizardFrame
        step={step}
        canContinue={canContinue}
        saving={complete.isPending}
        finishLabel={items.length > 0 ? 'Continue' : finishLabel}
        onBack={() => setStep(step - 1)}
        onSubmit={handleSubmit}
      >
        {shown.includes('focusAreas') && <FocusAreaFields {...questions} />}
        {shown.includes('aiLevel') && <AiLevelFields {...questions} />}
        {shown.includes('goals') && (
          <>
            <GoalFields {...questions} />
            <FranchiseTypeFields {...questions} />
          </>
        )}
      </WizardFrame>
    </>
  )
}

/** Saves the answers and sends the welcome email. Invalidates personalization, which depends on the answers. */
function useCompleteOnboarding() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (input: Preferences & { email: string }) => invoke(onboardingWelcomeCall, input),
    onSuccess: ({ preferences }) => {
      queryClient.setQueryData(['preferences'], preferences)
      return queryClient.invalidateQueries({ queryKey: ['personalization'] })
    },
  })
}

type WizardFrameProps = {
  step: number
  canContinue: boolean
  saving: boolean
  onBack: () => void
  /** Label of the button on the last step. */
  finishLabel: string
  onSubmit: SubmitEventHandler<HTMLFormElement>
  children: ReactNode
}

/** One wizard step: progress, questions, and the Back and Continue buttons. */
function WizardFrame({ step, canContinue, saving, finishLabel, onBack, onSubmit, children }: WizardFrameProps) {
  const progressRef = useRef<HTMLParagraphElement>(null)

  // The pressed button is no longer there, so move the focus to the start of the new questions.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each step
  useEffect(() => {
    progressRef.current?.focus()
    window.scrollTo({ top: 0 })
  }, [step])

  return (
    <form noValidate onSubmit={onSubmit}>
      <p ref={progressRef} tabIndex={-1} className="text-sm font-semibold text-muted tabular-nums">
        Step {step} of {onboardingSteps.length}
      </p>
      <div aria-hidden className="mt-2 flex gap-1.5">
        {Array.from({ length: onboardingSteps.length }, (_, index) => index + 1).map((number) => (
          <span key={number} className={clsx('h-1 grow transition-colors', number <= step ? 'bg-accent' : 'bg-line')} />
        ))}
      </div>
      <div className="mt-8 grid gap-10">{children}</div>
      <div className="mt-10 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-5">
        {step > 1 ? (
          <Button variant="secondary" onClick={onBack}>
            Back
          </Button>
        ) : (
          <span />
        )}
        <Button type="submit" disabled={!canContinue} pending={saving} className="min-w-32">
          {step < onboardingSteps.length ? 'Continue' : finishLabel}
        </Button>
      </div>
    </form>
  )
}
