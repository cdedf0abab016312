import { build } from '../schema/build-object.ts'
import { apiVersion } from '../schema/read-params.ts'
import { newId } from '../store/ids.ts'
import type { Tx } from '../tx.ts'
import type { Metadata, WebhookEndpoint } from '../types.ts'

/** Creates a webhook endpoint. Its secret is stored separately and returned only once. */
export function buildEndpoint(
  tx: Tx,
  input: { url: string; events: string[]; description: string | null; metadata?: Metadata },
): WebhookEndpoint {
  return build<WebhookEndpoint>('webhook_endpoint', {
    id: newId('we'),
    api_version: apiVersion,
    created: tx.at,
    description: input.description,
    enabled_events: input.events,
    metadata: input.metadata ?? {},
    status: 'enabled',
    url: input.url,
  })
}
