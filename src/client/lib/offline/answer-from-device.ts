import { teamAssignmentsCall } from '#shared/contracts/reader/assignments.ts'
import { type ItemMarks, itemMarksCall } from '#shared/contracts/reader/item-marks.ts'
import {
  collectItemCall,
  collectionsCall,
  itemCollectionsCall,
  markReadCall,
  savedItemsCall,
  saveItemCall,
} from '#shared/contracts/reader/saved.ts'
import { recordTryCall, removeTryCall } from '#shared/contracts/reader/tries.ts'
import type { ItemRef } from '#shared/domain/content-items.ts'
import { changeMark } from '../change-mark.ts'
import { inputOf } from './change-queue.ts'
import type { StoredAnswers } from './stored-answers.ts'
import { listCollections, listCollectionsOf, listSaved } from './unsent-saved.ts'
import { readTeam, withAssigned } from './unsent-team.ts'
import type { NewChange } from './waiting-changes.ts'

type Unsent = readonly NewChange[]
type Answers = (input: never, stored: StoredAnswers, unsent: Unsent) => unknown

/** Calls whose answers the reader's own changes change. */
const changing: Record<string, Answers> = {
  [itemMarksCall.name]: (input, stored, unsent) => {
    const marks = stored.get(itemMarksCall, input)
    return marks && withAssigned(unsent.reduce(withChange, marks), stored, unsent)
  },
  [collectionsCall.name]: (_input, stored, unsent) =>
    stored.get(collectionsCall, {}) && { collections: listCollections(stored, unsent) },
  [savedItemsCall.name]: (input, stored, unsent) => listSaved(stored, unsent, input),
  [itemCollectionsCall.name]: (input, stored, unsent) =>
    stored.get(collectionsCall, {}) && { collections: listCollectionsOf(stored, unsent, input) },
  [teamAssignmentsCall.name]: (_input, stored, unsent) => {
    const team = readTeam(stored, unsent)
    return team === undefined ? undefined : { team }
  },
}

/** Predicts the server's answer to a call once the reader's changes are sent; undefined if this device can't tell. */
export const answerFromDevice = (name: string, input: unknown, stored: StoredAnswers, unsent: Unsent): unknown =>
  Object.hasOwn(changing, name) && changing[name]
    ? changing[name](input as never, stored, unsent)
    : stored.find(name, input)

function withChange(marks: ItemMarks, change: NewChange): ItemMarks {
  const read = inputOf(markReadCall, change)
  if (read) return read.items.reduce((changed, item) => changeMark(changed, item, { readAt: read.at }), marks)
  const mark = markOf(change)
  return mark ? changeMark(marks, change.input as ItemRef, mark) : marks
}

function markOf(change: NewChange): Partial<ItemMarks['items'][number]> | null {
  const save = inputOf(saveItemCall, change)
  if (save) return { saved: save.saved, savedAt: save.at }
  const collect = inputOf(collectItemCall, change)
  if (collect?.member) return { saved: true, savedAt: collect.at }
  const tried = inputOf(recordTryCall, change)
  if (tried) return { tried: tried.outcome }
  return inputOf(removeTryCall, change) ? { tried: null } : null
}
