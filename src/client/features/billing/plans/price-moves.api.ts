import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { useInvalidate } from '#client/lib/use-invalidate.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  adminCancelPriceMoveCall,
  adminPriceMoveCall,
  adminStartPriceMoveCall,
  type PriceMove,
  type PriceMovePreview,
} from '#shared/contracts/billing/price-moves.ts'
import { storedPlansQuery } from './plans.api.ts'

const pollMs = 1_500

/** Returns true while the server emails members or changes prices. */
export const isAtWork = (move: PriceMove | null | undefined): boolean =>
  move?.status === 'announcing' || move?.status === 'moving' || move?.status === 'canceling'

const keyOf = (plan: string) => ['admin-price-move', plan]

export const priceMoveQuery = (plan: string, noticeDays: number) =>
  queryOptions({
    queryKey: [...keyOf(plan), noticeDays],
    queryFn: ({ signal }) => invoke(adminPriceMoveCall, { plan, noticeDays }, signal),
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (isAtWork(state.data?.move) ? pollMs : false),
  })

const useAnswer = (plan: string) => useInvalidate(keyOf(plan), storedPlansQuery.queryKey)

export const useStartPriceMove = (plan: string) =>
  useSensitiveMutation({
    mutationFn: (start: Pick<PriceMovePreview, 'version' | 'totals'> & { noticeDays: number; requestId: string }) =>
      invoke(adminStartPriceMoveCall, { plan, ...start }),
    onSuccess: useAnswer(plan),
  })

export const useCancelPriceMove = (plan: string) =>
  useSensitiveMutation({
    mutationFn: (id: string) => invoke(adminCancelPriceMoveCall, { id }),
    failure: 'We couldn’t cancel this',
    onSuccess: useAnswer(plan),
  })
