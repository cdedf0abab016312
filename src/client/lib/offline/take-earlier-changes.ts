import { openDeviceStorage } from './device-storage.ts'
import { listChangeIds, removeChanges, storeChange } from './waiting-changes.ts'

/** Moves the user's changes from the database, where version 0.4 kept them. Removes those of other users. */
export async function takeEarlierChanges(userId: string): Promise<void> {
  const tx = (await openDeviceStorage()).transaction('changes', 'readwrite')
  for await (const { value } of tx.store) {
    const { name, input, label, key } = value
    if (value.userId === userId) storeChange(userId, { name, input, label, key })
  }
  await tx.store.clear()
  await tx.done
  const own = new Set(listChangeIds(userId))
  removeChanges(listChangeIds().filter((id) => !own.has(id)))
}
