import { invalid } from '../http/errors.ts'
import { listRoute, requires } from '../http/find-objects.ts'
import { route } from '../http/route.ts'
import { clearedBy, type MetadataParam, mergeMetadata } from '../objects/metadata.ts'
import { buildEndpoint } from '../objects/webhook-endpoints.ts'
import { apiVersion } from '../schema/read-params.ts'
import { randomText } from '../store/ids.ts'
import type { WebhookEndpoint } from '../types.ts'
import { requireLoopback } from '../webhooks/queue.ts'

type EndpointParams = {
  url?: string
  enabled_events?: string[]
  api_version?: string
  description?: string
  disabled?: boolean
  metadata?: MetadataParam
}

const requireEndpoint = requires<WebhookEndpoint>('webhook_endpoint', 'webhook endpoint')

export const webhookEndpointRoutes = [
  route<EndpointParams & { url: string; enabled_events: string[] }>(
    'POST',
    '/v1/webhook_endpoints',
    'post_webhook_endpoints',
    'url enabled_events api_version description metadata',
    ({ tx, params }) => {
      requireLoopback(params.url)
      if (params.api_version !== undefined && params.api_version !== apiVersion) {
        throw invalid(`This sandbox renders events in the version ${apiVersion} only.`, 'api_version')
      }
      const secret = `whsec_${randomText(32)}`
      const endpoint = buildEndpoint(tx, {
        description: clearedBy(params.description, null),
        events: params.enabled_events,
        metadata: mergeMetadata({}, params.metadata),
        url: params.url,
      })
      tx.store.put(endpoint, { secret })
      return { ...endpoint, secret }
    },
  ),
  route<EndpointParams>(
    'POST',
    '/v1/webhook_endpoints/:id',
    'post_webhook_endpoints_id',
    'url enabled_events description disabled metadata',
    ({ tx, params, id }) => {
      const endpoint = requireEndpoint(tx, id)
      if (params.url !== undefined) requireLoopback(params.url)
      const after: WebhookEndpoint = {
        ...endpoint,
        description: clearedBy(params.description, (endpoint.description as string | null) ?? null),
        enabled_events: params.enabled_events ?? endpoint.enabled_events,
        metadata: mergeMetadata((endpoint.metadata ?? {}) as Record<string, string>, params.metadata),
        status: params.disabled === undefined ? endpoint.status : params.disabled ? 'disabled' : 'enabled',
        url: params.url ?? endpoint.url,
      }
      tx.store.put(after)
      return after
    },
  ),
  route('DELETE', '/v1/webhook_endpoints/:id', 'none', '', ({ tx, id }) => {
    requireEndpoint(tx, id)
    tx.store.remove(id)
    tx.store.run(`delete from deliveries where endpoint = ? and state = 'pending'`, id)
    return { id, object: 'webhook_endpoint', deleted: true }
  }),
  listRoute('/v1/webhook_endpoints', 'get_webhook_endpoints', 'webhook_endpoint'),
]
