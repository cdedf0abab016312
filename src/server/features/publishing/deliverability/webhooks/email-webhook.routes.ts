import { Hono } from 'hono'
import { LRUCache } from 'lru-cache'
import type { Deps } from '#server/feature.ts'
import type { AppEnv } from '#server/http/principal.ts'
import { minuteMs } from '#shared/domain/durations.ts'
import { AppError } from '#shared/errors.ts'
import type { DeliveryReport } from '../delivery-report.ts'
import { type Receiver, receiveGeneric } from './generic-provider.ts'
import { receiveMailgun } from './mailgun.ts'
import { receivePostmark } from './postmark.ts'
import { receiveSes } from './ses.ts'
import type { FetchText } from './sns-message.ts'

/** Invalid signatures per client address and minute that are logged; more get 429. */
const maxForgeriesPerMinute = 30

type WebhookDeps = Pick<Deps, 'config' | 'database' | 'secrets' | 'clock' | 'logger'> & {
  fetchText: FetchText
  recordReports(reports: readonly DeliveryReport[]): Promise<void>
}

/**
 * Webhooks for bounces and complaints. Providers that aren’t configured get 404. On our own failures the response isn’t
 * 200, so that the provider retries; duplicates are recorded once.
 */
export function emailWebhookRoutes(deps: WebhookDeps) {
  const receivers = configuredReceivers(deps)
  const forgeries = new LRUCache<string, number>({ max: 10_000, ttl: minuteMs, noUpdateTTL: true })

  /** Counts invalid signatures; returns other errors unchanged. */
  function failure(error: unknown, address: string, source: string): unknown {
    if (!(error instanceof AppError) || error.code !== 'invalid_signature') return error
    const count = (forgeries.get(address) ?? 0) + 1
    forgeries.set(address, count)
    if (count > maxForgeriesPerMinute) return new AppError('over_request_rate_limit')
    deps.logger.warn({ address, source, count }, 'email webhook with an invalid signature rejected')
    return error
  }

  return new Hono<AppEnv>().post('/webhooks/mail/:source', async (c) => {
    const source = c.req.param('source')
    const receive = receivers.get(source)
    if (!receive) throw new AppError('not_found')
    const body = await c.req.text()
    try {
      await deps.recordReports(await receive({ body, header: (name) => c.req.header(name) }))
    } catch (error) {
      throw failure(error, c.var.clientAddress, source)
    }
    return c.json({ received: true })
  })
}

function configuredReceivers(deps: WebhookDeps): ReadonlyMap<string, Receiver> {
  const { generic, sesTopics, postmark, mailgun } = deps.config.bounceReports
  const receivers = new Map<string, Receiver>()
  if (generic.length > 0) receivers.set('generic', receiveGeneric(deps, generic))
  if (sesTopics.length > 0) receivers.set('ses', receiveSes(deps, { topics: sesTopics, fetchText: deps.fetchText }))
  if (postmark) receivers.set('postmark', receivePostmark(deps, postmark))
  if (mailgun.length > 0) receivers.set('mailgun', receiveMailgun(deps, mailgun))
  return receivers
}
