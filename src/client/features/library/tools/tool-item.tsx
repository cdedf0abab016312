import { clsx } from 'clsx'
import { Check, ChevronRight, Download, ExternalLink, TriangleAlert } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { RenderItem } from '#client/lib/item-marks.ts'
import { Button, ButtonAnchor } from '#client/ui/button.tsx'
import type { Tool } from '#shared/contracts/library/library.ts'
import { toolCriteria, toolCriterionLabels } from '#shared/domain/content-labels.ts'
import { splitFirstSentence } from '#shared/domain/first-sentence.ts'
import { formatDay } from '#shared/domain/format.ts'
import { Rating } from './rating.tsx'
import { useDownloadTestSheet } from './tools.api.ts'

type ToolItemProps = {
  tool: Tool
  renderActions?: RenderItem
  /** Below the verdict. */
  notice?: ReactNode
}

/** The verdict, and beside it what decides: price, who should skip it, and how old that is. The rest is folded on a phone. */
export function ToolItem({ tool, renderActions, notice }: ToolItemProps) {
  return (
    <li className="border-t-2 border-ink pt-4 pb-8 sm:pt-6 sm:pb-12 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-x-12">
      <header className="flex flex-wrap items-baseline justify-between gap-x-4 lg:block">
        <h2 id={tool.id} tabIndex={-1} className="display scroll-mt-6 text-2xl">
          {tool.name}
        </h2>
        <p className="text-sm text-muted">{tool.category}</p>
      </header>
      <div className="min-w-0">
        <p className="display mt-2 max-w-[46ch] text-lg leading-snug font-[440] text-pretty sm:text-xl lg:mt-0.5">
          {tool.verdict}
        </p>
        <Facts tool={tool} />
        {notice}
        <PhoneFold title="What it does and what to watch out for" of={tool.name}>
          <p className="measure text-muted max-sm:text-sm">{tool.description}</p>
          <div className="mt-4 grid gap-4 sm:mt-6 sm:grid-cols-2 sm:gap-8">
            <Points title="Good for" icon={Check} tone="text-success" points={tool.goodFor} />
            <Points title="Watch out" icon={TriangleAlert} tone="text-accent-ink" points={tool.watchOut} />
          </div>
          <div className="mt-4 measure border-l-3 border-primary bg-sunken px-4 py-3 sm:mt-6">
            <h3 className="text-sm font-semibold">Use case</h3>
            <p className="mt-1 text-sm leading-relaxed">{tool.useCase}</p>
          </div>
        </PhoneFold>
        <ToolCriteria tool={tool} />
        <div className="mt-4 flex flex-wrap items-center gap-3 sm:mt-6">
          <ButtonAnchor
            href={tool.url}
            target="_blank"
            rel="noopener noreferrer"
            variant="secondary"
            className="grow sm:grow-0"
          >
            Visit {tool.name}
            <ExternalLink aria-hidden className="size-4" strokeWidth={1.75} />
            <span className="sr-only">(opens in a new tab)</span>
          </ButtonAnchor>
          {tool.hasTestSheet && <TestSheetButton tool={tool} />}
          <Rating rating={tool.rating} />
        </div>
        {renderActions?.({ kind: 'tool', id: tool.id, title: tool.name })}
      </div>
    </li>
  )
}

/** In the same place for each tool, so that tools can be compared. Unknown facts are left out. */
function Facts({ tool }: { tool: Tool }) {
  const { first, rest } = splitFirstSentence(tool.priceNote)
  return (
    <div className="my-4 grid gap-x-8 gap-y-3 border-y border-line py-3 text-sm sm:my-5 sm:grid-cols-[3fr_4fr_auto] sm:py-4">
      {tool.priceNote && (
        <dl>
          <dt className="font-semibold">Price</dt>
          <dd>
            <span className="font-medium">{first}</span>
            <span className="text-muted">{rest}</span>
          </dd>
        </dl>
      )}
      {(tool.checkedOn || tool.testedOn) && (
        <dl className="grid content-start gap-y-2 sm:order-3">
          {tool.checkedOn && <DateFact name="Last checked" day={tool.checkedOn} />}
          {tool.testedOn && <DateFact name="Tested on" day={tool.testedOn} />}
        </dl>
      )}
      {tool.skipIf && (
        <div className="sm:order-2">
          <h3 className="font-semibold">Who should skip it</h3>
          <p>{tool.skipIf}</p>
        </div>
      )}
    </div>
  )
}

const DateFact = ({ name, day }: { name: string; day: string }) => (
  <div className="max-sm:flex max-sm:flex-wrap max-sm:gap-x-2">
    <dt className="font-semibold">{name}</dt>
    <dd className="tabular-nums">
      <time dateTime={day}>{formatDay(day)}</time>
    </dd>
  </div>
)

function TestSheetButton({ tool }: { tool: Tool }) {
  const download = useDownloadTestSheet()
  return (
    <Button
      variant="secondary"
      pending={download.isPending}
      onClick={() => download.mutate(tool.id)}
      className="grow sm:grow-0"
    >
      <Download aria-hidden className="size-4" strokeWidth={1.75} />
      Download test sheet
      <span className="sr-only"> for {tool.name}</span>
    </Button>
  )
}

type PointsProps = { title: string; icon: typeof Check; tone: string; points: readonly string[] }

function Points({ title, icon: Icon, tone, points }: PointsProps) {
  return (
    <div>
      <h3 className="text-sm font-semibold">{title}</h3>
      <ul className="mt-1 text-sm">
        {points.map((point) => (
          <li key={point} className="flex gap-2 py-1">
            <Icon aria-hidden className={`mt-1 size-4 shrink-0 ${tone}`} strokeWidth={1.75} />
            {point}
          </li>
        ))}
      </ul>
    </div>
  )
}

const title = 'On our five criteria'

/** A line for each criterion that is known. */
function ToolCriteria({ tool }: { tool: Tool }) {
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

type PhoneFoldProps = {
  title: string
  /** Completes the accessible name: "On our five criteria for Jobber". */
  of: string
  className?: string
  children: ReactNode
}

/** On a phone the content is folded under its title. On wider screens it is open, without the title. */
function PhoneFold({ title, of, className, children }: PhoneFoldProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <div className={clsx('max-sm:border-b max-sm:border-line', className)}>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className="flex min-h-12 w-full items-center justify-between gap-3 text-left text-sm font-semibold sm:hidden"
      >
        {title}
        <span className="sr-only"> for {of}</span>
        <ChevronRight
          aria-hidden
          className={clsx('size-5 shrink-0 text-muted transition-transform', open && 'rotate-90')}
          strokeWidth={1.75}
        />
      </button>
      <div id={id} className={clsx('max-sm:pb-4', !open && 'max-sm:hidden')}>
        {children}
      </div>
    </div>
  )
}
