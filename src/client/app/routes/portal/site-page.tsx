import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { type LoaderFunctionArgs, useParams } from 'react-router'
import { TextSkeleton } from '#client/features/publishing/content-pages/text-skeleton.tsx'
import { callQuery } from '#client/lib/calls.ts'
import { CallError } from '#client/lib/error-message.ts'
import { publication } from '#client/lib/publication.ts'
import { queryClient } from '#client/lib/query-client.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import { TrustedHtml } from '#client/ui/trusted-html.tsx'
import { usePageTitle } from '#client/ui/use-page-title.ts'
import { sitePageCall } from '#shared/contracts/publishing/site-pages.ts'

const CaseForm = lazy(() => import('#client/features/reader/feedback/case-form.tsx'))
/** The page of content/cases.yaml ends with the form. */
const casesPath = 'cases'

export function loader({ params: { path = '' } }: LoaderFunctionArgs) {
  void queryClient.prefetchQuery(memberPageQuery(path))
  return null
}

/** A page that the publisher added. */
export function Component() {
  const { path = '' } = useParams()
  const page = useQuery(memberPageQuery(path))
  usePageTitle(page.data?.title)
  if (page.error instanceof CallError && page.error.code === 'not_found') {
    return (
      <EmptyState
        title="This page doesn’t exist anymore"
        action={<ButtonLink to="/portal">{publication.labels.goToPortal}</ButtonLink>}
      >
        It was removed or hasn’t been published yet.
      </EmptyState>
    )
  }
  return (
    <>
      <PageHeading title={page.data?.title ?? ' '} />
      {!page.data && <QueryPlaceholder query={page} what="this page" skeleton={<TextSkeleton />} />}
      {page.data && <TrustedHtml html={page.data.html} className="pt-8" />}
      {page.data && path === casesPath && (
        <Suspense>
          <CaseForm />
        </Suspense>
      )}
    </>
  )
}

/** A page of the publisher, as members read it. */
const memberPageQuery = (path: string) => callQuery(['site-page', path], sitePageCall, { path })
