import { type QueryCache, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { ItemMarks } from '#shared/contracts/reader/item-marks.ts'

/** Beside the account icon while something is open for the reader. Takes no space. */
export default function AccountDot() {
  const cache = useQueryClient().getQueryCache()
  const count = useSyncExternalStore(
    (notify) => cache.subscribe(notify),
    () => countOpen(cache),
  )
  if (count === 0) return null
  return (
    <span
      role="img"
      aria-label={count === 1 ? '1 open assignment for you' : `${count} open assignments for you`}
      className="pointer-events-none mr-1 mb-5 -ml-3.5 size-2.5 rounded-full bg-accent"
    />
  )
}

/** What the newest answer of any page says. */
function countOpen(cache: QueryCache): number {
  const [newest] = cache
    .findAll({ queryKey: ['item-marks'] })
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
  const marks = newest?.state.data as Partial<ItemMarks> | undefined
  return marks?.openAssignments?.count ?? 0
}
