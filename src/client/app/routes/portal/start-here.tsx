import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import { useEffect } from 'react'
import { startHereQuery } from '#client/features/publishing/content-pages/content-pages.api.ts'
import { TextSkeleton } from '#client/features/publishing/content-pages/text-skeleton.tsx'
import { recordFirstWeek } from '#client/features/reader/first-week/record-first-week.ts'
import { completeFirstWeekStep } from '#client/lib/item-marks.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { CopyableHtml } from '#client/ui/copyable-html.tsx'
import { LastChecked } from '#client/ui/last-checked.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import { printElement } from '#client/ui/print-element.ts'
import { useScrollToAnchor } from '#client/ui/use-scroll-to-anchor.ts'
import type { StartHere } from '#shared/contracts/publishing/content-pages.ts'
import { formatDuration } from '#shared/domain/format.ts'
import { prefetchContent } from './prefetch-content.ts'

const recordAfterMs = 2_000

export const loader = prefetchContent((client) => [client.prefetchQuery(startHereQuery)])

export function Component() {
  const startHere = useQuery(startHereQuery)
  const isLoaded = startHere.isSuccess
  const client = useQueryClient()
  useEffect(() => {
    if (!isLoaded) return
    let isRecorded = false
    const record = () => {
      if (isRecorded) return
      isRecorded = true
      completeFirstWeekStep(client, 'start-page')
      void recordFirstWeek('start-page')
    }
    // After the page has loaded, or when it is left.
    const timer = setTimeout(record, recordAfterMs)
    return () => {
      clearTimeout(timer)
      record()
    }
  }, [client, isLoaded])
  return (
    <>
      <PageHeading
        title="Start here"
        aside={
          <Button variant="secondary" size="sm" className="print:hidden" onClick={() => printElement(null)}>
            <Printer aria-hidden className="size-4" strokeWidth={1.75} />
            Print the checklist
          </Button>
        }
      />
      {!startHere.data && <QueryPlaceholder query={startHere} what="this page" skeleton={<TextSkeleton />} />}
      {startHere.data && (
        <>
          <StartPath startHere={startHere.data} />
          <div className="mt-12 border-t border-line pt-6">
            <LastChecked on={startHere.data.checkedOn} />
          </div>
        </>
      )}
    </>
  )
}

function StartPath({ startHere: { introHtml, win, policy, pilot } }: { startHere: StartHere }) {
  useScrollToAnchor()
  const steps = [
    { id: 'win', ...win },
    { id: 'policy', ...policy },
    { id: 'pilot', ...pilot },
  ]
  return (
    <>
      <div className="gap-16 pt-6 pb-2 lg:grid lg:grid-cols-[minmax(0,1fr)_24rem] lg:pt-8">
        <CopyableHtml html={introHtml} />
        <ol aria-label="Steps" className="mt-6 self-start border-t border-line lg:mt-0 print:hidden">
          {steps.map(({ id, title, minutes }, index) => (
            <li key={id} className="border-b border-line">
              <a href={`#${id}`} className="group flex min-h-11 items-center gap-3 py-2">
                <span aria-hidden className="w-4 font-semibold text-accent-ink tabular-nums">
                  {index + 1}
                </span>
                <span className="grow group-hover:text-primary group-hover:underline">{title}</span>
                <span className="shrink-0 text-sm text-muted tabular-nums">{formatDuration(minutes)}</span>
              </a>
            </li>
          ))}
        </ol>
      </div>
      {steps.map((step, index) => (
        <section
          key={step.id}
          id={step.id}
          aria-labelledby={`${step.id}-title`}
          className="mt-8 border-t border-ink pt-8 lg:grid lg:grid-cols-[10rem_minmax(0,1fr)] print:mt-4 print:grid print:grid-cols-[2rem_minmax(0,1fr)] print:pt-4"
        >
          <p aria-hidden className="display text-4xl text-accent-ink tabular-nums lg:text-5xl print:text-2xl">
            <span className="mt-1 hidden size-5 border-2 border-ink print:block" />
            <span className="print:hidden">{index + 1}</span>
          </p>
          <div>
            <h2 id={`${step.id}-title`} className="display mt-2 text-2xl lg:mt-0 lg:text-3xl">
              {step.title}
            </h2>
            <p className="mt-1 text-sm text-muted tabular-nums">{formatDuration(step.minutes)}</p>
            <CopyableHtml html={step.html} className="mt-5" />
            <ButtonLink to={step.link.path} className="mt-6 max-sm:w-full print:hidden">
              {step.link.label}
            </ButtonLink>
          </div>
        </section>
      ))}
    </>
  )
}
