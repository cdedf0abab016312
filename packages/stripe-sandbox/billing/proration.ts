import type { Period } from '../types.ts'

/** Half a cent goes up, for debits and (by amount) for credits alike. */
export const roundHalfUp = (amount: number): number => Math.sign(amount) * Math.floor(Math.abs(amount) + 0.5)

/** The part of `amount` (cents) that falls to the time from `at` to the end of the period, by the second. */
export function shareLeft(amount: number, period: Period, at: number): number {
  const whole = period.end - period.start
  const left = Math.min(Math.max(period.end - at, 0), whole)
  return whole <= 0 ? 0 : roundHalfUp((amount * left) / whole)
}
