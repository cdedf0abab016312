import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  adminDeleteWebhookCall,
  adminReplayWebhookCall,
  adminRotateWebhookSecretCall,
  adminSaveWebhookCall,
  adminWebhookDeliveriesCall,
  adminWebhooksCall,
  type WebhookEventType,
} from '#shared/contracts/operations/outgoing-webhooks.ts'

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => invoke(adminWebhooksCall, {}, signal),
  staleTime: 0,
})

export const webhookDeliveriesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', 'deliveries', id],
    queryFn: ({ pageParam, signal }) => invoke(adminWebhookDeliveriesCall, { id, cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  })

function useRefresh() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: webhooksQuery.queryKey })
}

type Wanted = { id: string | null; url: string; events: WebhookEventType[]; enabled: boolean }

export const useSaveWebhook = () =>
  useSensitiveMutation({
    mutationFn: (wanted: Wanted) => invoke(adminSaveWebhookCall, wanted),
    onSuccess: useRefresh(),
  })

export const useRotateSecret = () =>
  useSensitiveMutation({
    mutationFn: (id: string) => invoke(adminRotateWebhookSecretCall, { id }),
    failure: 'We couldn’t replace the secret',
    onSuccess: useRefresh(),
  })

export const useDeleteWebhook = () =>
  useSensitiveMutation({
    mutationFn: (id: string) => invoke(adminDeleteWebhookCall, { id }),
    done: 'Webhook deleted',
    failure: 'We couldn’t delete the webhook',
    onSuccess: useRefresh(),
  })

export const useReplayWebhook = () =>
  useSensitiveMutation({
    mutationFn: (deliveryId: string) => invoke(adminReplayWebhookCall, { deliveryId }),
    done: 'The event is sent again within a minute',
    failure: 'We couldn’t send the event again',
    onSuccess: useRefresh(),
  })
