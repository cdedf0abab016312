import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import Stripe from 'stripe'

type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>
type Answer = Awaited<ReturnType<HttpClient['makeRequest']>>

const firstPauseMs = 1_000
const maxPauseMs = 60_000
/** A call waits for a pause this long; for a longer one, or where a reader waits (`interactiveRequest`), it fails at once. */
const maxWaitMs = 2_000
const patientTimeoutMs = 10_000
const maxTries = 3

/**
 * Stops asking Stripe after a 429, for as long as `Retry-After` says or for a doubling pause: the whole process, as the
 * limit is the account's. The SDK by itself neither waits nor retries then.
 */
export function withBackoff(http: HttpClient, now: () => number = Date.now): HttpClient {
  let pausedUntil = 0
  let refusals = 0

  function pause(answer: Answer) {
    const seconds = Number(answer.getHeaders()['retry-after'])
    const asked = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : firstPauseMs * 2 ** refusals
    refusals = Math.min(refusals + 1, 6)
    pausedUntil = Math.max(pausedUntil, now() + Math.min(asked, maxPauseMs))
  }

  return {
    getClientName: () => http.getClientName(),
    async makeRequest(...request) {
      const isPatient = (request[7] ?? 0) >= patientTimeoutMs
      for (let attempt = 1; ; attempt += 1) {
        const restMs = pausedUntil - now()
        if (restMs > 0) {
          if (!isPatient || restMs > maxWaitMs) return refusal(restMs)
          // Not everybody at once when the pause is over.
          await delay(restMs + randomInt(300))
          // Another call was refused meanwhile.
          if (pausedUntil > now()) return refusal(pausedUntil - now())
        }
        const answer = await http.makeRequest(...request)
        if (answer.getStatusCode() !== 429) {
          refusals = 0
          return answer
        }
        pause(answer)
        if (!isPatient || attempt === maxTries || pausedUntil - now() > maxWaitMs) return answer
        answer.dispose?.()
      }
    },
  }
}

/** What Stripe would say, without asking. */
function refusal(restMs: number): Answer {
  const headers = { 'retry-after': String(Math.ceil(restMs / 1000)), 'stripe-should-retry': 'false' }
  const message = 'Not asked: Stripe wants us to slow down.'
  const body = { error: { type: 'invalid_request_error', code: 'rate_limit', message } }
  return Object.assign(new Stripe.HttpClientResponse(429, headers), { toJSON: async () => body }) as unknown as Answer
}
