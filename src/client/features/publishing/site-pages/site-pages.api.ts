import { queryOptions } from '@tanstack/react-query'
import { alwaysStaleQuery, invoke } from '#client/lib/calls.ts'
import { adminSitePageCall, adminSitePagesCall } from '#shared/contracts/publishing/site-pages.ts'

export const sitePagesQuery = queryOptions({
  queryKey: ['admin-site-pages'],
  queryFn: async ({ signal }) => (await invoke(adminSitePagesCall, {}, signal)).items,
  staleTime: 0,
})

export const sitePageQuery = (id: string) =>
  alwaysStaleQuery(
    ['admin-site-page', id],
    adminSitePageCall,
    { id },
    {
      // A page that is being edited isn't replaced below the cursor.
      refetchOnWindowFocus: false,
    },
  )
