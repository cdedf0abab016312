import type { Questions } from '#shared/domain/preferences.ts'
import { type Rankable, rankSections } from '#shared/domain/rank-sections.ts'
import type { Reader } from '#shared/domain/reader.ts'

/** Readers with the same preferences. */
export type ReaderGroup = { reader: Reader; count: number }

export type OrderingsSummary = {
  readers: number
  distinctOrderings: number
  /** Orderings by number of readers, most frequent first. */
  orders: { order: readonly number[]; readers: number }[]
  /** For each section, how many readers see it first. */
  firsts: { section: number; readers: number }[]
  /** The first section of each group and why, largest group first. */
  groups: { reader: Reader; readers: number; first: number | null; reason: string | null }[]
  /** Readers whose ordering has every section exactly once. */
  complete: number
}

/** Summarizes the section orderings of an audience and verifies that each is complete. */
export function summarizeOrderings(
  publication: Questions,
  sections: readonly Rankable[],
  groups: readonly ReaderGroup[],
): OrderingsSummary {
  const ranked = groups.map(({ reader, count }) => ({
    reader,
    readers: count,
    ...rankSections(publication, sections, reader),
  }))
  const orders = new Map<string, { order: readonly number[]; readers: number }>()
  for (const { order, readers } of ranked) {
    const known = orders.get(order.join())
    if (known) known.readers += readers
    else orders.set(order.join(), { order, readers })
  }
  const holdsAll = (order: readonly number[]) =>
    order.length === sections.length && sections.every((_, index) => order.includes(index))
  return {
    readers: sum(ranked),
    distinctOrderings: orders.size,
    orders: [...orders.values()].toSorted((a, b) => b.readers - a.readers),
    firsts: sections.map((_, section) => ({
      section,
      readers: sum(ranked.filter(({ order }) => order[0] === section)),
    })),
    groups: ranked
      .toSorted((a, b) => b.readers - a.readers)
      .map(({ reader, readers, order, reason }) => ({ reader, readers, first: order[0] ?? null, reason })),
    complete: sum(ranked.filter(({ order }) => holdsAll(order))),
  }
}

const sum = (counted: readonly { readers: number }[]) => counted.reduce((total, { readers }) => total + readers, 0)
