import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { readerValueQuery } from '#client/features/reader/tries/tries.api.ts'
import { ValueStatement } from '#client/features/reader/tries/value-statement.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { Skeleton, SkeletonText } from '#client/ui/skeleton.tsx'

export function Component() {
  const [search] = useSearchParams()
  const asked = search.get('year') ?? ''
  const year = /^2\d{3}$/.test(asked) ? Number(asked) : new Date().getFullYear()
  const value = useQuery(readerValueQuery(year))
  return (
    <>
      <PageHeading
        title={`Your ${year}`}
        lede="What you tried, the time it saved, and what you paid."
        aside={value.data && <Years {...value.data} />}
      />
      {value.isLoadingError && <LoadError what="your year" query={value} />}
      {value.isPending && (
        <LoadingPlaceholder>
          <Skeleton className="mt-6 h-60 sm:h-44" />
          <SkeletonText lines={5} height="h-12" className="pt-8" />
        </LoadingPlaceholder>
      )}
      {value.data && <ValueStatement value={value.data} />}
    </>
  )
}

function Years({ year, firstYear, thisYear }: { year: number; firstYear: number; thisYear: number }) {
  const style = 'text-link inline-flex min-h-11 items-center gap-1 tabular-nums'
  return (
    <nav aria-label="Years" className="flex gap-6 print:hidden">
      {year > firstYear && (
        <Link to={`?year=${year - 1}`} className={style}>
          <ChevronLeft aria-hidden className="size-5" strokeWidth={1.75} />
          {year - 1}
        </Link>
      )}
      {year < thisYear && (
        <Link to={`?year=${year + 1}`} className={style}>
          {year + 1}
          <ChevronRight aria-hidden className="size-5" strokeWidth={1.75} />
        </Link>
      )}
    </nav>
  )
}
