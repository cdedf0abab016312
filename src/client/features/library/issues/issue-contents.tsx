import { Check, ChevronDown } from 'lucide-react'
import { Link } from 'react-router'
import { ownWords } from '#client/lib/publication.ts'
import { sectionKindLabels } from '#shared/domain/section-kinds.ts'
import type { IssueUnit, OrderedSection } from './order-sections.ts'

/** The table of contents: open beside the text, and folded above it on narrow screens. */
type IssueContentsProps = { units: readonly IssueUnit[]; readSections: ReadonlySet<string> }

export function IssueContents({ units, readSections }: IssueContentsProps) {
  return (
    <nav
      aria-label={ownWords`In this drop`}
      className="lg:col-start-1 lg:row-span-2 lg:row-start-1 lg:pt-8 print:hidden"
    >
      <details className="group border-b border-line lg:hidden">
        <summary className="flex min-h-14 list-none items-center justify-between gap-4 py-2 font-semibold">
          <span>
            {ownWords`In this drop`}
            <span className="block text-sm font-normal text-muted">{describe(units)}</span>
          </span>
          <ChevronDown
            aria-hidden
            className="size-5 shrink-0 text-muted transition-transform group-open:rotate-180"
            strokeWidth={1.75}
          />
        </summary>
        <ContentsList units={units} readSections={readSections} />
      </details>
      <div className="hidden lg:sticky lg:top-6 lg:block lg:max-h-[calc(100dvh-3rem)] lg:overflow-y-auto">
        <p className="pb-2 text-sm font-semibold">{ownWords`In this drop`}</p>
        <ContentsList units={units} readSections={readSections} />
      </div>
    </nav>
  )
}

function describe(units: readonly IssueUnit[]): string {
  const lead = units.find(([first]) => first.partOfLead)?.length ?? 0
  const items = units.filter(([first]) => !first.partOfLead && first.heading).length
  const parts = [count(lead, 'step'), count(items, lead > 0 ? 'short item' : 'section')]
  return parts.filter((part) => part !== null).join(', ')
}

const count = (amount: number, noun: string) => (amount === 0 ? null : `${amount} ${amount === 1 ? noun : `${noun}s`}`)

function ContentsList({ units, readSections }: IssueContentsProps) {
  return (
    <ol className="pb-4 text-sm">
      {units.map((unit) => {
        const [first] = unit
        if (!first.heading) return null
        return (
          <li key={first.anchor} className="border-t border-line">
            {first.partOfLead ? (
              <>
                <p className="pt-2.5 text-xs font-semibold text-accent-ink">Step by step</p>
                <ol className="pb-1">
                  {unit.map((step, index) => (
                    <li key={step.anchor}>
                      <ContentsLink section={step} number={index + 1} isRead={readSections.has(step.id)} />
                    </li>
                  ))}
                </ol>
              </>
            ) : (
              <ContentsLink section={first} isRead={readSections.has(first.id)} />
            )}
          </li>
        )
      })}
    </ol>
  )
}

type ContentsLinkProps = { section: OrderedSection; number?: number; isRead: boolean }

function ContentsLink({ section, number, isRead }: ContentsLinkProps) {
  return (
    <Link to={{ hash: section.anchor }} className="group/link flex min-h-11 items-baseline gap-2.5 py-2 leading-snug">
      {number !== undefined && <span className="display w-3 shrink-0 text-muted tabular-nums">{number}</span>}
      <span className="min-w-0 grow">
        {section.kind && <span className="block text-xs text-muted">{sectionKindLabels[section.kind]}</span>}
        <span className="group-hover/link:text-primary group-hover/link:underline group-hover/link:underline-offset-4">
          {section.heading}
        </span>
      </span>
      {/* The same width, so that no line wraps differently. */}
      <span className="inline-flex min-w-12 shrink-0 justify-end text-xs text-muted tabular-nums">
        {isRead ? (
          <>
            <Check aria-hidden className="size-4 text-success" strokeWidth={2.25} />
            <span className="sr-only">Read</span>
          </>
        ) : (
          `${section.minutes} min`
        )}
      </span>
    </Link>
  )
}
