import { clsx } from 'clsx'
import { useLayoutEffect, useRef, useState } from 'react'
import { ownWords, publication } from '#client/lib/publication.ts'
import { Tag } from '#client/ui/tag.tsx'
import type { LandingSamples } from '#shared/contracts/library/landing-samples.ts'
import { formatDay } from '#shared/domain/format.ts'
import { inOptionOrder, offeredKeys, optionLabel } from '#shared/domain/preferences.ts'
import { rankSections } from '#shared/domain/rank-sections.ts'
import { sectionKindLabels } from '#shared/domain/section-kinds.ts'

const durationMs = 190
const easing = 'cubic-bezier(0.2, 0.7, 0.3, 1)'

const itemsOf = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>(':scope > [data-key]')]

/**
 * Animates a reordered list: call `capturePositions` before changing the order, and each item slides to its new position.
 * Items are identified by `data-key`. Respects reduced motion.
 */
function useReorderAnimation<T extends HTMLElement>() {
  const listRef = useRef<T>(null)
  const positions = useRef<Map<string, DOMRect> | null>(null)

  const capturePositions = () => {
    const list = listRef.current
    if (!list) return
    positions.current = new Map(itemsOf(list).map((item) => [item.dataset.key ?? '', item.getBoundingClientRect()]))
  }

  useLayoutEffect(() => {
    const before = positions.current
    const list = listRef.current
    positions.current = null
    if (!before || !list || window.matchMedia('(prefers-reduced-motion: reduce)').matches) return
    for (const item of itemsOf(list)) {
      const from = before.get(item.dataset.key ?? '')
      const to = item.getBoundingClientRect()
      if (!from || (from.x === to.x && from.y === to.y)) continue
      const transform = `translate(${from.x - to.x}px, ${from.y - to.y}px)`
      item.animate([{ transform }, { transform: 'none' }], { duration: durationMs, easing })
    }
  })

  return { listRef, capturePositions }
}

const pillStyles = (isChosen: boolean) =>
  clsx(
    'min-h-11 rounded-full border px-3.5 text-sm font-semibold transition-colors sm:min-h-9',
    isChosen ? 'border-success bg-success text-on-success' : 'border-line-strong hover:border-ink hover:bg-sunken',
  )

type Drop = NonNullable<LandingSamples['drop']>
type Section = Drop['sections'][number]

/** A published drop whose short items reorder when a visitor picks a focus area, by the same rule as in the portal. */
export function FocusDemo({ drop }: { drop: Drop }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const { listRef, capturePositions } = useReorderAnimation<HTMLOListElement>()
  const matches = drop.sections.some(({ focusAreas: areas }) => chosen !== null && areas.includes(chosen))

  const label = optionLabel(publication, 'focusAreas', chosen ?? '')

  const handleChoose = (area: string) => {
    capturePositions()
    setChosen(area === chosen ? null : area)
  }

  return (
    <article
      aria-labelledby="demo-title"
      className="demo mt-6 rounded-lg border border-line bg-surface px-5 py-6 sm:px-8 sm:py-8 lg:col-span-2"
    >
      <p className="flex flex-wrap justify-between gap-x-4 pb-2 text-sm text-muted">
        <span>{ownWords`Weekly Drop`}</span>
        <time dateTime={drop.date}>{formatDay(drop.date)}</time>
      </p>
      <div aria-hidden className="rule-double" />
      <div className="mt-5 grid gap-x-12 gap-y-6 lg:grid-cols-2">
        <div>
          <h2 id="demo-title" className="display text-2xl">
            {drop.title}
          </h2>
          <p className="mt-2 text-muted">{drop.preview}</p>
        </div>
        <fieldset className="border-line max-lg:border-t max-lg:pt-4">
          <legend className="sr-only">{publication.questions.focusAreas?.name ?? 'Focus area'}</legend>
          <p aria-hidden className="text-sm font-semibold">
            What matters most to you?
          </p>
          <div className="mt-2.5 flex flex-wrap gap-2">
            {offeredKeys(publication, 'focusAreas').map((area) => (
              <button
                key={area}
                type="button"
                aria-pressed={area === chosen}
                onClick={() => handleChoose(area)}
                className={pillStyles(area === chosen)}
              >
                {optionLabel(publication, 'focusAreas', area)}
              </button>
            ))}
          </div>
          {/* The minimum height keeps the list below in place. */}
          <p role="status" className="mt-3 min-h-18 text-sm text-muted sm:min-h-12">
            {chosen === null
              ? 'Choose one to see the order change.'
              : matches
                ? `${label} comes first now. You still get everything.`
                : ownWords`This drop has nothing about ${label}, so its order stays the same. Other drops do.`}
          </p>
        </fieldset>
      </div>

      <ol ref={listRef} className="mt-3 gap-x-12 lg:columns-2">
        {orderedEntries(drop.sections, chosen).map((entry) => (
          <Entry key={entry[0].heading} entry={entry} chosen={chosen} />
        ))}
      </ol>
    </article>
  )
}

type Entry = [Section, ...Section[]]

/** The lead with all of its steps, and each section that stands alone, as members would get them. */
function orderedEntries(sections: readonly Section[], chosen: string | null): Entry[] {
  const reader = { focusAreas: chosen ? [chosen] : [], aiLevel: null, goals: [], franchiseType: null }
  const rankable = sections.map((section) => ({ ...section, goals: [], franchiseTypes: [] }))
  const entries: Entry[] = []
  for (const section of rankSections(publication, rankable, reader).order.flatMap((index) => sections[index] ?? [])) {
    const last = entries.at(-1)
    if (section.partOfLead && last?.[0].partOfLead) last.push(section)
    else entries.push([section])
  }
  return entries
}

function Entry({ entry, chosen }: { entry: Entry; chosen: string | null }) {
  const [first] = entry
  const areas = inOptionOrder(
    publication,
    'focusAreas',
    entry.flatMap((section) => section.focusAreas),
  )
  const minutes = entry.reduce((sum, section) => sum + section.minutes, 0)
  return (
    <li data-key={first.heading} className="break-inside-avoid border-t border-line bg-surface py-3">
      {first.partOfLead ? (
        <>
          <p className="text-xs text-muted">Step by step</p>
          <h3 className="font-semibold">
            {entry.length === 1 ? 'One step' : `${entry.length} steps that stay in order`}
          </h3>
          <ol className="mt-1 text-sm">
            {entry.map((step, index) => (
              <li key={step.heading} className="flex gap-2 py-0.5">
                <span aria-hidden className="display w-3 shrink-0 text-accent-ink tabular-nums">
                  {index + 1}
                </span>
                {step.heading}
              </li>
            ))}
          </ol>
        </>
      ) : (
        <>
          {first.kind && <p className="text-xs text-muted">{sectionKindLabels[first.kind]}</p>}
          <h3 className="font-semibold">{first.heading}</h3>
        </>
      )}
      <p className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
        {areas.map((area) => (
          <Tag key={area} tone={area === chosen ? 'accent' : 'plain'}>
            {optionLabel(publication, 'focusAreas', area)}
          </Tag>
        ))}
        <span className="tabular-nums">{minutes} min to try</span>
      </p>
    </li>
  )
}
