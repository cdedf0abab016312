import { dayMs } from '#shared/domain/durations.ts'
import { maxDaysAhead } from '#shared/domain/gifts.ts'
import { instantOf, localTimeOf } from '#shared/domain/zoned-time.ts'
import { AppError } from '#shared/errors.ts'

/** When gifts arrive on their day. */
const hour = '08:00'

export function deliveryDays(now: Date, timeZone: string): { today: string; lastDay: string } {
  const today = localTimeOf(now.toISOString(), timeZone).slice(0, 10)
  const lastDay = new Date(Date.parse(`${today}T00:00:00Z`) + maxDaysAhead * dayMs).toISOString().slice(0, 10)
  return { today, lastDay }
}

/**
 * The instant of delivery on a day in the publication's time zone; today means now.
 * @throws AppError validation_failed for a day that has passed or is more than a year ahead
 */
export function deliveryAt(day: string, now: Date, timeZone: string): Date {
  const { today, lastDay } = deliveryDays(now, timeZone)
  if (day < today)
    throw new AppError('validation_failed', { message: 'That day has passed. Choose today or a later day.' })
  if (day > lastDay) throw new AppError('validation_failed', { message: 'Choose a day within the next year.' })
  return day === today ? now : new Date(instantOf(`${day}T${hour}`, timeZone))
}
