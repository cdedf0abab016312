import { alwaysStaleQuery, pagedQuery } from '#client/lib/calls.ts'
import {
  adminPreviewSeriesCall,
  adminSeriesCall,
  adminSeriesListCall,
  adminSeriesMembersCall,
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
