import { queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { sitePageCall } from '#shared/contracts/publishing/site-pages.ts'

/** A page of the publisher, as members read it. */
export const memberPageQuery = (path: string) =>
  queryOptions({
    queryKey: ['site-page', path],
    queryFn: ({ signal }) => invoke(sitePageCall, { path }, signal),
  })
