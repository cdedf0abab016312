import { clsx } from 'clsx'
import { Bookmark, Hash, type LucideIcon, MessageCircleQuestion, PencilLine, Scale, Wrench } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { RenderItem } from '#client/lib/item-marks.ts'
import { publication } from '#client/lib/publication.ts'
import { useVertical } from '#client/lib/use-vertical.ts'
import { CopyableHtml, type QuotedTemplate } from '#client/ui/copyable-html.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import type { IssueSection } from '#shared/contracts/library/issues.ts'
import { optionLabel, optionLabels } from '#shared/domain/preferences.ts'
import { type SectionKind, sectionKindLabels } from '#shared/domain/section-kinds.ts'
import { verticalLabels, verticals } from '#shared/domain/verticals.ts'
import type { OrderedSection } from './order-sections.ts'

type TradeExampleProps = { examples: IssueSection['examplesHtml']; franchiseType: string | null }

/** The example for the reader's trade, and a choice of the others. All examples of a page follow the same choice. */
function TradeExample({ examples, franchiseType }: TradeExampleProps) {
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

const kindIcons: Record<SectionKind, LucideIcon> = {
  prompt: PencilLine,
  number: Hash,
  tool: Wrench,
  question: MessageCircleQuestion,
  rule: Scale,
}

export type SectionSlots = {
  /** Title of the issue; names a section without a heading. */
  title?: string
  renderActions?: RenderItem
  /** Puts something around a section's text, or in its place. */
  frameText?: (section: OrderedSection, text: ReactNode) => ReactNode
  /** Shows a prompt that a section quotes, with its blanks. */
  renderPrompt?: (sectionId: string, quoted: QuotedTemplate) => ReactNode
}

type LeadProps = SectionSlots & {
  steps: readonly OrderedSection[]
  /** False while only the first step is needed. */
  isComplete: boolean
  franchiseType: string | null
}

/** The how-to: its steps numbered, in the order in which they are done. */
export function Lead({ steps, isComplete, franchiseType, ...slots }: LeadProps) {
  const minutes = steps.reduce((sum, step) => sum + step.minutes, 0)
  return (
    <section aria-label="Step by step" className="mt-10 border-t-2 border-ink pt-5">
      <Reason text={steps[0]?.reason ?? null} />
      <p className="flex flex-wrap justify-between gap-x-4 text-sm">
        <span className="font-semibold">Step by step</span>
        <span className="text-muted tabular-nums">
          {steps.length} {steps.length === 1 ? 'step' : 'steps'}, {minutes} min in all
        </span>
      </p>
      <ol>
        {(isComplete ? steps : steps.slice(0, 1)).map((step, index) => (
          <li key={step.anchor}>
            <section
              aria-labelledby={step.anchor}
              className={clsx(
                'pt-7 sm:grid sm:grid-cols-[2.5rem_minmax(0,1fr)]',
                index > 0 && 'mt-9 border-t border-line',
              )}
            >
              <p
                aria-hidden
                className="display text-3xl leading-none text-accent-ink tabular-nums max-sm:mb-2 sm:pt-0.5"
              >
                {index + 1}
              </p>
              <div className="min-w-0">
                <SectionHeading section={step} className="text-2xl" prefix={`Step ${index + 1}: `} />
                <SectionText section={step} franchiseType={franchiseType} {...slots} />
              </div>
            </section>
          </li>
        ))}
      </ol>
    </section>
  )
}

type StandAloneProps = SectionSlots & { section: OrderedSection; franchiseType: string | null }

/** A section that is complete in itself. */
export function StandAlone({ section, franchiseType, ...slots }: StandAloneProps) {
  const { kind, heading } = section
  const Icon = kind && kindIcons[kind]
  if (!heading) {
    return (
      <section id={section.anchor} tabIndex={-1}>
        <SectionText section={section} franchiseType={franchiseType} {...slots} />
      </section>
    )
  }
  return (
    <section aria-labelledby={section.anchor} className="mt-10 border-t border-line-strong pt-5">
      <Reason text={section.reason} />
      {Icon && (
        <p className="mb-2 flex items-center gap-2 text-sm font-semibold text-primary">
          <Icon aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
          {sectionKindLabels[kind]}
        </p>
      )}
      <SectionHeading section={section} className={kind ? 'text-xl' : 'text-2xl'} />
      <SectionText section={section} franchiseType={franchiseType} {...slots} />
    </section>
  )
}

function Reason({ text }: { text: string | null }) {
  if (!text) return null
  return (
    <p className="mb-2 flex items-center gap-2 text-sm font-medium text-accent-ink">
      <Bookmark aria-hidden className="size-4 shrink-0 fill-accent text-accent" strokeWidth={1.75} />
      {text}
    </p>
  )
}

function SectionHeading({
  section,
  className,
  prefix,
}: {
  section: OrderedSection
  className: string
  prefix?: string
}): ReactNode {
  return (
    <h2 id={section.anchor} tabIndex={-1} className={clsx('display', className)}>
      {prefix && <span className="sr-only">{prefix}</span>}
      {section.heading}
    </h2>
  )
}

function SectionText({ section, franchiseType, title, renderActions, frameText, renderPrompt }: StandAloneProps) {
  const { heading } = section
  const facts = [
    `${section.minutes} min`,
    section.aiLevel && optionLabel(publication, 'aiLevel', section.aiLevel),
    optionLabels(publication, 'focusAreas', section.focusAreas).join(', '),
    section.franchiseTypes.length > 0 &&
      `For ${optionLabels(publication, 'franchiseType', section.franchiseTypes).join(', ')}`,
  ]
  const text = (
    <>
      {section.summary && <p className="mt-3 text-lg text-muted">{section.summary}</p>}
      <CopyableHtml
        html={section.html}
        className={heading ? 'mt-5' : 'dropcap pt-8'}
        renderTemplate={renderPrompt && ((quoted) => renderPrompt(section.id, quoted))}
      />
      <TradeExample examples={section.examplesHtml} franchiseType={franchiseType} />
      {renderActions?.({ kind: 'section', id: section.id, title: heading || title || '' })}
    </>
  )
  return (
    <>
      {heading && <p className="mt-1 text-sm text-muted tabular-nums">{facts.filter(Boolean).join(' · ')}</p>}
      {frameText ? frameText(section, text) : text}
    </>
  )
}
