import { alwaysStaleQuery, invoke, pagedQuery } from '#client/lib/calls.ts'
import { useInvalidate, useSensitiveMutation } from '#client/lib/changes.ts'
import {
  adminPreviewSeriesCall,
  adminSaveSeriesCall,
  adminSeriesCall,
  adminSeriesListCall,
  adminSeriesMembersCall,
  type SeriesDraft,
  type SeriesMembersQuery,
} from '#shared/contracts/operations/series.ts'

const allSeries = ['admin-series']

export const seriesListQuery = alwaysStaleQuery([...allSeries, 'list'], adminSeriesListCall, {})

export const seriesQuery = (id: string) => alwaysStaleQuery([...allSeries, 'one', id], adminSeriesCall, { id })

export const seriesMembersQuery = (id: string, of: SeriesMembersQuery['of']) =>
  pagedQuery([...allSeries, 'members', id, of], adminSeriesMembersCall, { id, of })

/** Previews the saved version. */
export const seriesPreviewQuery = (id: string, version: number, userId: string) =>
  alwaysStaleQuery([...allSeries, 'preview', id, version, userId], adminPreviewSeriesCall, { id, userId })

const useRefresh = () => useInvalidate(allSeries)

export function useSaveSeries() {
  const onSuccess = useRefresh()
  return useSensitiveMutation({ mutationFn: (draft: SeriesDraft) => invoke(adminSaveSeriesCall, draft), onSuccess })
}
