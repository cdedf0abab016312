import { clsx } from 'clsx'

const steps = [
  ['choose', 'Choose file'],
  ['check', 'Check'],
  ['import', 'Import'],
] as const

export function StepList({ current }: { current: (typeof steps)[number][0] }) {
  return (
    <ol aria-label="Steps" className="mt-4 flex flex-wrap gap-x-6 gap-y-1">
      {steps.map(([key, label], index) => (
        <li
          key={key}
          aria-current={key === current ? 'step' : undefined}
          className={clsx(
            'border-b-2 py-1',
            key === current ? 'border-accent font-semibold' : 'border-transparent text-muted',
          )}
        >
          <span className="tabular-nums">{index + 1}.</span> {label}
        </li>
      ))}
    </ol>
  )
}
