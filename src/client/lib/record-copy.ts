import { completeFirstWeekStep, updateItemMark } from '#client/lib/item-marks.ts'
import { sendLater } from '#client/lib/outbox.ts'
import { queryClient } from '#client/lib/query-client.ts'
import { recordItemUseCall } from '#shared/contracts/library/freshness.ts'
import { startTryCall, type TriedItem } from '#shared/contracts/reader/tries.ts'

/**
 * The reader copied a prompt. Unless they say how it went, an email asks a week later. They have the newest version now,
 * so only the next change is news. Failures are only logged.
 */
export function recordCopy({ kind, id }: TriedItem): void {
  updateItemMark(queryClient, { kind, id }, { changed: null })
  completeFirstWeekStep(queryClient, 'copy')
  const at = new Date().toISOString()
  Promise.all([
    sendLater(startTryCall, { kind, id, at }, { label: 'A reminder', key: `${kind} ${id}` }),
    sendLater(recordItemUseCall, { kind, id, use: 'copied', at }, { label: 'A copy', key: `copied ${kind} ${id}` }),
  ]).catch((error: unknown) => console.error('The copy could not be recorded', error))
}
