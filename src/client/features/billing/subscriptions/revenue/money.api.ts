import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import {
  adminCancellationsCall,
  adminCohortsCall,
  adminRetentionOffersCall,
  adminRevenueByTradeCall,
} from '#shared/contracts/billing/admin-money.ts'
import { adminSourcesCall } from '#shared/contracts/publishing/sources.ts'

export const cohortsQuery = (currency: string | null) =>
  queryOptions({
    queryKey: ['admin-cohorts', currency],
    queryFn: ({ signal }) => invoke(adminCohortsCall, { currency }, signal),
  })

export const revenueByTradeQuery = (currency: string | null) =>
  queryOptions({
    queryKey: ['admin-revenue-by-trade', currency],
    queryFn: ({ signal }) => invoke(adminRevenueByTradeCall, { currency }, signal),
  })

export const retentionOffersQuery = queryOptions({
  queryKey: ['admin-retention-offers'],
  queryFn: ({ signal }) => invoke(adminRetentionOffersCall, {}, signal),
  staleTime: 0,
})

export const cancellationsQuery = infiniteQueryOptions({
  queryKey: ['admin-cancellations'],
  queryFn: ({ pageParam, signal }) => invoke(adminCancellationsCall, { cursor: pageParam }, signal),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
  staleTime: 0,
})

export const sourcesQuery = (days: 7 | 30 | 90) =>
  queryOptions({
    queryKey: ['admin-sources', days],
    queryFn: ({ signal }) => invoke(adminSourcesCall, { days }, signal),
    staleTime: 0,
  })
