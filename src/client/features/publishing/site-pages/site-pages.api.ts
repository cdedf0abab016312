import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { CallError, invoke } from '#client/lib/invoke.ts'
import { toast } from '#client/lib/toast.ts'
import { useInvalidate } from '#client/lib/use-invalidate.ts'
import {
  adminDeleteSitePageCall,
  adminSaveSitePageCall,
  adminSitePageCall,
  adminSitePagesCall,
  type SitePage,
  type SitePageInput,
} from '#shared/contracts/publishing/site-pages.ts'

export const sitePagesQuery = queryOptions({
  queryKey: ['admin-site-pages'],
  queryFn: async ({ signal }) => (await invoke(adminSitePagesCall, {}, signal)).items,
  staleTime: 0,
})

export const sitePageQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin-site-page', id],
    queryFn: ({ signal }) => invoke(adminSitePageCall, { id }, signal),
    staleTime: 0,
    // A page that is being edited isn't replaced below the cursor.
    refetchOnWindowFocus: false,
  })

export function useSaveSitePage() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (page: SitePageInput) => invoke(adminSaveSitePageCall, page),
    onSuccess: (saved) => {
      toast.success('Page saved', { id: 'page-saved' })
      queryClient.setQueryData(sitePageQuery(saved.id).queryKey, saved)
      return queryClient.invalidateQueries({ queryKey: sitePagesQuery.queryKey })
    },
  })
}

export const useDeleteSitePage = () =>
  useMutation({
    mutationFn: (id: string) => invoke(adminDeleteSitePageCall, { id }),
    onSuccess: useInvalidate(sitePagesQuery.queryKey),
  })

/** The newer page, if someone else saved it meanwhile. */
export function conflictOf(error: Error | null): SitePage | null {
  if (!(error instanceof CallError) || error.code !== 'edit_conflict') return null
  return (error.body as { current?: SitePage }).current ?? null
}

/** Mistakes by field. */
export function problemsOf(error: Error | null): Readonly<Record<string, string>> {
  if (!(error instanceof CallError) || error.code !== 'validation_failed') return {}
  return (error.body as { problems?: Record<string, string> }).problems ?? {}
}
