import { alwaysStaleQuery, callQuery } from '#client/lib/call-query.ts'
import { pagedQuery } from '#client/lib/paged-query.ts'
import {
  adminCancellationsCall,
  adminCohortsCall,
  adminRetentionOffersCall,
  adminRevenueByTradeCall,
} from '#shared/contracts/billing/admin-money.ts'
import { adminSourcesCall } from '#shared/contracts/publishing/sources.ts'

export const cohortsQuery = (currency: string | null) =>
  callQuery(['admin-cohorts', currency], adminCohortsCall, { currency })

export const revenueByTradeQuery = (currency: string | null) =>
  callQuery(['admin-revenue-by-trade', currency], adminRevenueByTradeCall, { currency })

export const retentionOffersQuery = alwaysStaleQuery(['admin-retention-offers'], adminRetentionOffersCall, {})

export const cancellationsQuery = pagedQuery(['admin-cancellations'], adminCancellationsCall, {})

export const sourcesQuery = (days: 7 | 30 | 90) => alwaysStaleQuery(['admin-sources', days], adminSourcesCall, { days })
