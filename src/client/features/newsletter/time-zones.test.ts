import { expect, test } from 'vitest'
import { zonesWith } from './time-zones.ts'

test.each(['UTC', '+05:30', 'Asia/Calcutta', 'America/New_York'])(
  'the stored zone %s is an option, listed once',
  (stored) => {
    const zones = zonesWith(stored)
    expect(zones.filter((zone) => zone === stored)).toHaveLength(1)
    expect(zones).toEqual(expect.arrayContaining(['UTC', 'America/New_York', 'Europe/Paris']))
  },
)
