import type { Tool } from '#shared/contracts/library/library.ts'
import { toolCriteria, toolCriterionLabels } from '#shared/domain/content-labels.ts'
import { PhoneFold } from './phone-fold.tsx'

const title = 'On our five criteria'

/** A line for each criterion that is known. */
export function ToolCriteria({ tool }: { tool: Tool }) {
  const known = toolCriteria.filter((criterion) => tool.criteria[criterion])
  if (known.length === 0) return null
  return (
    <PhoneFold title={title} of={tool.name} className="sm:mt-6">
      <h3 className="border-t border-line pt-3 text-sm font-semibold max-sm:sr-only">{title}</h3>
      <dl className="text-sm sm:mt-2">
        {known.map((criterion) => (
          <div
            key={criterion}
            className="border-t border-line py-2 max-sm:first:border-0 sm:grid sm:grid-cols-[9rem_minmax(0,1fr)] sm:gap-6"
          >
            <dt className="font-medium">{toolCriterionLabels[criterion]}</dt>
            <dd className="text-muted">{tool.criteria[criterion]}</dd>
          </div>
        ))}
      </dl>
    </PhoneFold>
  )
}
