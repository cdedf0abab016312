import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  adminDeleteSeriesCall,
  adminPreviewSeriesCall,
  adminSaveSeriesCall,
  adminSeriesCall,
  adminSeriesListCall,
  adminSeriesMembersCall,
  adminSetSeriesStatusCall,
  type SeriesDraft,
  type SeriesMembersQuery,
} from '#shared/contracts/operations/series.ts'

const allSeries = ['admin-series']

export const seriesListQuery = queryOptions({
  queryKey: [...allSeries, 'list'],
  queryFn: ({ signal }) => invoke(adminSeriesListCall, {}, signal),
  staleTime: 0,
})

export const seriesQuery = (id: string) =>
  queryOptions({
    queryKey: [...allSeries, 'one', id],
    queryFn: ({ signal }) => invoke(adminSeriesCall, { id }, signal),
    staleTime: 0,
  })

export const seriesMembersQuery = (id: string, of: SeriesMembersQuery['of']) =>
  infiniteQueryOptions({
    queryKey: [...allSeries, 'members', id, of],
    queryFn: ({ pageParam, signal }) => invoke(adminSeriesMembersCall, { id, of, cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  })

/** Of the saved version. */
export const seriesPreviewQuery = (id: string, version: number, userId: string) =>
  queryOptions({
    queryKey: [...allSeries, 'preview', id, version, userId],
    queryFn: ({ signal }) => invoke(adminPreviewSeriesCall, { id, userId }, signal),
    staleTime: 0,
  })

function useRefresh() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: allSeries })
}

export function useSaveSeries() {
  const onSuccess = useRefresh()
  return useMutation({ mutationFn: (draft: SeriesDraft) => invoke(adminSaveSeriesCall, draft), onSuccess })
}

export function useSetSeriesStatus(id: string) {
  const onSuccess = useRefresh()
  return useSensitiveMutation({
    mutationFn: (wanted: { version: number; status: 'on' | 'paused' }) =>
      invoke(adminSetSeriesStatusCall, { id, ...wanted }),
    onSuccess,
  })
}

export function useDeleteSeries() {
  const onSuccess = useRefresh()
  return useMutation({ mutationFn: (id: string) => invoke(adminDeleteSeriesCall, { id }), onSuccess })
}
