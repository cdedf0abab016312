import { Check, Download, ExternalLink, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { RenderItem } from '#client/lib/item-marks.ts'
import { Button } from '#client/ui/button.tsx'
import { ButtonAnchor } from '#client/ui/button-link.tsx'
import type { Tool } from '#shared/contracts/library.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { Rating } from './rating.tsx'
import { ToolCriteria } from './tool-criteria.tsx'
import { useDownloadTestSheet } from './tools.api.ts'

type ToolItemProps = {
  tool: Tool
  renderActions?: RenderItem
  /** Below the verdict. */
  notice?: ReactNode
}

export function ToolItem({ tool, renderActions, notice }: ToolItemProps) {
  return (
    <li className="border-b border-line py-8 sm:py-10 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-x-12">
      <header className="lg:pt-1">
        <h2 id={tool.id} tabIndex={-1} className="display scroll-mt-6 text-2xl">
          {tool.name}
        </h2>
        <p className="text-sm text-muted">{tool.category}</p>
      </header>
      <p className="display mt-3 max-w-[46ch] text-xl font-[440] text-pretty lg:mt-0">{tool.verdict}</p>
      <Facts tool={tool} />
      <div className="mt-4 lg:mt-5">
        {notice}
        <p className="measure text-muted">{tool.description}</p>
        <ToolCriteria tool={tool} />
        {tool.skipIf && (
          <div className="mt-6">
            <h3 className="text-sm font-semibold">Who should skip it</h3>
            <p className="mt-1 measure text-sm">{tool.skipIf}</p>
          </div>
        )}
        <div className="mt-6 grid gap-6 sm:grid-cols-2 sm:gap-8">
          <Points title="Good for" icon={Check} tone="text-primary" points={tool.goodFor} />
          <Points title="Watch out" icon={TriangleAlert} tone="text-accent-ink" points={tool.watchOut} />
        </div>
        <div className="mt-6 measure border-l-3 border-primary bg-sunken px-4 py-3">
          <h3 className="text-sm font-semibold">Use case</h3>
          <p className="mt-1 text-sm leading-relaxed">{tool.useCase}</p>
        </div>
        <div className="mt-6 flex flex-wrap items-center gap-3">
          <ButtonAnchor
            href={tool.url}
            target="_blank"
            rel="noopener noreferrer"
            variant="secondary"
            className="w-full sm:w-auto"
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

/** Price and dates, without the ones that aren't known. Beside the description on wide screens. */
function Facts({ tool }: { tool: Tool }) {
  return (
    <dl className="mt-4 grid content-start gap-y-3 text-sm lg:mt-5">
      {tool.priceNote && (
        <div>
          <dt className="font-semibold">Price</dt>
          <dd className="measure">{tool.priceNote}</dd>
        </div>
      )}
      {tool.checkedOn && <DateFact name="Last checked" day={tool.checkedOn} />}
      {tool.testedOn && <DateFact name="Tested on" day={tool.testedOn} />}
    </dl>
  )
}

const DateFact = ({ name, day }: { name: string; day: string }) => (
  <div className="flex flex-wrap gap-x-2 lg:block">
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
      className="w-full sm:w-auto"
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
