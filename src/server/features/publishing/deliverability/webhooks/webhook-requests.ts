import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import type { DeliveryReport } from '../delivery-report.ts'

/** The raw request, because signatures cover the exact bytes. */
export type Incoming = { body: string; header(name: string): string | undefined }

/**
 * Authenticates a provider’s request and parses its format.
 * @throws AppError invalid_signature, validation_failed
 */
export type Receiver = (incoming: Incoming) => Promise<DeliveryReport[]>

/** Maximum difference between a signed time and the server’s clock. */
export const toleranceMs = 5 * 60_000

export function requireFresh(sentAt: Date, now: Date, tolerance = toleranceMs): void {
  // Negated, so that an invalid date (NaN) is rejected, too.
  if (!(Math.abs(now.getTime() - sentAt.getTime()) <= tolerance)) throw new AppError('invalid_signature')
}

export function isEqualConstantTime(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** @throws AppError validation_failed */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: string): z.output<Schema> {
  const parsed = schema.safeParse(tryJson(body))
  if (!parsed.success) throw new AppError('validation_failed', { message: 'The request body isn’t a valid report' })
  return parsed.data
}

/** Undefined if the text isn’t JSON. */
export function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A provider’s timestamp (seconds or text); null if missing or invalid. */
export const looseTime = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => {
    const at = typeof value === 'number' ? new Date(value * 1000) : value ? new Date(value) : null
    return at && Math.abs(at.getTime()) < 8e14 && at.getFullYear() > 1970 && at.getFullYear() < 9999 ? at : null
  })
