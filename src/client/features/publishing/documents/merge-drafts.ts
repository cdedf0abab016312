import { hashKey } from '@tanstack/react-query'
import type { Draft } from '#shared/contracts/publishing/documents.ts'

type Item = { id: string } & Record<string, unknown>

export const isItems = (value: unknown): value is Item[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'object' && entry !== null)

const isSame = (one: unknown, other: unknown) => hashKey([one]) === hashKey([other])

/**
 * Three-way merge in which my changes win. Items are matched by id. An item that I changed stays even if they removed it;
 * an item that I removed is gone.
 */
export const mergeDrafts = <Kind extends Draft>(base: Kind, mine: Kind, theirs: Kind): Kind =>
  mergeFields(base, mine, theirs)

function mergeFields<Part extends object>(base: Part, mine: Part, theirs: Part): Part {
  const keys = Object.keys(mine) as (keyof Part)[]
  return Object.fromEntries(keys.map((key) => [key, mergeValue(base[key], mine[key], theirs[key])])) as Part
}

function mergeValue(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (isSame(mine, base)) return theirs
  if (isSame(theirs, base)) return mine
  return isItems(base) && isItems(mine) && isItems(theirs) ? mergeItems(base, mine, theirs) : mine
}

function mergeItems(base: Item[], mine: Item[], theirs: Item[]): Item[] {
  const [before, own, other] = [base, mine, theirs].map((items) => new Map(items.map((item) => [item.id, item])))
  const idsOf = (items: Item[]) => items.map(({ id }) => id)
  const isKept = (id: string) => {
    if (!own?.has(id)) return !before?.has(id)
    return other?.has(id) || !isSame(own.get(id), before?.get(id))
  }
  const iMoved = !isSame(idsOf(mine), idsOf(base))
  const [first, second] = iMoved ? [mine, theirs] : [theirs, mine]
  return [...new Set([...idsOf(first), ...idsOf(second)])].filter(isKept).flatMap((id) => {
    const [was, my, their] = [before?.get(id), own?.get(id), other?.get(id)]
    return was && my && their ? [mergeFields(was, my, their)] : (my ?? their ?? [])
  })
}
