import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  adminDeliveriesCall,
  adminExportDeliveriesCall,
  adminResendUnknownCall,
  type DeliveryFilter,
} from '#shared/contracts/publishing/deliveries.ts'

const pageSize = 50

const deliveriesKey = (mailingId: string) => ['admin-deliveries', mailingId]

export const deliveriesQuery = (mailingId: string, filter: DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: [...deliveriesKey(mailingId), filter],
    queryFn: ({ pageParam, signal }) =>
      invoke(adminDeliveriesCall, { mailingId, ...filter, cursor: pageParam, limit: pageSize }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  })

/** Requests a download link and opens it, so that the browser streams the file to disk. */
export const useExportDeliveries = (mailingId: string) =>
  useSensitiveMutation({
    mutationFn: async (filter: DeliveryFilter) => {
      const { url } = await invoke(adminExportDeliveriesCall, { mailingId, ...filter })
      window.location.assign(url)
    },
  })

export function useResendUnknown(mailingId: string) {
  const queryClient = useQueryClient()
  return useSensitiveMutation({
    mutationFn: (deliveryIds: string[]) => invoke(adminResendUnknownCall, { mailingId, deliveryIds }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: deliveriesKey(mailingId) }),
    failure: 'Nothing was resent',
  })
}
