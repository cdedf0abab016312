import type { z } from 'zod'
import {
  type Collection,
  collectItemCall,
  collectionsCall,
  type ItemCollection,
  type itemCollectionsCall,
  type SavedItem,
  saveCollectionCall,
  savedItemsCall,
  saveItemCall,
} from '#shared/contracts/reader/saved.ts'
import { type ItemRef, itemKey } from '#shared/domain/content-items.ts'
import { numberEqualNames } from '#shared/domain/number-equal-names.ts'
import { inputOf } from './change-queue.ts'
import { listDeviceItems } from './device-items.ts'
import type { StoredAnswers } from './stored-answers.ts'
import type { NewChange } from './waiting-changes.ts'

type SavedPage = z.output<typeof savedItemsCall.output>
type SavedInput = z.output<typeof savedItemsCall.input>
type Unsent = readonly NewChange[]

/** The collections as they will be once the reader's changes are sent. */
export function listCollections(stored: StoredAnswers, unsent: Unsent): Collection[] {
  const all = new Map(stored.get(collectionsCall, {})?.collections.map((one) => [one.id, one]))
  for (const change of unsent) {
    const named = inputOf(saveCollectionCall, change)
    if (named) all.set(named.id, { count: 0, ...all.get(named.id), id: named.id, name: named.name, at: named.at })
  }
  const counted = [...all.values()].map((one) => {
    const page = listSaved(stored, unsent, { collectionId: one.id }, all)
    return { ...one, at: new Date(one.at), count: page?.nextCursor === null ? page.items.length : one.count }
  })
  return numberEqualNames(counted)
    .map((one) => ({ ...one, at: one.at.toISOString() }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}

/**
 * The first page of saved items as it will be once the reader's changes are sent. Undefined if this device doesn't keep
 * it.
 */
export function listSaved(
  stored: StoredAnswers,
  unsent: Unsent,
  { collectionId, kind, cursor }: SavedInput,
  collections: Pick<ReadonlyMap<string, unknown>, 'has'> = new Set(listCollections(stored, unsent).map(({ id }) => id)),
): SavedPage | undefined {
  if (cursor || (collectionId && !collections.has(collectionId))) return undefined
  const known = stored.get(savedItemsCall, collectionId ? { collectionId } : {})
  // One that was made on this device.
  const page = known ?? (collectionId ? { items: [], nextCursor: null } : undefined)
  if (!page) return undefined
  const isThis = (item: ItemRef) => (one: ItemRef) => itemKey(one) === itemKey(item)
  const unsaved = new Set<string>()
  let items = page.items
  const add = ({ kind, id }: ItemRef, at: string) => {
    const details = items.find(isThis({ kind, id })) ?? findItem(stored, { kind, id })
    if (details) items = [{ ...details, savedAt: at }, ...items.filter((one) => one !== details)]
  }
  for (const change of unsent) {
    const save = inputOf(saveItemCall, change)
    if (save) {
      unsaved[save.saved ? 'delete' : 'add'](itemKey(save))
      if (save.saved && !collectionId) add(save, save.at)
    }
    const collect = inputOf(collectItemCall, change)
    if (!collect) continue
    if (collect.member) unsaved.delete(itemKey(collect))
    const isIn = items.some(isThis(collect))
    if (collectionId && collect.collectionId !== collectionId) continue
    if (collect.member && !isIn) add(collect, collect.at)
    else if (collectionId && !collect.member) items = items.filter((one) => !isThis(collect)(one))
  }
  return { ...page, items: items.filter((item) => !unsaved.has(itemKey(item)) && (!kind || item.kind === kind)) }
}

/** All collections, and whether the item is in each. */
export function listCollectionsOf(
  stored: StoredAnswers,
  unsent: Unsent,
  item: z.output<typeof itemCollectionsCall.input>,
): ItemCollection[] {
  return listCollections(stored, unsent).map(({ id, name }) => {
    const page = stored.get(savedItemsCall, { collectionId: id })
    const last = unsent
      .flatMap((change) => inputOf(collectItemCall, change) ?? [])
      .findLast((change) => change.collectionId === id && itemKey(change) === itemKey(item))
    const isListed = page?.items.some((one) => itemKey(one) === itemKey(item)) ?? false
    return { id, name, member: last?.member ?? isListed, changedAt: last?.at ?? null }
  })
}

/** Title and path of an item that was saved offline. */
function findItem(stored: StoredAnswers, item: ItemRef): Omit<SavedItem, 'savedAt'> | undefined {
  const isThis = (one: ItemRef) => itemKey(one) === itemKey(item)
  const saved = stored.all(savedItemsCall).flatMap(({ items }) => items.find(isThis) ?? [])
  const found = saved[0] ?? listDeviceItems(stored).find(isThis)
  if (!found) return undefined
  const { kind, id, title, path, parentTitle } = found
  return { kind, id, title, path, parentTitle: kind === 'section' ? parentTitle : null }
}
