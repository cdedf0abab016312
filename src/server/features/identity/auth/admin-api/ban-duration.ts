import { AppError } from '#shared/errors.ts'

const unitMs = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const
/** Keeps the year at four digits. */
const maxMs = 7_900 * 365 * 24 * unitMs.h

const whole = /^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/
const parts = /(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g

/**
 * Parses a ban duration such as "24h" or "1h30m" into its end; null for "none".
 * @throws AppError validation_failed
 */
export function parseBanDuration(given: string, now: Date): Date | null {
  if (given === 'none') return null
  if (!whole.test(given)) throw new AppError('validation_failed', { message: 'invalid format for ban duration' })
  let ms = 0
  for (const [, amount, unit] of given.matchAll(parts)) ms += Number(amount) * unitMs[unit as keyof typeof unitMs]
  if (ms <= 0) throw new AppError('validation_failed', { message: 'ban duration must be positive' })
  return new Date(now.getTime() + Math.min(ms, maxMs))
}
