import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { invoke } from '#client/lib/calls.ts'
import { changeMark, findMark } from '#client/lib/change-mark.ts'
import type { FirstWeekStep } from '#shared/contracts/reader/first-week.ts'
import { type ItemMark, type ItemMarks, itemMarksCall, type MarksScope } from '#shared/contracts/reader/item-marks.ts'
import { type ItemRef, itemKey } from '#shared/domain/content-items.ts'
import type { RuleByTopic } from '#shared/domain/franchisor-rules.ts'

/** Fills the place for actions that a list leaves at each item. */
export type RenderItem = (item: ItemRef & { title: string }) => ReactNode

const key = 'item-marks'

/** Pages wait for the marks, so that nothing moves when they arrive, but no longer than this. */
const timeoutMs = 4000

/** The reader's marks on all items of a page, loaded in parallel with the items. */
export const itemMarksQuery = (scope: MarksScope) =>
  queryOptions({
    queryKey: [key, scope],
    // Another device may have changed them.
    staleTime: 15_000,
    queryFn: ({ signal }) => invoke(itemMarksCall, { scope }, signal),
  })

/** Returns true if a page should still wait for its marks. After a failure it shows its items without them. */
export function useMarksPending(scope: MarksScope): boolean {
  const { isPending, failureCount } = useQuery(itemMarksQuery(scope))
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), timeoutMs)
    return () => clearTimeout(timer)
  }, [])
  return isPending && failureCount === 0 && !isLate
}

/** Returns true if the reader is on a team. */
export function useCanAssign(scope: MarksScope): boolean {
  const { data } = useQuery({ ...itemMarksQuery(scope), select: ({ canAssign }) => canAssign })
  return data ?? false
}

/** Undefined if nothing is known about the item. */
export function useItemMark(scope: MarksScope, ref: ItemRef): ItemMark | undefined {
  const { data } = useQuery({ ...itemMarksQuery(scope), select: ({ items }) => findMark(items, ref) })
  return data
}

/** Undefined if the item is in its first version and doesn't expire. */
export function useItemVersion(scope: MarksScope, ref: ItemRef): ItemMarks['versions'][number] | undefined {
  const { data } = useQuery({
    ...itemMarksQuery(scope),
    select: ({ versions }) => versions.find((version) => itemKey(version) === itemKey(ref)),
  })
  return data
}

/**
 * Changes the marks in the cache of every page, before the server has answered. A read that is on its way may answer from
 * before the change, so its result is changed too.
 */
function changeMarks(client: QueryClient, change: (marks: ItemMarks) => ItemMarks) {
  const apply = (marks: ItemMarks | undefined) => marks && change(marks)
  client.setQueriesData<ItemMarks>({ queryKey: [key] }, apply)
  for (const { queryKey, promise } of client.getQueryCache().findAll({ queryKey: [key], fetchStatus: 'fetching' })) {
    promise?.then(
      () => client.setQueryData<ItemMarks>(queryKey, apply),
      () => {},
    )
  }
}

/** Hides the checklist of the first week. */
export function hideFirstWeek(client: QueryClient) {
  changeMarks(client, (marks) => ({ ...marks, firstWeek: null }))
}

/** Checks a step of the first week's checklist. */
export function completeFirstWeekStep(client: QueryClient, step: FirstWeekStep) {
  changeMarks(client, (marks) => {
    if (!marks.firstWeek) return marks
    const steps = marks.firstWeek.steps.map((one) => (one.step === step ? { ...one, done: true } : one))
    return { ...marks, firstWeek: { steps } }
  })
}

export function updateItemMark(client: QueryClient, { kind, id }: ItemRef, change: Partial<ItemMark>) {
  changeMarks(client, (marks) => changeMark(marks, { kind, id }, change))
}

/** Changes the reader's rules. */
export function updateMarkedRules(client: QueryClient, change: RuleByTopic) {
  changeMarks(client, (marks) => ({ ...marks, rules: { ...marks.rules, ...change } }))
}
