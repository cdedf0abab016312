import { alwaysStaleQuery, fieldQuery } from '#client/lib/calls.ts'
import { adminSitePageCall, adminSitePagesCall } from '#shared/contracts/publishing/site-pages.ts'

export const sitePagesQuery = fieldQuery(['admin-site-pages'], adminSitePagesCall, {}, 'items', { staleTime: 0 })

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
