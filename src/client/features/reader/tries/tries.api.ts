import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query'
import { alwaysStaleQuery, invoke } from '#client/lib/calls.ts'
import { changeInstant } from '#client/lib/change-instant.ts'
import { completeFirstWeekStep, updateItemMark } from '#client/lib/item-marks.ts'
import { sendLater } from '#client/lib/outbox.ts'
import { publication } from '#client/lib/publication.ts'
import { reportRejectedChange } from '#client/lib/report-rejected-change.ts'
import type { AnyCall } from '#shared/contracts/define-call.ts'
import {
  adminSharedNotesCall,
  adminTriesCall,
  type ReadTry,
  readerValueCall,
  readTryCall,
  recordTryCall,
  removeTryCall,
  saveWageCall,
  startTryCall,
  type TriedItem,
  type TryAnswer,
} from '#shared/contracts/reader/tries.ts'
import { mainCurrency } from '#shared/domain/plans.ts'

const valueKey = 'reader-value'

export const tryQuery = ({ kind, id }: TriedItem) => alwaysStaleQuery(['try', kind, id], readTryCall, { kind, id })

export const readerValueQuery = (year: number) => alwaysStaleQuery([valueKey, year], readerValueCall, { year })

/** Stands in until the state is loaded. The form doesn't allow changes while an answer exists that isn't known. */
const untried: Omit<ReadTry, 'title'> = { answer: null, changedAt: null, reminded: false, totals: null, path: null }

/** Changes of an answer show at once, and are sent now or when there is a connection again. */
export function useTryChanges(item: TriedItem & { title: string }) {
  const client = useQueryClient()
  const { kind, id, title } = item
  const { queryKey } = tryQuery(item)
  const change = async (call: AnyCall, shown: Partial<ReadTry>, input: object = {}) => {
    const at = changeInstant(client.getQueryData(queryKey)?.changedAt)
    // A response that is on its way would show the state before the change.
    await client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, (state) => ({ ...(state ?? { ...untried, title }), ...shown, changedAt: at }))
    if ('answer' in shown) updateItemMark(client, item, { tried: shown.answer?.outcome ?? null })
    if (shown.answer) completeFirstWeekStep(client, 'answer')
    try {
      await sendLater(call, { kind, id, at, ...input }, { label: `Tried: ${title}`, key: `${kind} ${id}` })
    } catch (error) {
      reportRejectedChange(error, `Tried: ${title}`)
    }
    void client.invalidateQueries({ queryKey: [valueKey] })
  }
  return {
    record: (answer: TryAnswer) => change(recordTryCall, { answer, reminded: false }, answer),
    remove: () => change(removeTryCall, { answer: null, reminded: false }),
    remind: () => change(startTryCall, { reminded: true }),
  }
}

export function useSaveWage() {
  const client = useQueryClient()
  return async (cents: number | null) => {
    client.setQueriesData<{ wage: { cents: number; currency: string } | null }>(
      { queryKey: [valueKey] },
      (value) => value && { ...value, wage: cents === null ? null : { cents, currency: mainCurrency(publication) } },
    )
    await sendLater(saveWageCall, { cents, at: new Date().toISOString() }, { label: 'Hourly wage', key: 'wage' })
  }
}

export const triedItemsQuery = infiniteQueryOptions({
  queryKey: ['admin-tries'],
  queryFn: ({ pageParam, signal }) => invoke(adminTriesCall, { cursor: pageParam }, signal),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
  staleTime: 0,
})

export const sharedNotesQuery = infiniteQueryOptions({
  queryKey: ['admin-shared-notes'],
  queryFn: ({ pageParam, signal }) => invoke(adminSharedNotesCall, { cursor: pageParam }, signal),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
  staleTime: 0,
})
