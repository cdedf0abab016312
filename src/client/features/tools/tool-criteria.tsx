import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import type { Tool } from '#shared/contracts/library.ts'
import { toolCriteria, toolCriterionLabels } from '#shared/domain/content-labels.ts'

const title = 'On our five criteria'

/** A line for each criterion that is known. On a phone the lines are folded. */
export function ToolCriteria({ tool }: { tool: Tool }) {
  const [open, setOpen] = useState(false)
  const listId = useId()
  const known = toolCriteria.filter((criterion) => tool.criteria[criterion])
  if (known.length === 0) return null
  return (
    <div className="mt-6 border-y border-line sm:border-b-0">
      <h3 className="text-sm font-semibold sm:pt-3">
        <span className="max-sm:hidden">{title}</span>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={listId}
          onClick={() => setOpen(!open)}
          className="flex min-h-12 w-full items-center justify-between gap-3 text-left sm:hidden"
        >
          {title}
          <span className="sr-only"> for {tool.name}</span>
          <ChevronRight
            aria-hidden
            className={clsx('size-5 shrink-0 text-muted transition-transform', open && 'rotate-90')}
            strokeWidth={1.75}
          />
        </button>
      </h3>
      <dl id={listId} className={clsx('text-sm sm:mt-2', !open && 'max-sm:hidden')}>
        {known.map((criterion) => (
          <div
            key={criterion}
            className="border-t border-line py-2 first:border-0 sm:grid sm:grid-cols-[9rem_minmax(0,1fr)] sm:gap-6 sm:first:border-t"
          >
            <dt className="font-medium">{toolCriterionLabels[criterion]}</dt>
            <dd className="text-muted">{tool.criteria[criterion]}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
