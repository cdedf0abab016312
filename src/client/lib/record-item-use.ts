import { updateItemMark } from '#client/lib/item-marks.ts'
import { sendLater } from '#client/lib/outbox.ts'
import { queryClient } from '#client/lib/query-client.ts'
import { recordItemUseCall } from '#shared/contracts/freshness.ts'
import type { ItemRef } from '#shared/domain/content-items.ts'
import type { ItemUse } from '#shared/domain/item-uses.ts'

/** The reader has the newest version of an item, so they are told of the next change. Failures are only logged. */
export function recordItemUse({ kind, id }: ItemRef, use: ItemUse): void {
  updateItemMark(queryClient, { kind, id }, { changed: null })
  const at = new Date().toISOString()
  const options = { label: 'A copy', key: `${use} ${kind} ${id}` }
  sendLater(recordItemUseCall, { kind, id, use, at }, options).catch((error: unknown) =>
    console.error('The copy could not be recorded', error),
  )
}
