import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { changeInstant } from '#client/lib/change-instant.ts'
import { completeFirstWeekStep, updateItemMark } from '#client/lib/item-marks.ts'
import { sendLater } from '#client/lib/outbox.ts'
import { reportRejectedChange } from '#client/lib/report-rejected-change.ts'
import { type savedItemsCall, saveItemCall } from '#shared/contracts/reader/saved.ts'
import { type ItemRef, itemKey } from '#shared/domain/content-items.ts'

type SavedPage = z.output<typeof savedItemsCall.output>

/** First part of the query keys of lists of saved items. */
export const listKey = 'saved-items'

/** A removed item stays in the list until the reader leaves the page, so that another tap restores it. */
function setSavedAt(client: QueryClient, item: ItemRef, savedAt: string) {
  client.setQueriesData<InfiniteData<SavedPage>>(
    { queryKey: [listKey] },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          items: page.items.map((one) => (itemKey(one) === itemKey(item) ? { ...one, savedAt } : one)),
        })),
      },
  )
}

/**
 * Saves an item or removes it. The mark changes at once; the call is made when there is a connection. `savedAt` is the
 * time of the change that this one replaces.
 */
export function useSaveItem(item: ItemRef & { title: string }, savedAt: string | null) {
  const client = useQueryClient()
  return (saved: boolean) => {
    const { kind, id, title } = item
    const at = changeInstant(savedAt)
    updateItemMark(client, item, { saved, savedAt: at })
    setSavedAt(client, item, at)
    if (saved) completeFirstWeekStep(client, 'save')
    const label = `${saved ? 'Saved' : 'Removed from Saved'}: ${title}`
    sendLater(saveItemCall, { kind, id, saved, at }, { label, key: `save ${itemKey(item)}` })
      // The server may have a newer change of another device.
      .then((stored) => stored && updateItemMark(client, item, { saved: stored.saved, savedAt: stored.at }))
      .catch(reportRejectedChange)
  }
}
