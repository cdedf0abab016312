import { type ItemMarks, itemMarksCall } from '#shared/contracts/item-marks.ts'
import { saveItemCall } from '#shared/contracts/saved.ts'
import { recordTryCall, removeTryCall } from '#shared/contracts/tries.ts'
import type { ItemRef } from '#shared/domain/content-items.ts'
import { changeMark } from '../change-mark.ts'
import type { QueuedChange } from './change-queue.ts'

/** A stored answer as it will be once the reader's changes are sent: what was saved and tried since. */
export function applyUnsentChanges(name: string, output: unknown, changes: readonly QueuedChange[]): unknown {
  if (name !== itemMarksCall.name) return output
  return changes.reduce((marks, change) => {
    const mark = markOf(change)
    return mark ? changeMark(marks, change.input as ItemRef, mark) : marks
  }, output as ItemMarks)
}

/** Inputs were parsed by these contracts before they were queued. */
function markOf({ name, input }: QueuedChange): Partial<ItemMarks['items'][number]> | null {
  if (name === saveItemCall.name) return { saved: input.saved === true, savedAt: String(input.at) }
  if (name === recordTryCall.name) return { tried: input.outcome as ItemMarks['items'][number]['tried'] }
  return name === removeTryCall.name ? { tried: null } : null
}
