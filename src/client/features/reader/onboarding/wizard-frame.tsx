import { clsx } from 'clsx'
import { type ReactNode, type SubmitEventHandler, useEffect, useRef } from 'react'
import { Button } from '#client/ui/button.tsx'
import { onboardingSteps } from './onboarding-draft.ts'

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
export function WizardFrame({ step, canContinue, saving, finishLabel, onBack, onSubmit, children }: WizardFrameProps) {
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
