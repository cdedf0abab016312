import type { Outcome } from '#server/mail/transport.ts'
import { minuteMs } from '#shared/domain/durations.ts'
import type { ClaimedDelivery, DeliveryResult } from './delivery.ts'

/**
 * Delay before each retry of a deferred delivery. Servers that greylist usually accept email after a few
 * minutes; together the pauses outlast an outage of a day.
 */
export const retryPausesMs: readonly number[] = [5, 15, 60, 180, 360, 720, 720].map((minutes) => minutes * minuteMs)

/** Converts the mail server's response into a delivery result. */
export function toDeliveryResult(
  { id, senderId, attempts }: ClaimedDelivery,
  { kind, response }: Outcome,
  now: Date,
  pausesMs: readonly number[] = retryPausesMs,
): DeliveryResult {
  const result = { id, senderId, cause: null, response, untried: false, nextAttemptAt: null }
  switch (kind) {
    case 'accepted':
      return { ...result, status: 'submitted' }
    case 'refused':
      return { ...result, status: 'failed', cause: 'refused' }
    case 'deferred': {
      const pauseMs = pausesMs[attempts - 1]
      return pauseMs === undefined
        ? { ...result, status: 'failed', cause: 'retries_exhausted' }
        : { ...result, status: 'pending', nextAttemptAt: new Date(now.getTime() + pauseMs) }
    }
    case 'unsent':
      return { ...result, status: 'pending', untried: true }
    case 'uncertain':
      return { ...result, status: 'unknown', cause: 'no_answer' }
  }
}
