import { type ItemMark, type ItemMarks, unmarked } from '#shared/contracts/reader/item-marks.ts'
import { type ItemRef, itemKey } from '#shared/domain/content-items.ts'

export const findMark = (items: readonly ItemMark[], ref: ItemRef) =>
  items.find((mark) => itemKey(mark) === itemKey(ref))

/** The marks of a page with one of them changed. An item without a mark gets one. */
export function changeMark(marks: ItemMarks, { kind, id }: ItemRef, change: Partial<ItemMark>): ItemMarks {
  const known = findMark(marks.items, { kind, id })
  const changed = { ...unmarked, ...known, ...change, kind, id }
  return { ...marks, items: [...marks.items.filter((mark) => mark !== known), changed] }
}
