import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import { useEffect } from 'react'
import { startHereQuery } from '#client/features/publishing/content-pages/content-pages.api.ts'
import { StartPath } from '#client/features/publishing/content-pages/start-path.tsx'
import { TextSkeleton } from '#client/features/publishing/content-pages/text-skeleton.tsx'
import { recordFirstWeek } from '#client/features/reader/first-week/record-first-week.ts'
import { completeFirstWeekStep } from '#client/lib/item-marks.ts'
import { Button } from '#client/ui/button.tsx'
import { LastChecked } from '#client/ui/last-checked.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { printElement } from '#client/ui/print-element.ts'
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
      {startHere.isLoadingError && <LoadError what="this page" query={startHere} />}
      {startHere.isPending && (
        <LoadingPlaceholder>
          <TextSkeleton />
        </LoadingPlaceholder>
      )}
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
