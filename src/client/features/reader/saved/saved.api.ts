import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { fieldQuery, invoke, pagedQuery } from '#client/lib/calls.ts'
import { changeInstant } from '#client/lib/change-instant.ts'
import { isNetworkError } from '#client/lib/error-message.ts'
import { completeFirstWeekStep, updateItemMark } from '#client/lib/item-marks.ts'
import { sendLater } from '#client/lib/outbox.ts'
import { reportRejectedChange } from '#client/lib/report-rejected-change.ts'
import { toast } from '#client/lib/toast.ts'
import {
  collectItemCall,
  collectionsCall,
  deleteCollectionCall,
  type ItemCollection,
  itemCollectionsCall,
  saveCollectionCall,
  savedItemsCall,
  saveItemCall,
} from '#shared/contracts/reader/saved.ts'
import { type ContentKind, type ItemRef, itemKey } from '#shared/domain/content-items.ts'

type SavedPage = z.output<typeof savedItemsCall.output>

/** First part of the query keys of lists of saved items. */
const listKey = 'saved-items'

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

export type SavedFilter = { collectionId: string | null; kind: ContentKind | null }

/** Newest first. */
export const savedItemsQuery = ({ collectionId, kind }: SavedFilter) =>
  pagedQuery([listKey, collectionId, kind], savedItemsCall, { collectionId, kind })

export const collectionsQuery = fieldQuery(['collections'], collectionsCall, {}, 'collections', { staleTime: 0 })

export const itemCollectionsQuery = ({ kind, id }: ItemRef) =>
  fieldQuery(['item-collections', kind, id], itemCollectionsCall, { kind, id }, 'collections', { staleTime: 0 })

/** Adds the item to a collection, which also saves it, or takes it out. */
export function useCollectItem(item: ItemRef & { title: string }) {
  const client = useQueryClient()
  return ({ id: collectionId, name, changedAt }: Omit<ItemCollection, 'member'>, member: boolean) => {
    const { kind, id, title } = item
    const at = changeInstant(changedAt)
    const change = { id: collectionId, name, member, changedAt: at }
    client.setQueryData(itemCollectionsQuery(item).queryKey, (all = []) =>
      all.some((one) => one.id === collectionId)
        ? all.map((one) => (one.id === collectionId ? change : one))
        : [...all, change],
    )
    if (member) updateItemMark(client, item, { saved: true, savedAt: at })
    const label = `${member ? 'Added to' : 'Removed from'} ${name}: ${title}`
    sendLater(collectItemCall, { kind, id, collectionId, member, at }, { label }).catch(reportRejectedChange)
  }
}

type NamedCollection = {
  id: string
  name: string
  /** Time of the change that this one replaces; null for a new collection. */
  replaces: string | null
}

/** Creates a collection, renames it or restores a deleted one. Without a connection an equal name gets a number later. */
export function useSaveCollection() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ replaces, ...collection }: NamedCollection) => {
      const input = { ...collection, at: changeInstant(replaces) }
      try {
        return await invoke(saveCollectionCall, input)
      } catch (error) {
        if (!isNetworkError(error)) throw error
        const label = `Collection: ${collection.name}`
        await sendLater(saveCollectionCall, { ...input, ifNameTaken: 'number' }, { label })
        return input
      }
    },
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: collectionsQuery.queryKey }),
        client.invalidateQueries({ queryKey: [listKey] }),
      ]),
  })
}

/** Deletes a collection and offers to undo it; its items stay saved. */
export function useDeleteCollection() {
  const client = useQueryClient()
  const restore = useSaveCollection()
  return useMutation({
    mutationFn: ({ id, at }: { id: string; name: string; at: string }) =>
      invoke(deleteCollectionCall, { id, at: changeInstant(at) }),
    onSuccess: ({ at }, { id, name }) => {
      toast.success(`“${name}” was deleted`, {
        id: 'collection',
        description: 'Its items are still saved.',
        duration: 10_000,
        action: { label: 'Undo', onClick: () => restore.mutate({ id, name, replaces: at }) },
      })
      return client.invalidateQueries({ queryKey: collectionsQuery.queryKey })
    },
    onError: (error) => {
      console.error('The collection could not be deleted', error)
      toast.error('We couldn’t delete this collection', { id: 'collection', description: 'Try again in a moment.' })
    },
  })
}
