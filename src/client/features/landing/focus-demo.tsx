import { clsx } from 'clsx'
import { useState } from 'react'
import { Tag } from '#client/ui/tag.tsx'
import type { LandingSamples } from '#shared/contracts/landing-samples.ts'
import { formatDay, formatList } from '#shared/domain/format-days-and-lists.ts'
import { type FocusArea, focusAreas } from '#shared/domain/preferences.ts'
import { rankSections } from '#shared/domain/rank-sections.ts'
import { useReorderAnimation } from './use-reorder-animation.ts'

const pillStyles = (isChosen: boolean) =>
  clsx(
    'min-h-11 rounded-full border px-4 text-sm font-semibold transition-colors sm:min-h-9',
    isChosen ? 'border-primary bg-primary text-on-primary' : 'border-line-strong hover:border-ink hover:bg-sunken',
  )

type FocusDemoProps = { drop: NonNullable<LandingSamples['drop']> }

/** A published drop whose sections reorder when a visitor picks a focus area, by the same rule as in the portal. */
export function FocusDemo({ drop }: FocusDemoProps) {
  const [chosen, setChosen] = useState<FocusArea | null>(null)
  const reader = { focusAreas: chosen ? [chosen] : [], aiLevel: null, goals: [], franchiseType: null }
  const rankable = drop.sections.map((section) => ({ ...section, goals: [], franchiseTypes: [] }))
  const otherAreas = focusAreas.filter((area) => !drop.tags.includes(area))
  const sections = rankSections(rankable, reader).order.flatMap((index) => drop.sections[index] ?? [])
  const { listRef, capturePositions } = useReorderAnimation<HTMLOListElement>()
  const isFirst = (section: (typeof sections)[number]) => chosen !== null && section.focusAreas.includes(chosen)

  const handleChoose = (area: FocusArea) => {
    capturePositions()
    setChosen(area === chosen ? null : area)
  }

  return (
    <article
      aria-labelledby="demo-title"
      className="rounded-lg border border-line bg-surface px-5 py-6 sm:px-8 sm:py-8"
    >
      <p className="flex flex-wrap justify-between gap-x-4 pb-2 text-sm text-muted">
        <span>Weekly Drop</span>
        <time dateTime={drop.date}>{formatDay(drop.date)}</time>
      </p>
      <div aria-hidden className="rule-double" />
      <h2 id="demo-title" className="display mt-5 text-2xl">
        {drop.title}
      </h2>
      <p className="mt-2 text-muted">{drop.preview}</p>

      <fieldset className="mt-6 border-t border-line pt-5">
        <legend className="sr-only">Focus area</legend>
        <div className="flex flex-wrap items-center gap-2">
          <span aria-hidden className="mr-1 text-sm font-semibold">
            What matters most to you?
          </span>
          {drop.tags.map((area) => (
            <button
              key={area}
              type="button"
              aria-pressed={area === chosen}
              onClick={() => handleChoose(area)}
              className={pillStyles(area === chosen)}
            >
              {area}
            </button>
          ))}
        </div>
        {/* The minimum height keeps the list below in place. */}
        <p role="status" className="mt-3 min-h-18 text-sm text-muted sm:min-h-12">
          {chosen
            ? `${chosen} comes first now. You still get all ${sections.length} sections.`
            : `Choose one to see the order change. Other drops cover ${formatList(otherAreas)}.`}
        </p>
      </fieldset>

      <ol ref={listRef} className="mt-3">
        {sections.map((section, index) => (
          <li
            key={section.heading}
            data-key={section.heading}
            className="grid grid-cols-[1.75rem_minmax(0,1fr)] border-t border-line bg-surface py-3.5"
          >
            <span
              aria-hidden
              className={clsx('display text-lg tabular-nums', isFirst(section) ? 'text-accent-ink' : 'text-muted')}
            >
              {index + 1}
            </span>
            <div>
              <h3 className="font-semibold">{section.heading}</h3>
              <p className="mt-0.5 text-sm text-muted">{section.summary}</p>
              <p className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
                {section.focusAreas.map((area) => (
                  <Tag key={area} tone={area === chosen ? 'accent' : 'plain'}>
                    {area}
                  </Tag>
                ))}
                <span className="tabular-nums">{section.minutes} min to try</span>
              </p>
            </div>
          </li>
        ))}
      </ol>
    </article>
  )
}
