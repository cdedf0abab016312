import type { Period } from '../types.ts'

/** Rounds half a cent away from zero, for debits and credits. */
export const roundHalfUp = (amount: number): number => Math.sign(amount) * Math.floor(Math.abs(amount) + 0.5)

/** The share of `amount` (cents) for the time from `at` to the end of the period, by the second. */
export function shareLeft(amount: number, period: Period, at: number): number {
  const whole = period.end - period.start
  const left = Math.min(Math.max(period.end - at, 0), whole)
  return whole <= 0 ? 0 : roundHalfUp((amount * left) / whole)
}
