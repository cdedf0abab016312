import { invoke } from '#client/lib/invoke.ts'
import { pagedQuery } from '#client/lib/paged-query.ts'
import { useInvalidate } from '#client/lib/use-invalidate.ts'
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
  pagedQuery([...deliveriesKey(mailingId), filter], adminDeliveriesCall, { mailingId, ...filter, limit: pageSize })

/** Requests a download link and opens it, so that the browser streams the file to disk. */
export const useExportDeliveries = (mailingId: string) =>
  useSensitiveMutation({
    mutationFn: async (filter: DeliveryFilter) => {
      const { url } = await invoke(adminExportDeliveriesCall, { mailingId, ...filter })
      window.location.assign(url)
    },
  })

export const useResendUnknown = (mailingId: string) =>
  useSensitiveMutation({
    mutationFn: (deliveryIds: string[]) => invoke(adminResendUnknownCall, { mailingId, deliveryIds }),
    onSuccess: useInvalidate(deliveriesKey(mailingId)),
    failure: 'Nothing was resent',
  })
