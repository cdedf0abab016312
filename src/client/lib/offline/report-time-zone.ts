import { invoke } from '#client/lib/invoke.ts'
import { browserTimeZone } from '#client/lib/time-zone.ts'
import { saveTimeZoneCall } from '#shared/contracts/publishing/time-zone.ts'

/** Account whose time zone was reported since the page was loaded. */
let reportedFor: string | null = null

/** Tells the server the reader's time zone, in which drops and reminders arrive. A failure waits for the next visit. */
export async function reportTimeZone(userId: string): Promise<void> {
  const timeZone = browserTimeZone()
  if (!timeZone || reportedFor === userId || window.viewAsBase !== undefined) return
  reportedFor = userId
  await invoke(saveTimeZoneCall, { timeZone }).catch(() => {})
}
