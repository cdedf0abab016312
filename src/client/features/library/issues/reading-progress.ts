export type Progress = { sectionId: string; readSections: string[]; finished: boolean }

/** A section that was in view for a shorter time was only scrolled past. */
const minReadMs = 2_000

/**
 * Tracks what a reader has read of an issue on this visit. `order` lists the sections as they are on the page. `current` returns
 * the same object until something changes, and null before the first section.
 */
export function createReadingProgress(order: readonly string[]) {
  const read = new Set<string>()
  let current: Progress | null = null
  let since = 0
  return {
    current: () => current,
    /** `passed` are the sections whose headings are above the middle of the screen. The last one is being read. */
    update(passed: readonly string[], atEnd: boolean, nowMs: number) {
      const sectionId = order.findLast((id) => passed.includes(id))
      if (sectionId === undefined) return
      const before = read.size
      const isElsewhere = current?.sectionId !== sectionId
      if (current && (isElsewhere || atEnd) && nowMs - since >= minReadMs) read.add(current.sectionId)
      if (isElsewhere) since = nowMs
      const finished = atEnd || (current?.finished ?? false)
      if (isElsewhere || current?.finished !== finished || before !== read.size) {
        current = { sectionId, readSections: order.filter((id) => read.has(id)), finished }
      }
    },
  }
}
