import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import {
  adminCancellationsCall,
  adminCohortsCall,
  adminRevenueByTradeCall,
} from '#shared/contracts/billing/admin-money.ts'

export const cohortsQuery = queryOptions({
  queryKey: ['admin-cohorts'],
  queryFn: ({ signal }) => invoke(adminCohortsCall, {}, signal),
})

export const revenueByTradeQuery = queryOptions({
  queryKey: ['admin-revenue-by-trade'],
  queryFn: ({ signal }) => invoke(adminRevenueByTradeCall, {}, signal),
})

export const cancellationsQuery = infiniteQueryOptions({
  queryKey: ['admin-cancellations'],
  queryFn: ({ pageParam, signal }) => invoke(adminCancellationsCall, { cursor: pageParam }, signal),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
  staleTime: 0,
})
