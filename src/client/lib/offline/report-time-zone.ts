import { invoke } from '#client/lib/invoke.ts'
import { browserTimeZone } from '#client/lib/time-zone.ts'
import { saveTimeZoneCall } from '#shared/contracts/publishing/time-zone.ts'

const storageKey = 'front-counter:time-zone'

/** Tells the server the reader's time zone, once per device and account, and again when it changes. */
export async function reportTimeZone(userId: string): Promise<void> {
  const timeZone = browserTimeZone()
  if (!timeZone || window.viewAsBase !== undefined) return
  const reported = `${userId} ${timeZone}`
  try {
    if (localStorage.getItem(storageKey) === reported) return
    await invoke(saveTimeZoneCall, { timeZone })
    localStorage.setItem(storageKey, reported)
  } catch {
    // Without a connection or storage, the next visit tries again.
  }
}
