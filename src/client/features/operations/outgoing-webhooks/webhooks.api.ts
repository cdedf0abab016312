import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { invoke } from '#client/lib/invoke.ts'
import { pagedQuery } from '#client/lib/paged-query.ts'
import { useInvalidate } from '#client/lib/use-invalidate.ts'
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

export const webhooksQuery = alwaysStaleQuery(['webhooks'], adminWebhooksCall, {})

export const webhookDeliveriesQuery = (id: string) =>
  pagedQuery(['webhooks', 'deliveries', id], adminWebhookDeliveriesCall, { id })

const useRefresh = () => useInvalidate(webhooksQuery.queryKey)

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
