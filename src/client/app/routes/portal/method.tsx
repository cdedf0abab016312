import { useQuery } from '@tanstack/react-query'
import { methodQuery } from '#client/features/publishing/content-pages/content-pages.api.ts'
import { TextSkeleton } from '#client/features/publishing/content-pages/text-skeleton.tsx'
import { queryClient } from '#client/lib/query-client.ts'
import { LastChecked } from '#client/ui/last-checked.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import { TrustedHtml } from '#client/ui/trusted-html.tsx'
import type { Method as MethodPage } from '#shared/contracts/publishing/content-pages.ts'

export function loader() {
  void queryClient.prefetchQuery(methodQuery)
  return null
}

export function Component() {
  const method = useQuery(methodQuery)
  return (
    <>
      <PageHeading title={method.data?.title ?? 'How we choose, rate and check'} />
      {!method.data && <QueryPlaceholder query={method} what="this page" skeleton={<TextSkeleton />} />}
      {method.data && (
        <>
          <Method method={method.data} />
          <div className="mt-8 border-t border-line pt-6 print:mt-2 print:pt-2">
            <LastChecked on={method.data.checkedOn} />
          </div>
        </>
      )}
    </>
  )
}

function Method({ method }: { method: MethodPage }) {
  return (
    <div className="gap-16 pt-8 lg:grid lg:grid-cols-[minmax(0,1fr)_22rem]">
      <TrustedHtml html={method.html} />
      <section aria-labelledby="criteria" className="mt-12 self-start lg:mt-0">
        <h2 id="criteria" className="display border-b-2 border-ink pb-2 text-xl">
          What we look at in a tool
        </h2>
        <dl>
          {method.criteria.map(({ key, title, html }) => (
            <div key={key} className="border-b border-line py-4">
              <dt className="font-semibold">{title}</dt>
              <dd>
                <TrustedHtml html={html} className="mt-1 text-base leading-normal" />
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  )
}
