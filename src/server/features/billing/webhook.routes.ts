import { type Context, Hono } from 'hono'
import { LRUCache } from 'lru-cache'
import Stripe from 'stripe'
import { z } from 'zod'
import type { AppEnv } from '#server/http/app-env.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from './billing-deps.ts'
import { processEvent } from './process-event.ts'
import { isLiveKey } from './stripe-client.ts'
import { customerIdIn } from './webhook-events.ts'

/** Forged signatures that one address may try in a minute before it is told off without a log line each. */
const forgeriesPerMinute = 30
const minuteMs = 60_000
const maxBodyBytes = 1024 * 1024

/** Ids and types are stored: plain words of limited length. */
const word = z.string().regex(/^[\w.-]{1,255}$/)
/** The last second of the year 9999, beyond which neither a date nor the database goes along. */
const lastSecond = 253_402_300_799

/** What we rely on in an event. */
const eventSchema = z.looseObject({
  id: word,
  type: word,
  created: z.int().nonnegative().max(lastSecond),
  livemode: z.boolean(),
  data: z.looseObject({ object: z.looseObject({}) }),
})

/**
 * Where Stripe tells what happened. No session and no origin check: the signature over the raw body is the proof. After
 * our own failure the answer is a 500, never a 200, so that Stripe tries again.
 */
export function stripeWebhookRoutes(deps: BillingDeps) {
  const forgeries = new LRUCache<string, number>({ max: 10_000, ttl: minuteMs, noUpdateTTL: true })

  function refuse(c: Context<AppEnv>, reason: string): AppError {
    const address = c.var.clientAddress
    const count = (forgeries.get(address) ?? 0) + 1
    forgeries.set(address, count)
    if (count > forgeriesPerMinute) return new AppError('over_request_rate_limit')
    deps.logger.warn({ address, reason, count }, 'a webhook was refused')
    return new AppError('invalid_signature')
  }

  return new Hono<AppEnv>().post('/webhooks/stripe', async (c) => {
    // The bytes as they came: a body that was parsed and written again has another signature.
    const body = Buffer.from(await c.req.arrayBuffer())
    if (body.length > maxBodyBytes) throw new AppError('request_entity_too_large')
    const verified = verify(deps, body, c.req.header('stripe-signature'))
    if ('refused' in verified) throw refuse(c, verified.refused)
    const { event } = verified
    if (event.livemode !== isLiveKey(deps.config.stripe.secretKey)) {
      deps.logger.error({ eventId: event.id, livemode: event.livemode }, 'an event of the other mode was refused')
      throw new AppError('validation_failed', { message: 'This endpoint belongs to the other mode' })
    }
    try {
      await processEvent(deps, event)
    } catch {
      // Logged where it happened, without Stripe's raw answer, which the general error log would print.
      throw new AppError('unexpected_failure')
    }
    return c.json({ received: true })
  })
}

type Verified = { event: Stripe.Event } | { refused: string }

/** Tries every configured secret: while one is being replaced, both are in use. */
function verify({ config, stripe }: BillingDeps, body: Buffer, signature: string | undefined): Verified {
  if (!signature) return { refused: 'no signature' }
  let refused = 'wrong signature'
  for (const secret of config.stripe.webhookSecrets) {
    try {
      const event = stripe.webhooks.constructEvent(body, signature, secret)
      const named = eventSchema.safeParse(event).success ? customerIdIn(event) : ''
      return named === null || word.safeParse(named).success ? { event } : { refused: 'not an event' }
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) return { refused: 'not an event' }
      if (error.message.includes('tolerance')) refused = 'too old; is the clock of this server right?'
    }
  }
  return { refused }
}
