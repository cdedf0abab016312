import { Check, ExternalLink, TriangleAlert } from 'lucide-react'
import { ButtonAnchor } from '#client/ui/button-link.tsx'
import type { Tool } from '#shared/contracts/library.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { Rating } from './rating.tsx'

export function ToolItem({ tool }: { tool: Tool }) {
  return (
    <li className="border-b border-line py-8 sm:py-10 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-12">
      <header className="lg:pt-1">
        <h2 className="display text-2xl">{tool.name}</h2>
        <p className="text-sm text-muted">{tool.category}</p>
        {tool.testedOn && (
          <p className="text-sm text-muted tabular-nums">
            Tested on <time dateTime={tool.testedOn}>{formatDay(tool.testedOn)}</time>
          </p>
        )}
      </header>
      <div className="mt-3 lg:mt-0">
        <p className="display max-w-[46ch] text-xl font-[440] text-pretty">{tool.verdict}</p>
        {tool.rating !== null && (
          <div className="mt-3">
            <Rating rating={tool.rating} />
          </div>
        )}
        <p className="mt-5 measure text-muted">{tool.description}</p>
        <div className="mt-5 measure border-l-3 border-primary bg-sunken px-4 py-3">
          <h3 className="text-sm font-semibold">Use case</h3>
          <p className="mt-1 text-sm leading-relaxed">{tool.useCase}</p>
        </div>
        <div className="mt-6 grid gap-6 sm:grid-cols-2 sm:gap-8">
          <Points title="Good for" icon={Check} tone="text-primary" points={tool.goodFor} />
          <Points title="Watch out" icon={TriangleAlert} tone="text-accent-ink" points={tool.watchOut} />
        </div>
        <ButtonAnchor
          href={tool.url}
          target="_blank"
          rel="noopener noreferrer"
          variant="secondary"
          className="mt-6 w-full sm:w-auto"
        >
          Visit {tool.name}
          <ExternalLink aria-hidden className="size-4" strokeWidth={1.75} />
          <span className="sr-only">(opens in a new tab)</span>
        </ButtonAnchor>
      </div>
    </li>
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
