import { AppError } from '#shared/errors.ts'

const unitMs = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const
/** Years of more than four digits are no dates to the database; this is for good. */
const maxMs = 7_900 * 365 * 24 * unitMs.h

const whole = /^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/
const parts = /(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g

/**
 * Until when an account is banned, from the protocol's words: "24h", "1h30m", or "none" to lift a ban.
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
