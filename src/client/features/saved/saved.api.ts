import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { changeInstant } from '#client/lib/change-instant.ts'
import { invoke } from '#client/lib/invoke.ts'
import { updateItemMark } from '#client/lib/item-marks.ts'
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
} from '#shared/contracts/saved.ts'
import { type ContentKind, type ItemRef, itemKey } from '#shared/domain/content-items.ts'

export type SavedFilter = { collectionId: string | null; kind: ContentKind | null }

const listKey = 'saved-items'

/** Newest first. */
export const savedItemsQuery = ({ collectionId, kind }: SavedFilter) =>
  infiniteQueryOptions({
    queryKey: [listKey, collectionId, kind],
    queryFn: ({ pageParam, signal }) => invoke(savedItemsCall, { collectionId, kind, cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  })

export const collectionsQuery = queryOptions({
  queryKey: ['collections'],
  queryFn: async ({ signal }) => (await invoke(collectionsCall, {}, signal)).collections,
  staleTime: 0,
})

export const itemCollectionsQuery = ({ kind, id }: ItemRef) =>
  queryOptions({
    queryKey: ['item-collections', kind, id],
    queryFn: async ({ signal }) => (await invoke(itemCollectionsCall, { kind, id }, signal)).collections,
    staleTime: 0,
  })

/** Lists that change when an item is saved or collected. */
function useRefreshLists() {
  const client = useQueryClient()
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: [listKey] }),
      client.invalidateQueries({ queryKey: collectionsQuery.queryKey }),
    ])
}

type SaveChange = { saved: boolean; at: string }

/**
 * Saves an item or removes it. The mark changes at once, and back if the call fails. Changes of one item are sent one
 * after another. `savedAt` is the time of the change that this one replaces.
 */
export function useSaveItem(item: ItemRef, { saved, savedAt }: { saved: boolean; savedAt: string | null }) {
  const client = useQueryClient()
  const refresh = useRefreshLists()
  const { mutate } = useMutation({
    scope: { id: `save ${itemKey(item)}` },
    mutationFn: (change: SaveChange) => invoke(saveItemCall, { kind: item.kind, id: item.id, ...change }),
    onMutate: (change) => updateItemMark(client, item, { saved: change.saved, savedAt: change.at }),
    onSuccess: (stored) => {
      updateItemMark(client, item, { saved: stored.saved, savedAt: stored.at })
      return refresh()
    },
    onError: (error) => {
      console.error('Saving failed', error)
      updateItemMark(client, item, { saved, savedAt })
      toast.error(saved ? 'We couldn’t remove this' : 'We couldn’t save this', {
        id: 'save',
        description: 'Check your connection and try again.',
      })
    },
  })
  return (wanted: boolean) => mutate({ saved: wanted, at: changeInstant(savedAt) })
}

type CollectChange = { collectionId: string; member: boolean; at: string }

/** Adds the item to a collection, which also saves it, or takes it out. */
export function useCollectItem(item: ItemRef) {
  const client = useQueryClient()
  const refresh = useRefreshLists()
  const { queryKey } = itemCollectionsQuery(item)
  const setMember = (collectionId: string, change: Partial<ItemCollection>) =>
    client.setQueryData(queryKey, (all) => all?.map((one) => (one.id === collectionId ? { ...one, ...change } : one)))
  return useMutation({
    scope: { id: `collect ${itemKey(item)}` },
    mutationFn: (change: CollectChange) => invoke(collectItemCall, { kind: item.kind, id: item.id, ...change }),
    onMutate: ({ collectionId, member, at }) => setMember(collectionId, { member, changedAt: at }),
    onSuccess: (stored, { collectionId }) => {
      setMember(collectionId, { member: stored.member, changedAt: stored.at })
      if (stored.member) updateItemMark(client, item, { saved: true, savedAt: stored.at })
      return refresh()
    },
    onError: (error, { collectionId, member }) => {
      console.error('The collection could not be changed', error)
      setMember(collectionId, { member: !member })
      toast.error('We couldn’t change the collection', {
        id: 'save',
        description: 'Check your connection and try again.',
      })
    },
  })
}

type NamedCollection = { id: string; name: string; replaces: string | null }

/** Creates a collection with a new id, renames it, or restores a deleted one. */
export function useSaveCollection() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ replaces, ...collection }: NamedCollection) =>
      invoke(saveCollectionCall, { ...collection, at: changeInstant(replaces) }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: collectionsQuery.queryKey }),
        client.invalidateQueries({ queryKey: ['item-collections'] }),
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
