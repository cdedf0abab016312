import { changeInstant } from '#client/lib/change-instant.ts'
import { sendLater } from '#client/lib/outbox.ts'
import { recordFirstWeekCall } from '#shared/contracts/reader/first-week.ts'

/** Records that the start page was opened or the checklist dismissed. Without a connection it is sent later. */
export const recordFirstWeek = (event: 'start-page' | 'dismissed') =>
  sendLater(recordFirstWeekCall, { event, at: changeInstant(null) }, { key: `first-week ${event}` }).catch(
    (error: unknown) => console.error('The step could not be stored', error),
  )
