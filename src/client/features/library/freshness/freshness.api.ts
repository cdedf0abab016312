import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { invoke } from '#client/lib/calls.ts'
import { updateItemMark } from '#client/lib/item-marks.ts'
import { sendLater } from '#client/lib/outbox.ts'
import { dismissChangeCall, itemChangesCall } from '#shared/contracts/library/freshness.ts'
import type { ItemRef } from '#shared/domain/content-items.ts'

export const itemChangesQuery = ({ kind, id }: ItemRef) =>
  queryOptions({
    queryKey: ['item-changes', kind, id],
    queryFn: async ({ signal }) => (await invoke(itemChangesCall, { kind, id }, signal)).changes,
  })

/** Hides what changed up to a version, on every page and device. */
export function useDismissChange() {
  const client = useQueryClient()
  return async ({ kind, id }: ItemRef, version: number) => {
    updateItemMark(client, { kind, id }, { changed: null })
    await sendLater(dismissChangeCall, { kind, id, version }, { key: `${kind} ${id}` })
  }
}
