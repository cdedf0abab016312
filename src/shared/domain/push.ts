import { addDays } from './due-day.ts'
import { instantOf, localTimeOf } from './zoned-time.ts'

/** What a device can be told of, each chosen by itself. */
export const pushKinds = ['drop', 'assignment', 'question', 'deadline'] as const
export type PushKind = (typeof pushKinds)[number]

export const maxPushDevices = 10

const quietFrom = '21:00'
const quietUntil = '07:00'

/** When the quiet hours that it is in end, in the reader's time zone; null outside of them. */
export function quietEnd(timeZone: string, now: Date): Date | null {
  const [day = '', time = ''] = localTimeOf(now.toISOString(), timeZone).split('T')
  if (time >= quietUntil && time < quietFrom) return null
  return new Date(instantOf(`${time < quietUntil ? day : addDays(day, 1)}T${quietUntil}`, timeZone))
}
