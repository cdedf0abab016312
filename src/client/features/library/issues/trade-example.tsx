import { useId } from 'react'
import { useVertical } from '#client/lib/use-vertical.ts'
import { CopyableHtml } from '#client/ui/copyable-html.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import type { IssueSection } from '#shared/contracts/library/issues.ts'
import { verticalLabels, verticals } from '#shared/domain/verticals.ts'

type TradeExampleProps = { examples: IssueSection['examplesHtml']; franchiseType: string | null }

/** The example for the reader's trade, and a choice of the others. All examples of a page follow the same choice. */
export function TradeExample({ examples, franchiseType }: TradeExampleProps) {
  const [wanted, choose] = useVertical(franchiseType)
  const id = useId()
  const offered = verticals.filter((vertical) => examples[vertical])
  const shown = offered.find((vertical) => vertical === wanted) ?? offered[0]
  if (!shown) return null
  return (
    <div className="mt-7 border-l-3 border-accent pl-4 sm:pl-5">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <label htmlFor={id} className="font-semibold">
          Example for
        </label>
        <select
          id={id}
          value={shown}
          onChange={(event) => choose(offered.find((each) => each === event.target.value) ?? shown)}
          className={`${inputStyles} w-auto! max-w-full font-medium print:hidden`}
        >
          {offered.map((vertical) => (
            <option key={vertical} value={vertical}>
              {verticalLabels[vertical]}
            </option>
          ))}
        </select>
        <span className="hidden font-semibold print:inline">{verticalLabels[shown]}</span>
      </p>
      <div aria-live="polite">
        <CopyableHtml html={examples[shown] ?? ''} className="mt-2" />
      </div>
    </div>
  )
}
