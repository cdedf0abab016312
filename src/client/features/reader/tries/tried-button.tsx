import { clsx } from 'clsx'
import { CircleCheck } from 'lucide-react'
import { type TryOutcome, tryOutcomeLabels } from '#shared/domain/try-outcomes.ts'

type TriedButtonProps = {
  title: string
  /** The reader's answer. */
  outcome: TryOutcome | null
  open: boolean
  /** Id of the form. */
  controls: string
  onClick: () => void
}

/** Opens the form that asks how it went. Shows the answer, if there is one. */
export function TriedButton({ title, outcome, open, controls, onClick }: TriedButtonProps) {
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-controls={controls}
      onClick={onClick}
      className={clsx(
        'inline-flex min-h-11 min-w-0 touch-manipulation items-center gap-1.5 rounded-md px-2.5 text-sm transition-colors select-none hover:bg-sunken hover:text-ink',
        outcome ? 'font-semibold text-ink' : 'text-muted',
      )}
    >
      <CircleCheck
        aria-hidden
        className={clsx('size-4.5 shrink-0', outcome && 'text-success')}
        strokeWidth={outcome ? 2.25 : 1.75}
      />
      {/* As wide as its longest label, so that an answer doesn’t move it to the next line. */}
      <span data-longest={tryOutcomeLabels['worked-with-changes']} className="as-wide-as-longest">
        {outcome ? tryOutcomeLabels[outcome] : 'Tried it'}
      </span>
      <span className="sr-only">: {title}</span>
    </button>
  )
}
