import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ContactLink } from '#client/features/publishing/trust-pages/editor.tsx'
import { trustPagesQuery } from '#client/features/publishing/trust-pages/trust-pages.api.ts'
import { queryClient } from '#client/lib/query-client.ts'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import type { TrustPages } from '#shared/contracts/publishing/trust-pages.ts'
import { formatDay } from '#shared/domain/format.ts'

export function loader() {
  void queryClient.prefetchQuery(trustPagesQuery)
  return null
}

export function Component() {
  const pages = useQuery(trustPagesQuery)
  return (
    <>
      <PageHeading title="Corrections" lede="What we got wrong, what it says now, and when we fixed it." />
      {!pages.data && (
        <QueryPlaceholder query={pages} what="this page" lines={3} height="h-7" className="measure pt-8" />
      )}
      {pages.data && <CorrectionList {...pages.data} />}
    </>
  )
}

function CorrectionList({ corrections, contact }: Pick<TrustPages, 'corrections' | 'contact'>) {
  return (
    <>
      {corrections.length === 0 ? (
        <p className="border-b border-line py-10 text-lg">No corrections so far.</p>
      ) : (
        <ol>
          {corrections.map(({ date, where, path, change }, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes on the page
              key={index}
              className="border-b border-line py-6 sm:grid sm:grid-cols-[9.5rem_minmax(0,1fr)] sm:gap-8"
            >
              <p className="text-sm text-muted tabular-nums sm:pt-1">
                <time dateTime={date}>{formatDay(date)}</time>
              </p>
              <div className="mt-1 sm:mt-0">
                <h2 className="text-lg font-semibold">
                  {path ? (
                    <Link to={path} className="text-link">
                      {where}
                    </Link>
                  ) : (
                    where
                  )}
                </h2>
                <p className="mt-1 measure whitespace-pre-line">{change}</p>
              </div>
            </li>
          ))}
        </ol>
      )}
      <div className="measure pt-8">
        <h2 className="display text-xl">Found a mistake?</h2>
        <p className="mt-2 text-lg">
          Write to <ContactLink to={contact} className="-my-2.5" />. Name the page and the sentence. We correct the page
          itself and list the correction here with its date.
        </p>
      </div>
    </>
  )
}
