import { clsx } from 'clsx'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#client/ui/button.tsx'
import type { MailingProblem } from '#shared/contracts/publishing/mailing-preview.ts'
import { errorsIn, type Problem, warningsIn } from '#shared/contracts/publishing/publishable.ts'
import { formatList } from '#shared/domain/format.ts'
import type { Suggestion } from '#shared/domain/suggest-values.ts'
import { describeCheck, lineOf, placeIn, placeOf, withoutErrors, withoutRepeats } from './describe-checks.ts'

type ChecksPanelProps = {
  /** Problems that publishing would refuse, and warnings. */
  problems: readonly Problem[]
  /** Problems that sending the drop would refuse or advise about. */
  emailProblems: readonly MailingProblem[]
  suggestions: readonly Suggestion[]
  /** True if the draft begins with a text that has no heading. */
  hasText: boolean
  onGo: (path: string, line: number | null) => void
  onUse: (suggestions: readonly Suggestion[]) => void
  className?: string
}

/** Checks of the draft while it is written. Each entry leads to its field or line. */
export function ChecksPanel({
  problems,
  emailProblems,
  suggestions,
  hasText,
  onGo,
  onUse,
  className,
}: ChecksPanelProps) {
  const stopping = errorsIn(problems)
  const ofEmail = withoutRepeats(emailProblems, stopping)
  const errors = ofEmail.filter(({ severity }) => severity === 'error')
  const warnings = withoutErrors(warningsIn(problems), errors)
  const advice = ofEmail.filter(({ severity }) => severity === 'warning')
  const hasNone = stopping.length + warnings.length + errors.length + advice.length + suggestions.length === 0
  if (hasNone) return null
  const isReady = stopping.length + errors.length === 0
  const Icon = isReady ? CircleCheck : TriangleAlert
  return (
    <details
      className={clsx(
        'border-l-3 px-4',
        isReady ? 'border-success bg-sunken' : 'border-accent bg-accent-soft',
        className,
      )}
    >
      <summary
        className={clsx(
          'flex min-h-11 list-none items-center gap-2 text-sm font-medium',
          isReady ? 'text-ink' : 'text-accent-ink',
        )}
      >
        <Icon aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
        {summaryOf(stopping, errors.length, warnings.length + advice.length + suggestions.length)}
      </summary>
      <div className="grid gap-3 pb-3 text-sm">
        {stopping.length > 0 && (
          <Problems title="Before publishing" problems={stopping} hasText={hasText} onGo={onGo} />
        )}
        {errors.length > 0 && (
          <Group title="Before emailing">
            {errors.map((problem) => (
              <EmailEntry key={`${problem.place} ${problem.message}`} problem={problem} hasText={hasText} onGo={onGo} />
            ))}
          </Group>
        )}
        {warnings.length > 0 && <Problems title="Worth a look" problems={warnings} hasText={hasText} onGo={onGo} />}
        {advice.length > 0 && (
          <Group title="Advice for the email">
            {advice.map((problem) => (
              <EmailEntry key={`${problem.place} ${problem.message}`} problem={problem} hasText={hasText} onGo={onGo} />
            ))}
          </Group>
        )}
        {suggestions.length > 0 && <Suggestions suggestions={suggestions} onGo={onGo} onUse={onUse} />}
      </div>
    </details>
  )
}

function summaryOf(stopping: readonly Problem[], email: number, advice: number): string {
  const missing = stopping.flatMap(({ message }) => /^(The \w+) is missing$/.exec(message)?.[1]?.toLowerCase() ?? [])
  const { length } = stopping
  if (length > 0 && missing.length === length) return `Still missing: ${formatList([...new Set(missing)])}`
  if (length > 0) return `Fix ${length === 1 ? '1 problem' : `${length} problems`} before publishing`
  if (email > 0) return `Fix ${email === 1 ? '1 problem' : `${email} problems`} before emailing`
  return `Ready to publish, with ${advice === 1 ? '1 tip' : `${advice} tips`}`
}

type ProblemsProps = Pick<ChecksPanelProps, 'problems' | 'hasText' | 'onGo'> & { title: string }

const Problems = ({ title, problems, hasText, onGo }: ProblemsProps) => (
  <Group title={title}>
    {problems.map((problem) => (
      <Entry key={`${problem.path} ${problem.message}`} onClick={() => onGo(problem.path, lineOf(problem.message))}>
        {describeCheck(problem, hasText)}
      </Entry>
    ))}
  </Group>
)

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h2 className="text-xs font-semibold text-ink">{title}</h2>
    <ul>{children}</ul>
  </section>
)

const Entry = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <li>
    <button
      type="button"
      onClick={onClick}
      className="flex min-h-11 w-full items-center rounded-sm text-left underline underline-offset-4 [overflow-wrap:anywhere] sm:min-h-8"
    >
      {children}
    </button>
  </li>
)

type EmailEntryProps = { problem: MailingProblem } & Pick<ChecksPanelProps, 'hasText' | 'onGo'>

/** A problem of the sender or of the email as a whole has no field. */
function EmailEntry({ problem, hasText, onGo }: EmailEntryProps) {
  const place = placeOf(problem)
  const text = problem.place ? `${placeIn(problem.place, hasText)}: ${problem.message}` : problem.message
  if (!place) return <li className="py-1.5 [overflow-wrap:anywhere]">{text}</li>
  return <Entry onClick={() => onGo(place.path, place.line)}>{text}</Entry>
}

function Suggestions({ suggestions, onGo, onUse }: Pick<ChecksPanelProps, 'suggestions' | 'onGo' | 'onUse'>) {
  const use = (chosen: readonly Suggestion[]) => {
    onUse(chosen)
    const [first] = chosen
    if (first) onGo(first.path, null)
  }
  return (
    <section>
      <h2 className="text-xs font-semibold text-ink">Proposed from your text</h2>
      <ul className="grid gap-1">
        {suggestions.map((suggestion) => {
          const name = describeCheck({
            path: suggestion.path,
            message: fieldNames[suggestion.path.split('.').at(-1) ?? ''] ?? '',
          })
          return (
            <li key={suggestion.path} className="flex flex-wrap items-center justify-between gap-x-3">
              <span className="min-w-0 grow basis-40 [overflow-wrap:anywhere]">
                {name}: {suggestion.text}
              </span>
              <Button variant="quiet" size="sm" onClick={() => use([suggestion])}>
                Use<span className="sr-only"> for {name}</span>
              </Button>
            </li>
          )
        })}
      </ul>
      {suggestions.length > 1 && (
        <Button variant="secondary" size="sm" className="mt-2" onClick={() => use(suggestions)}>
          Use all {suggestions.length}
        </Button>
      )}
    </section>
  )
}

const fieldNames: Record<string, string> = {
  level: 'Experience with AI',
}
