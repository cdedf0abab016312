import { callQuery } from '#client/lib/call-query.ts'
import { sitePageCall } from '#shared/contracts/publishing/site-pages.ts'

/** A page of the publisher, as members read it. */
export const memberPageQuery = (path: string) => callQuery(['site-page', path], sitePageCall, { path })
