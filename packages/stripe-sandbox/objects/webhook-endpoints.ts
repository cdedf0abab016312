import { apiVersion } from '../schema/read-params.ts'
import { newId } from '../store/ids.ts'
import type { Tx } from '../tx.ts'
import type { Metadata, WebhookEndpoint } from '../types.ts'

/** Creates a webhook endpoint. Its secret is stored separately and returned only once. */
export function buildEndpoint(
  tx: Tx,
  input: { url: string; events: string[]; description: string | null; metadata?: Metadata },
): WebhookEndpoint {
  return {
    id: newId('we'),
    object: 'webhook_endpoint',
    api_version: apiVersion,
    application: null,
    created: tx.at,
    description: input.description,
    enabled_events: input.events,
    livemode: false,
    metadata: input.metadata ?? {},
    status: 'enabled',
    url: input.url,
  }
}
