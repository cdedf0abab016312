import type { Outcome } from '#server/mail/transport.ts'
import type { ClaimedDelivery, DeliveryResult } from './delivery.ts'

const minuteMs = 60_000
/** Pauses after the first, second … refusal for now. Most servers that put strangers off take a mail some minutes later. */
export const retryPausesMs: readonly number[] = [5, 15, 60, 180, 360, 720].map((minutes) => minutes * minuteMs)

/** What the mail server's answer means for a delivery. */
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
