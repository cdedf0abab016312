import { type Context, Hono } from 'hono'
import { LRUCache } from 'lru-cache'
import Stripe from 'stripe'
import { z } from 'zod'
import { batchWrites } from '#server/db/batch-writes.ts'
import type { AppEnv } from '#server/http/principal.ts'
import { reportEvent } from '#server/monitoring/events.ts'
import { minuteMs } from '#shared/domain/durations.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { isLiveKey } from '../stripe/stripe-overview.ts'
import { recordEvents } from './process-event.ts'
import { customerIdIn } from './webhook-events.ts'

/** Invalid signatures per minute and IP address that are logged. Further ones get a rate limit error. */
const invalidSignaturesPerMinute = 30
const maxBodyBytes = 1024 * 1024

/** Ids and types are stored, so their characters and length are limited. */
const identifier = z.string().regex(/^[\w.-]{1,255}$/)
/** The last second of the year 9999, the latest that the database accepts. */
const lastSecond = 253_402_300_799

/** The event fields that we rely on. */
const eventSchema = z.looseObject({
  id: identifier,
  type: identifier,
  created: z.int().nonnegative().max(lastSecond),
  livemode: z.boolean(),
  data: z.looseObject({ object: z.looseObject({}) }),
})

/**
 * The Stripe webhook endpoint, authenticated by the signature over the raw body. Answers once the event is stored; a job
 * processes it. Returns 500 if it can't be stored, so that Stripe retries.
 */
export function stripeWebhookRoutes(deps: BillingDeps) {
  const invalidSignatures = new LRUCache<string, number>({ max: 10_000, ttl: minuteMs, noUpdateTTL: true })
  const record = batchWrites((events: readonly Stripe.Event[]) => recordEvents(deps, events))

  function refuse(c: Context<AppEnv>, reason: string): AppError {
    reportEvent('stripeWebhook', { outcome: 'refused' })
    const address = c.var.clientAddress
    const count = (invalidSignatures.get(address) ?? 0) + 1
    invalidSignatures.set(address, count)
    if (count > invalidSignaturesPerMinute) return new AppError('over_request_rate_limit')
    deps.logger.warn({ address, reason, count }, 'a webhook was refused')
    return new AppError('invalid_signature')
  }

  return new Hono<AppEnv>().post('/webhooks/stripe', async (c) => {
    // The signature covers the raw bytes, so the body must not be parsed first.
    const body = Buffer.from(await c.req.arrayBuffer())
    if (body.length > maxBodyBytes) throw new AppError('request_entity_too_large')
    const verified = verify(deps, body, c.req.header('stripe-signature'))
    if ('refused' in verified) throw refuse(c, verified.refused)
    const { event } = verified
    if (event.livemode !== isLiveKey(deps.config.stripe.secretKey)) {
      reportEvent('stripeWebhook', { outcome: 'refused' })
      deps.logger.error(
        { eventId: event.id, livemode: event.livemode },
        'refused an event of the wrong mode (test or live)',
      )
      throw new AppError('validation_failed', { message: 'The event is for the wrong mode (test or live)' })
    }
    await record(event)
    return c.json({ received: true })
  })
}

type Verified = { event: Stripe.Event } | { refused: string }

/** Tries every configured secret: during a rotation, both the old and the new one are valid. */
function verify({ config, stripe }: BillingDeps, body: Buffer, signature: string | undefined): Verified {
  if (!signature) return { refused: 'no signature' }
  let refused = 'wrong signature'
  for (const secret of config.stripe.webhookSecrets) {
    try {
      const event = stripe.webhooks.constructEvent(body, signature, secret)
      const named = eventSchema.safeParse(event).success ? customerIdIn(event) : ''
      return named === null || identifier.safeParse(named).success ? { event } : { refused: 'not an event' }
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) return { refused: 'not an event' }
      if (error.message.includes('tolerance')) refused = 'timestamp too old; check the clock of this server'
    }
  }
  return { refused }
}
