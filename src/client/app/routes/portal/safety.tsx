import { useQuery } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import { safetyQuery } from '#client/features/publishing/content-pages/content-pages.api.ts'
import { TextSkeleton } from '#client/features/publishing/content-pages/text-skeleton.tsx'
import { queryClient } from '#client/lib/query-client.ts'
import { Button } from '#client/ui/button.tsx'
import { LastChecked } from '#client/ui/last-checked.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import { TrustedHtml } from '#client/ui/trusted-html.tsx'
import type { Safety } from '#shared/contracts/publishing/content-pages.ts'

export function loader() {
  void queryClient.prefetchQuery(safetyQuery)
  return null
}

export function Component() {
  const safety = useQuery(safetyQuery)
  return (
    <>
      <PageHeading title={safety.data?.title ?? 'Safety rules'} />
      {!safety.data && <QueryPlaceholder query={safety} what="the safety rules" skeleton={<TextSkeleton />} />}
      {safety.data && (
        <>
          <SafetyRules safety={safety.data} />
          <div className="mt-8 border-t border-line pt-6 print:mt-1 print:border-0 print:pt-0">
            <LastChecked on={safety.data.checkedOn} />
          </div>
        </>
      )}
    </>
  )
}

/** Prints on one sheet: without the reasons, and the rest in two columns. */
function SafetyRules({ safety }: { safety: Safety }) {
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4 pt-6">
        <TrustedHtml html={safety.introHtml} className="text-base leading-relaxed print:max-w-none print:text-xs" />
        <Button variant="secondary" className="print:hidden" onClick={() => window.print()}>
          <Printer aria-hidden className="size-5" strokeWidth={1.75} />
          Print one sheet
        </Button>
      </div>
      <ol className="mt-6 border-t border-line print:mt-3">
        {safety.never.map(({ id, rule, whyHtml, exceptionHtml }, index) => (
          <li
            key={id}
            id={id}
            className="grid grid-cols-[2.5rem_minmax(0,1fr)] border-b border-line py-5 sm:grid-cols-[4rem_minmax(0,1fr)] print:grid-cols-[2rem_minmax(0,1fr)] print:py-1"
          >
            <span aria-hidden className="display text-2xl text-danger tabular-nums print:text-lg">
              {index + 1}
            </span>
            <div className="lg:grid lg:grid-cols-2 lg:gap-12 print:block">
              <h2 className="text-lg font-semibold print:text-base">{rule}</h2>
              <div className="mt-2 lg:mt-0 print:mt-0">
                <TrustedHtml html={whyHtml} className="text-base leading-relaxed text-muted print:hidden" />
                {exceptionHtml && (
                  <div className="mt-2 flex flex-wrap gap-x-2 print:mt-0 print:text-xs">
                    <strong className="font-semibold text-accent-ink">Exception</strong>
                    <TrustedHtml html={exceptionHtml} className="text-base leading-normal print:text-xs" />
                  </div>
                )}
              </div>
            </div>
          </li>
        ))}
      </ol>
      <div className="print:mt-2 print:columns-2 print:gap-8">
        <Part title="What may go in" html={safety.mayGoInHtml} />
        <Part title="Decisions about people" html={safety.decisionsHtml} />
        <Part title="Incidents and reviews" html={safety.incidentsHtml} />
      </div>
    </>
  )
}

function Part({ title, html }: { title: ReactNode; html: string }) {
  return (
    <section className="border-b border-line py-8 last:border-0 lg:grid lg:grid-cols-[18rem_minmax(0,1fr)] lg:gap-12 print:block print:border-0 print:py-0.5">
      <h2 className="display text-xl print:text-base">{title}</h2>
      <TrustedHtml
        html={html}
        className="mt-3 text-base leading-relaxed lg:mt-0 print:mt-0.5 print:text-xs print:leading-snug print:[&_li]:mt-0 print:[&>*]:mt-1"
      />
    </section>
  )
}
