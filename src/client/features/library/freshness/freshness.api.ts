import { useQueryClient } from '@tanstack/react-query'
import { fieldQuery } from '#client/lib/calls.ts'
import { updateItemMark } from '#client/lib/item-marks.ts'
import { sendLater } from '#client/lib/outbox.ts'
import { dismissChangeCall, itemChangesCall } from '#shared/contracts/library/freshness.ts'
import type { ItemRef } from '#shared/domain/content-items.ts'

export const itemChangesQuery = ({ kind, id }: ItemRef) =>
  fieldQuery(['item-changes', kind, id], itemChangesCall, { kind, id }, 'changes')

/** Hides what changed up to a version, on every page and device. */
export function useDismissChange() {
  const client = useQueryClient()
  return async ({ kind, id }: ItemRef, version: number) => {
    updateItemMark(client, { kind, id }, { changed: null })
    await sendLater(dismissChangeCall, { kind, id, version }, { key: `${kind} ${id}` })
  }
}
