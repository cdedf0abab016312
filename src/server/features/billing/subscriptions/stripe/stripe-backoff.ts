import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import Stripe from 'stripe'

type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>
type HttpResponse = Awaited<ReturnType<HttpClient['makeRequest']>>

const firstPauseMs = 1_000
const maxPauseMs = 60_000
/** Calls wait out a pause up to this long. Longer pauses and interactive requests fail immediately. */
const maxWaitMs = 2_000
const patientTimeoutMs = 10_000
const maxTries = 3

/**
 * After a 429, pauses all calls of the process as `Retry-After` says, or with exponential backoff. The rate limit applies
 * to the whole account, and the SDK doesn't retry 429 responses.
 */
export function withBackoff(http: HttpClient, now: () => number = () => performance.now()): HttpClient {
  let pausedUntil = 0
  let rateLimits = 0

  function pause(response: HttpResponse) {
    const seconds = Number(response.getHeaders()['retry-after'])
    const requestedMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : firstPauseMs * 2 ** rateLimits
    rateLimits = Math.min(rateLimits + 1, 6)
    pausedUntil = Math.max(pausedUntil, now() + Math.min(requestedMs, maxPauseMs))
  }

  return {
    getClientName: () => http.getClientName(),
    async makeRequest(...request) {
      const isPatient = (request[7] ?? 0) >= patientTimeoutMs
      for (let attempt = 1; ; attempt += 1) {
        const remainingMs = pausedUntil - now()
        if (remainingMs > 0) {
          if (!isPatient || remainingMs > maxWaitMs) return rateLimitResponse(remainingMs)
          // Jitter, so that waiting calls don't all resume at the same time.
          await delay(remainingMs + randomInt(300))
          // Another call hit the limit meanwhile.
          if (pausedUntil > now()) return rateLimitResponse(pausedUntil - now())
        }
        const response = await http.makeRequest(...request)
        if (response.getStatusCode() !== 429) {
          rateLimits = 0
          return response
        }
        pause(response)
        if (!isPatient || attempt === maxTries || pausedUntil - now() > maxWaitMs) return response
        response.dispose?.()
      }
    },
  }
}

/** A 429 response without calling Stripe. */
function rateLimitResponse(remainingMs: number): HttpResponse {
  const headers = { 'retry-after': String(Math.ceil(remainingMs / 1000)), 'stripe-should-retry': 'false' }
  const message = 'Not sent: waiting for Stripe’s rate limit.'
  const body = { error: { type: 'invalid_request_error', code: 'rate_limit', message } }
  return Object.assign(new Stripe.HttpClientResponse(429, headers), {
    toJSON: async () => body,
  }) as unknown as HttpResponse
}
